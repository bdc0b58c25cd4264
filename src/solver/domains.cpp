// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/domains.hpp"

#include <algorithm>

namespace autoshard::internal {

Domains::Domains(const Core& core) : core_(core), allowed_(core.unary.size(), 1) {
  for (std::size_t v = 0; v < core.size(); ++v) {
    counts_.push_back(core.strategies(v));
    if (core.strategies(v) > 1) ++open_;
  }
}

void Domains::drop(std::size_t v, std::size_t s) {
  const std::size_t i = core_.first[v] + s;
  if (!allowed_[i]) return;
  allowed_[i] = 0;
  trail_.push_back({v, s});
  --counts_[v];
  if (counts_[v] == 1) --open_;
  if (counts_[v] == 0) ++empty_;
}

void Domains::undo_to(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Choice dropped = trail_.back();
    allowed_[core_.first[dropped.node] + dropped.strategy] = 1;
    std::size_t& count = counts_[dropped.node];
    if (count == 0) --empty_;
    if (count == 1) ++open_;
    ++count;
  }
}

void Domains::take(Choice choice) {
  for (std::size_t s = 0; s < core_.strategies(choice.node); ++s) {
    if (s != choice.strategy) drop(choice.node, s);
  }
}

void Domains::remove(Choice choice) { drop(choice.node, choice.strategy); }

bool Domains::remove_above(const std::vector<std::int64_t>& amounts, Int128 allowed) {
  const std::size_t before = trail_.size();
  for (std::size_t v = 0; v < core_.size(); ++v) {
    for (std::size_t s = 0; s < core_.strategies(v); ++s) {
      if (amounts[core_.first[v] + s] > allowed) drop(v, s);
    }
  }
  return trail_.size() > before;
}

std::int64_t Domains::least_usage(std::size_t v, const CorePiece& piece) const {
  std::int64_t least = INT64_MAX;
  for (std::size_t s = 0; s < core_.strategies(v); ++s) {
    if (allowed_[core_.first[v] + s]) least = std::min(least, piece.usage[s]);
  }
  return least;
}

bool Domains::drop_oversized(std::size_t v, const CorePiece& piece, const RangeMinimum& room) {
  if (counts_[v] < 2) return false;
  const std::int64_t least = least_usage(v, piece);
  const std::int64_t free = room.over(piece.begin, piece.end);
  bool changed = false;
  for (std::size_t s = 0; s < core_.strategies(v); ++s) {
    if (!allowed_[core_.first[v] + s] || piece.usage[s] - least <= free) continue;
    drop(v, s);
    changed = true;
  }
  return changed;
}

bool Domains::propagate_memory(bool& changed) {
  std::vector<std::int64_t> change(core_.capacity.size() + 1, 0);
  for (std::size_t v = 0; v < core_.size(); ++v) {
    for (const CorePiece& piece : core_.pieces(v)) {
      const std::int64_t least = least_usage(v, piece);
      change[static_cast<std::size_t>(piece.begin)] += least;
      change[static_cast<std::size_t>(piece.end)] -= least;
    }
  }
  std::vector<std::int64_t> room = core_.capacity;
  std::int64_t level = 0;
  for (std::size_t t = 0; t < room.size(); ++t) {
    room[t] -= level += change[t];
    if (room[t] < 0) return false;
  }
  const RangeMinimum least_room(room);
  for (std::size_t v = 0; v < core_.size(); ++v) {
    for (const CorePiece& piece : core_.pieces(v))
      changed = drop_oversized(v, piece, least_room) || changed;
    if (empty_ > 0) return false;
  }
  return true;
}

bool Domains::propagate() {
  bool changed = empty_ == 0;
  while (changed && !core_.capacity.empty()) {
    changed = false;
    if (!propagate_memory(changed)) return false;
  }
  return empty_ == 0;
}

std::vector<std::int32_t> Domains::assignment() const {
  std::vector<std::int32_t> x(core_.size(), 0);
  for (std::size_t v = 0; v < core_.size(); ++v) {
    while (!allowed_[core_.first[v] + static_cast<std::size_t>(x[v])]) ++x[v];
  }
  return x;
}

void Domains::set_penalties(std::vector<double>& penalties, double penalty) const {
  for (std::size_t i = 0; i < penalties.size(); ++i) penalties[i] = allowed_[i] ? 0 : penalty;
}

Domains::Choice Domains::branching_choice(const std::vector<std::int64_t>& reduced,
                                          const std::vector<std::int32_t>& preferred) const {
  Choice best;
  std::int64_t best_second = -1;
  for (std::size_t v = 0; v < core_.size(); ++v) {
    if (counts_[v] < 2) continue;
    // How much the bound rises at least when the best strategy goes.
    std::int64_t least = INT64_MAX, second = INT64_MAX;
    std::size_t first = 0;
    for (std::size_t s = 0; s < core_.strategies(v); ++s) {
      const std::size_t i = core_.first[v] + s;
      if (!allowed_[i]) continue;
      const bool better = reduced[i] < least ||
                          (reduced[i] == least && static_cast<std::int32_t>(s) == preferred[v]);
      second = better ? least : std::min(second, reduced[i]);
      if (better) first = s, least = reduced[i];
    }
    if (second <= best_second) continue;
    best_second = second;
    best = {v, first};
  }
  return best;
}

}  // namespace autoshard::internal
