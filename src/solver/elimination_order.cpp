// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/elimination_order.hpp"

#include <algorithm>
#include <queue>

namespace autoshard::internal {
namespace {

struct Candidate {
  double weight = 0;
  std::int32_t node = 0;
  bool operator>(const Candidate& other) const {
    return weight != other.weight ? weight > other.weight : node > other.node;
  }
};

/// The graph that elimination fills in, by indices local to the region.
class Filling {
 public:
  Filling(const Core& core, const std::vector<std::int32_t>& region)
      : core_(core), region_(region) {
    std::vector<std::int32_t> local(core.size(), -1);
    for (std::size_t i = 0; i < region.size(); ++i)
      local[static_cast<std::size_t>(region[i])] = static_cast<std::int32_t>(i);
    neighbours_.resize(region.size());
    gone_.resize(region.size());
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (const Link& link : core.links(static_cast<std::size_t>(region[i]))) {
        const std::int32_t j = local[static_cast<std::size_t>(link.neighbour)];
        if (j >= 0) neighbours_[i].push_back(j);
      }
      std::sort(neighbours_[i].begin(), neighbours_[i].end());
    }
    for (std::size_t i = 0; i < region.size(); ++i)
      queue_.push({weight(i), static_cast<std::int32_t>(i)});
  }

  /// Entries of the table that eliminating node i would take.
  double weight(std::size_t i) const {
    double entries = core_.sizes[static_cast<std::size_t>(region_[i])];
    for (const std::int32_t j : neighbours_[i])
      entries *= core_.sizes[static_cast<std::size_t>(region_[static_cast<std::size_t>(j)])];
    return entries;
  }

  /// Cheapest node, or nothing when all are gone. Stale queue entries are skipped.
  bool next(Candidate& best) {
    while (!queue_.empty()) {
      best = queue_.top();
      const auto i = static_cast<std::size_t>(best.node);
      if (!gone_[i] && best.weight == weight(i)) return true;
      queue_.pop();
    }
    return false;
  }

  std::vector<std::int32_t> eliminate(std::size_t i) {
    const std::vector<std::int32_t> scope = neighbours_[i];
    take_out(i);
    for (const std::int32_t j : scope) join(static_cast<std::size_t>(j), scope);
    for (const std::int32_t j : scope) queue_.push({weight(static_cast<std::size_t>(j)), j});
    return scope;
  }

  void freeze_busiest() {
    std::size_t busiest = gone_.size();
    for (std::size_t i = 0; i < gone_.size(); ++i) {
      if (gone_[i]) continue;
      if (busiest == gone_.size() || neighbours_[i].size() > neighbours_[busiest].size())
        busiest = i;
    }
    const std::vector<std::int32_t> around = neighbours_[busiest];
    take_out(busiest);
    for (const std::int32_t j : around) queue_.push({weight(static_cast<std::size_t>(j)), j});
  }

 private:
  void take_out(std::size_t i) {
    gone_[i] = true;
    for (const std::int32_t j : neighbours_[i]) {
      std::vector<std::int32_t>& theirs = neighbours_[static_cast<std::size_t>(j)];
      theirs.erase(std::lower_bound(theirs.begin(), theirs.end(), static_cast<std::int32_t>(i)));
    }
  }

  void join(std::size_t j, const std::vector<std::int32_t>& scope) {
    std::vector<std::int32_t> joined;
    std::set_union(neighbours_[j].begin(), neighbours_[j].end(), scope.begin(), scope.end(),
                   std::back_inserter(joined));
    joined.erase(std::lower_bound(joined.begin(), joined.end(), static_cast<std::int32_t>(j)));
    neighbours_[j] = std::move(joined);
  }

  const Core& core_;
  const std::vector<std::int32_t>& region_;
  std::vector<std::vector<std::int32_t>> neighbours_;
  std::vector<bool> gone_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

/// A node may be frozen after neighbours of it were eliminated; it is no dimension of theirs then.
void drop_frozen(EliminationOrder& order, std::size_t core_size) {
  std::vector<bool> eliminated(core_size);
  for (const std::int32_t v : order.nodes) eliminated[static_cast<std::size_t>(v)] = true;
  for (std::vector<std::int32_t>& scope : order.scopes) {
    std::erase_if(
        scope, [&eliminated](std::int32_t v) { return !eliminated[static_cast<std::size_t>(v)]; });
  }
}

}  // namespace

EliminationOrder find_order(const Core& core, const std::vector<std::int32_t>& region,
                            const EliminationLimits& limits) {
  EliminationOrder order;
  Filling filling(core, region);
  const auto table_limit = static_cast<double>(limits.table_entries),
             total_limit = static_cast<double>(limits.total_entries);
  for (Candidate best; filling.next(best);) {
    const bool fits =
        best.weight <= table_limit && static_cast<double>(order.work) + best.weight <= total_limit;
    if (!fits && !limits.may_freeze) {
      order.feasible = false;
      return order;
    }
    if (!fits) {
      filling.freeze_busiest();
      continue;
    }
    order.nodes.push_back(region[static_cast<std::size_t>(best.node)]);
    order.work += static_cast<std::size_t>(best.weight);
    std::vector<std::int32_t>& scope = order.scopes.emplace_back();
    for (const std::int32_t j : filling.eliminate(static_cast<std::size_t>(best.node))) {
      scope.push_back(region[static_cast<std::size_t>(j)]);
    }
  }
  drop_frozen(order, core.size());
  return order;
}

}  // namespace autoshard::internal
