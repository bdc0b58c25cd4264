// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "inter/balanced_cuts.hpp"

#include <algorithm>
#include <compare>
#include <optional>

namespace autoshard::internal {
namespace {

constexpr double kSlack = 1.5;

struct Score {
  std::int64_t bytes = 0;
  double squared_work = 0;
  friend auto operator<=>(const Score&, const Score&) = default;
};

/// best[k][j]: the first j units in k pieces. A table of pieces x units, each filled from the
/// starts that the limit on work allows.
class CutProgramme {
 public:
  CutProgramme(const UnitChain& chain, std::size_t pieces, double limit)
      : chain_(chain), pieces_(pieces), limit_(limit), units_(chain.work.size()) {
    before_.push_back(0);
    for (double work : chain.work) before_.push_back(before_.back() + work);
  }

  std::optional<std::vector<std::size_t>> run() {
    best_.assign(pieces_ + 1, std::vector<std::optional<Score>>(units_ + 1));
    start_.assign(pieces_ + 1, std::vector<std::size_t>(units_ + 1, 0));
    best_[0][0] = Score{};
    for (std::size_t k = 1; k <= pieces_; ++k) {
      for (std::size_t end = k; end <= units_; ++end) fill(k, end);
    }
    if (!best_[pieces_][units_]) return std::nullopt;
    std::vector<std::size_t> ends(pieces_);
    std::size_t end = units_;
    for (std::size_t k = pieces_; k > 0; --k) {
      ends[k - 1] = end;
      end = start_[k][end];
    }
    return ends;
  }

 private:
  void fill(std::size_t k, std::size_t end) {
    for (std::size_t start = end; start-- > k - 1;) {
      const double work = before_[end] - before_[start];
      if (work > limit_) break;
      if (!best_[k - 1][start]) continue;
      Score score = *best_[k - 1][start];
      if (start > 0) score.bytes += chain_.cut_bytes[start];
      score.squared_work += work * work;
      if (best_[k][end] && *best_[k][end] <= score) continue;
      best_[k][end] = score;
      start_[k][end] = start;
    }
  }

  const UnitChain& chain_;
  std::size_t pieces_;
  double limit_;
  std::size_t units_;
  std::vector<double> before_;
  std::vector<std::vector<std::optional<Score>>> best_;
  std::vector<std::vector<std::size_t>> start_;
};

}  // namespace

std::vector<std::size_t> balanced_cuts(const UnitChain& chain, std::size_t pieces) {
  double total = 0;
  for (double work : chain.work) total += work;
  double slack = kSlack;
  for (;;) {
    // Rounding must not hide the one piece that holds everything.
    const double limit = slack * (total / static_cast<double>(pieces)) + 1e-9 * total;
    if (auto ends = CutProgramme(chain, pieces, limit).run()) return *ends;
    slack *= 2;
  }
}

}  // namespace autoshard::internal
