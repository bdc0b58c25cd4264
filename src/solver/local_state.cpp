// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/local_state.hpp"

#include <algorithm>
#include <numeric>

#include "solver/kernels.hpp"

namespace autoshard::internal {
namespace {

// Candidates at the worst time whose effect at all times is computed.
constexpr std::size_t kShortList = 24;

struct Candidate {
  double score = 0;
  std::size_t node = 0, strategy = 0;
  bool operator<(const Candidate& other) const { return score < other.score; }
};

/// Moves that free something at time t, by cost for what is freed.
std::vector<Candidate> moves_that_free(const LocalState& state, std::size_t t) {
  const Core& core = state.core();
  const auto excess = static_cast<double>(-state.room(t));
  std::vector<Candidate> candidates;
  for (std::size_t v = 0; v < core.size(); ++v) {
    for (const CorePiece& piece : core.pieces(v)) {
      if (t < static_cast<std::size_t>(piece.begin) || t >= static_cast<std::size_t>(piece.end))
        continue;
      for (std::size_t s = 0; s < core.strategies(v); ++s) {
        const auto freed = static_cast<double>(piece.usage[state.choice(v)] - piece.usage[s]);
        if (freed > 0) candidates.push_back({state.change(v, s) / std::min(freed, excess), v, s});
      }
    }
  }
  const std::size_t kept = std::min(kShortList, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                    candidates.end());
  candidates.resize(kept);
  return candidates;
}

/// One step of repair; false when no move lowers the total excess.
bool relieve(LocalState& state, std::size_t t) {
  bool found = false;
  Candidate best;
  for (const Candidate& candidate : moves_that_free(state, t)) {
    const double freed = -state.excess_change(candidate.node, candidate.strategy);
    if (freed <= 0) continue;
    const double score = state.change(candidate.node, candidate.strategy) / freed;
    if (!found || score < best.score) best = {score, candidate.node, candidate.strategy};
    found = true;
  }
  if (found) state.move(best.node, static_cast<std::int32_t>(best.strategy));
  return found;
}

bool improve_node(LocalState& state, std::size_t v) {
  bool found = false;
  std::size_t best = 0;
  double best_change = 0;
  for (std::size_t s = 0; s < state.core().strategies(v); ++s) {
    const double change = state.change(v, s);
    if (change >= best_change || !state.move_fits(v, s)) continue;
    best = s;
    best_change = change;
    found = true;
  }
  if (found) state.move(v, static_cast<std::int32_t>(best));
  return found;
}

}  // namespace

LocalState::LocalState(const Core& core, std::vector<std::int32_t> x)
    : core_(core), x_(std::move(x)), conditional_(core.unary), usage_(core.capacity.size(), 0) {
  for (std::size_t v = 0; v < core.size(); ++v) {
    const auto chosen = static_cast<std::size_t>(x_[v]);
    for (const Link& link : core.links(v)) {
      const auto u = static_cast<std::size_t>(link.neighbour);
      add_to(conditional_.data() + core.first[u], link.table + chosen * core.strategies(u),
             core.strategies(u));
    }
    for (const CorePiece& piece : core.pieces(v)) {
      usage_[static_cast<std::size_t>(piece.begin)] += piece.usage[chosen];
      if (static_cast<std::size_t>(piece.end) < usage_.size())
        usage_[static_cast<std::size_t>(piece.end)] -= piece.usage[chosen];
    }
  }
  std::partial_sum(usage_.begin(), usage_.end(), usage_.begin());
  work_ += 2 * core.unary.size() + core.usages() + usage_.size();
}

void LocalState::move(std::size_t v, std::int32_t s) {
  const auto before = static_cast<std::size_t>(x_[v]), after = static_cast<std::size_t>(s);
  if (before == after) return;
  x_[v] = s;
  for (const Link& link : core_.links(v)) {
    const auto u = static_cast<std::size_t>(link.neighbour);
    const std::size_t count = core_.strategies(u);
    double* into = conditional_.data() + core_.first[u];
    const double *added = link.table + after * count, *removed = link.table + before * count;
    for (std::size_t i = 0; i < count; ++i) into[i] += added[i] - removed[i];
    work_ += count;
  }
  for (const CorePiece& piece : core_.pieces(v)) {
    const std::int64_t difference = piece.usage[after] - piece.usage[before];
    if (difference == 0) continue;
    for (std::int32_t t = piece.begin; t < piece.end; ++t)
      usage_[static_cast<std::size_t>(t)] += difference;
    work_ += static_cast<std::uint64_t>(piece.end - piece.begin);
  }
}

std::size_t LocalState::worst_time() const {
  std::size_t worst = usage_.size();
  std::int64_t least = 0;
  for (std::size_t t = 0; t < usage_.size(); ++t) {
    if (room(t) >= least) continue;
    least = room(t);
    worst = t;
  }
  work_ += usage_.size();
  return worst;
}

bool LocalState::move_fits(std::size_t v, std::size_t s) const {
  for (const CorePiece& piece : core_.pieces(v)) {
    const std::int64_t added = piece.usage[s] - piece.usage[x_[v]];
    if (added <= 0) continue;
    for (std::int32_t t = piece.begin; t < piece.end; ++t) {
      if (added > room(static_cast<std::size_t>(t))) return false;
    }
    work_ += static_cast<std::uint64_t>(piece.end - piece.begin);
  }
  return true;
}

double LocalState::excess_change(std::size_t v, std::size_t s) const {
  std::int64_t change = 0;
  for (const CorePiece& piece : core_.pieces(v)) {
    const std::int64_t added = piece.usage[s] - piece.usage[x_[v]];
    if (added == 0) continue;
    for (std::int32_t t = piece.begin; t < piece.end; ++t) {
      const std::int64_t excess = -room(static_cast<std::size_t>(t));
      change += std::max<std::int64_t>(0, excess + added) - std::max<std::int64_t>(0, excess);
    }
    work_ += static_cast<std::uint64_t>(piece.end - piece.begin);
  }
  return static_cast<double>(change);
}

std::uint64_t LocalState::take_work() {
  const std::uint64_t work = work_;
  work_ = 0;
  return work;
}

bool repair(LocalState& state) {
  // Every step lowers the total excess, so this ends; the count bounds the time it may take.
  for (std::size_t steps = 4 * state.core().size() + 16; steps-- > 0;) {
    const std::size_t t = state.worst_time();
    if (t == state.usage().size()) return true;
    if (!relieve(state, t)) return false;
  }
  return false;
}

void descend(LocalState& state) {
  constexpr int kMaxRounds = 20;
  bool changed = true;
  for (int round = 0; changed && round < kMaxRounds; ++round) {
    changed = false;
    for (std::size_t v = 0; v < state.core().size(); ++v)
      changed = improve_node(state, v) || changed;
  }
}

}  // namespace autoshard::internal
