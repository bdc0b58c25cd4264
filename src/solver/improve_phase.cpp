// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bound and answer in turns: dual steps raise the bound and decode assignments, which are
// repaired; large neighbourhoods improve the best one. Ends when neither side gets anywhere.
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/certificate.hpp"
#include "solver/neighbourhood.hpp"
#include "solver/phases.hpp"
#include "solver/price_ascent.hpp"

namespace autoshard::internal {
namespace {

constexpr int kPassesPerRound = 8;
// The search may touch this many entries per entry that the dual touches.
constexpr double kSearchShare = 1.0;
// Progress below this share of the gap does not count.
constexpr double kProgress = 0.01;
// Without progress the phase ends after this many entries, or this multiple of the work before.
constexpr double kLeastPatience = 3e7;
constexpr double kPatience = 1.0;

class Improvement {
 public:
  explicit Improvement(Session& session)
      : session_(session),
        core_(session.core()),
        dual_(core_),
        ascent_(core_, dual_),
        regions_(core_, session.options().seed) {}

  void run() {
    if (!session_.best().empty()) take(LocalState(core_, session_.best()));
    start_ = session_.budget().entries();
    while (!session_.over() && !stalled()) {
      raise_bound();
      improve_answer();
      session_.report();
    }
    session_.keep_prices(dual_.prices());
  }

 private:
  void raise_bound() {
    const std::uint64_t before = session_.budget().entries();
    for (int i = 0; i < kPassesPerRound && !session_.budget().spent(); ++i) {
      ascent_.step(session_.has_answer() ? session_.upper() : INFINITY);
      session_.budget().charge(dual_.work());
    }
    try_assignment(ascent_.decoded());
    if (ascent_.best_bound() > session_.lower() && !session_.budget().spent()) certify_best();
    dual_work_ = session_.budget().entries() - before;
  }

  /// Proves the best prices: a pass settles the messages there first.
  void certify_best() {
    const std::vector<double> prices = dual_.prices();
    ascent_.return_to_best();
    dual_.pass();
    session_.raise_bound(certify(core_, dual_).bound);
    dual_.set_prices(prices);
    session_.budget().charge(2 * dual_.work());
  }

  void try_assignment(const std::vector<std::int32_t>& x) {
    LocalState state(core_, x);
    const bool fits = repair(state);
    if (fits) descend(state);
    session_.budget().charge(state.take_work());
    if (fits) take(std::move(state));
  }

  void take(LocalState state) {
    session_.offer(state.assignment());
    const double cost = core_.cost(state.assignment());
    if (state_ && cost >= cost_) return;
    cost_ = cost;
    state_.emplace(std::move(state));
  }

  void improve_answer() {
    const double allowed = kSearchShare * static_cast<double>(dual_work_);
    for (double used = 0; state_ && used < allowed && !session_.over();) {
      const double gain = regions_.attempt(*state_, dual_.prices());
      const std::uint64_t work = regions_.take_work() + state_->take_work();
      session_.budget().charge(work);
      used += static_cast<double>(work);
      if (gain <= 0) continue;
      cost_ -= gain;
      session_.offer(state_->assignment());
    }
  }

  bool stalled() {
    const double upper = session_.has_answer() ? session_.upper() : core_.largest_total;
    const double gap = upper - std::max(session_.lower(), ascent_.best_bound());
    const auto now = static_cast<double>(session_.budget().entries() - start_);
    if (gap < (1 - kProgress) * last_gap_) {
      last_gap_ = gap;
      last_progress_ = now;
    }
    return now - last_progress_ > std::max(kLeastPatience, kPatience * last_progress_);
  }

  Session& session_;
  const Core& core_;
  Dual dual_;
  PriceAscent ascent_;
  Neighbourhoods regions_;
  std::optional<LocalState> state_;
  double cost_ = INFINITY;
  std::uint64_t start_ = 0, dual_work_ = 0;
  double last_gap_ = INFINITY, last_progress_ = 0;
};

}  // namespace

void improve(Session& session) { Improvement(session).run(); }

}  // namespace autoshard::internal
