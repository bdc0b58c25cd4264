// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "inter/repeated_blocks.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace autoshard::internal {
namespace {

/// An operator weighs something from this share of the heaviest one on.
constexpr double kHeavyShare = 0.01;
/// A block holds at most so many operators of one key: periods are looked for that far apart.
constexpr std::size_t kEqualsInBlock = 16;

class BlockFinder {
 public:
  explicit BlockFinder(const ForwardSequence& sequence) : sequence_(sequence) {
    const auto& flops = sequence.flops;
    const double most = flops.empty() ? 0 : *std::max_element(flops.begin(), flops.end());
    heavy_before_.push_back(0);
    for (double work : flops) {
      heavy_.push_back(work > 0 && work >= kHeavyShare * most);
      heavy_before_.push_back(heavy_before_.back() + (heavy_.back() ? 1 : 0));
    }
  }

  std::vector<BlockRun> run() {
    search(0, sequence_.size());
    std::sort(runs_.begin(), runs_.end(),
              [](const BlockRun& a, const BlockRun& b) { return a.begin < b.begin; });
    return std::move(runs_);
  }

 private:
  void search(std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::size_t, std::size_t>> open = {{begin, end}};
    while (!open.empty()) {
      const auto [first, last] = open.back();
      open.pop_back();
      const std::optional<BlockRun> found = longest_run(first, last);
      if (!found) continue;
      runs_.push_back(*found);
      open.push_back({first, found->begin});
      open.push_back({found->end(), last});
    }
  }

  /// The run that covers most operators; of equal ones the shortest period.
  std::optional<BlockRun> longest_run(std::size_t begin, std::size_t end) const {
    std::optional<BlockRun> best;
    std::size_t covered = 0;
    for (std::size_t period : periods(begin, end)) {
      const auto [first, last] = longest_stretch(begin, end, period);
      if (last - first < 2 * period) continue;
      const BlockRun run = best_offset(first, last, period);
      const bool heavy = heavy_before_[run.begin + period] > heavy_before_[run.begin];
      if (!heavy || run.length * run.count <= covered) continue;
      best = run;
      covered = run.length * run.count;
    }
    return best;
  }

  /// Distances between heavy operators of equal keys, ascending.
  std::set<std::size_t> periods(std::size_t begin, std::size_t end) const {
    std::map<std::int32_t, std::vector<std::size_t>> places;
    for (std::size_t i = begin; i < end; ++i) {
      if (heavy_[i]) places[sequence_.keys[i]].push_back(i);
    }
    std::set<std::size_t> periods;
    for (const auto& [key, list] : places) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::size_t far = std::min(list.size(), i + 1 + kEqualsInBlock);
        for (std::size_t j = i + 1; j < far; ++j) periods.insert(list[j] - list[i]);
      }
    }
    return periods;
  }

  /// The longest [first, last) in which every operator equals the one a period before it.
  std::pair<std::size_t, std::size_t> longest_stretch(std::size_t begin, std::size_t end,
                                                      std::size_t period) const {
    std::pair<std::size_t, std::size_t> best = {begin, begin};
    std::size_t first = begin;
    for (std::size_t i = begin; i + period < end; ++i) {
      if (sequence_.keys[i] != sequence_.keys[i + period]) first = i + 1;
      const bool longer = i + 1 > first && i + 1 + period - first > best.second - best.first;
      if (longer) best = {first, i + 1 + period};
    }
    return best;
  }

  /// Least mean traffic over the cuts; then most blocks; then the earliest.
  BlockRun best_offset(std::size_t first, std::size_t last, std::size_t period) const {
    BlockRun best;
    double least = 0;
    for (std::size_t offset = 0; offset < period; ++offset) {
      const BlockRun run{first + offset, period, (last - first - offset) / period};
      if (run.count < 2) break;
      const double traffic = mean_traffic(run);
      const bool better = traffic < least || (traffic == least && run.count > best.count);
      if (best.count > 0 && !better) continue;
      best = run;
      least = traffic;
    }
    return best;
  }

  /// Over the inner cuts only: what stands before and behind the run is not the blocks' affair.
  double mean_traffic(const BlockRun& run) const {
    double bytes = 0;
    for (std::size_t k = 1; k < run.count; ++k) {
      bytes += static_cast<double>(sequence_.cut_bytes[run.begin + k * run.length]);
    }
    return bytes / static_cast<double>(run.count - 1);
  }

  const ForwardSequence& sequence_;
  std::vector<bool> heavy_;
  std::vector<std::size_t> heavy_before_;
  std::vector<BlockRun> runs_;
};

}  // namespace

std::vector<BlockRun> find_repeated_blocks(const ForwardSequence& sequence) {
  return BlockFinder(sequence).run();
}

}  // namespace autoshard::internal
