// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/simplify.hpp"

#include <algorithm>
#include <utility>

namespace autoshard::internal {
namespace {

using Rule = bool (*)(WorkingGraph&, std::int32_t);

/// About what looking at a node costs: its tables once.
std::uint64_t size_around(const WorkingGraph& graph, std::int32_t v) {
  std::uint64_t size = graph.strategies(v);
  for (const std::int32_t e : graph.node(v).edges) size += graph.edge(e).costs->size();
  return size;
}

/// What simplification may spend: so many looks at each table, or it would take longer than the
/// search that it should help. Counted in work, so that a run does not depend on the clock.
class Allowance {
 public:
  Allowance(const WorkingGraph& graph, Budget& budget)
      : budget_(budget), end_(budget.entries() + kFree) {
    for (std::size_t v = 0; v < graph.nodes.size(); ++v)
      end_ += kLooks * size_around(graph, static_cast<std::int32_t>(v));
  }

  void charge(std::uint64_t entries) { budget_.charge(entries); }
  bool spent() const { return budget_.spent() || budget_.entries() > end_; }

 private:
  static constexpr std::uint64_t kLooks = 8;
  static constexpr std::uint64_t kFree = 300'000'000;

  Budget& budget_;
  std::uint64_t end_;
};

/// Applies the first rule that changes something; true when one did.
template <std::size_t N>
bool apply_one(WorkingGraph& graph, std::int32_t v, const Rule (&rules)[N], Allowance& allowance) {
  for (const Rule rule : rules) {
    allowance.charge(size_around(graph, v));
    const bool changed = rule(graph, v);
    allowance.charge(std::exchange(graph.work, 0));
    if (changed) return true;
  }
  return false;
}

/// Applies the rules to every touched node until none applies; true when something changed.
template <std::size_t N>
bool apply_all(WorkingGraph& graph, const Rule (&rules)[N], Allowance& allowance) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto v = static_cast<std::int32_t>(i);
      if (!graph.node(v).alive || !graph.node(v).touched) continue;
      graph.node(v).touched = false;
      while (graph.node(v).alive && apply_one(graph, v, rules, allowance)) {
        changed = again = true;
        if (graph.infeasible() || allowance.spent()) return changed;
      }
      if (allowance.spent()) return changed;
    }
  }
  return changed;
}

void touch_all(WorkingGraph& graph) {
  for (WorkingNode& node : graph.nodes) node.touched = true;
}

bool none_left(const WorkingNode& node) {
  return std::all_of(node.costs.begin(), node.costs.end(),
                     [](std::int64_t cost) { return cost == kForbidden; });
}

/// A strategy that alone passes the limit does not exist.
void forbid_oversized(WorkingGraph& graph, const CostGraph& given) {
  if (!given.usage_limit) return;
  for (std::size_t v = 0; v < given.nodes.size(); ++v) {
    for (const MemoryPiece& piece : given.nodes[v].memory) {
      for (std::size_t s = 0; s < piece.usage.size(); ++s) {
        const bool passes = piece.begin < piece.end && piece.usage[s] > *given.usage_limit;
        if (passes) graph.nodes[v].costs[s] = kForbidden;
      }
    }
    if (none_left(graph.nodes[v])) {
      graph.infeasible_because =
          "node " + std::to_string(v) + ": every strategy is forbidden or passes the limit alone";
    }
  }
}

constexpr Rule kStructure[] = {drop_unsupported, fold_separable, contract_hard_edges};
constexpr Rule kAllRules[] = {drop_unsupported, fold_separable, eliminate_small_degree,
                              contract_hard_edges, drop_dominated};

void to_fixpoint(WorkingGraph& graph, Budget& budget) {
  Allowance allowance(graph, budget);
  bool changed = true;
  while (changed && !graph.infeasible() && !allowance.spent()) {
    changed = compress_time(graph);
    if (graph.infeasible()) return;
    changed = apply_all(graph, kAllRules, allowance) || changed;
  }
}

}  // namespace

WorkingGraph simplify(const CostGraph& given, Budget& budget) {
  WorkingGraph graph = WorkingGraph::from(given);
  forbid_oversized(graph, given);
  if (graph.infeasible()) return graph;
  // Structure first: contraction must come before memory is placed, as it moves every piece.
  Allowance allowance(graph, budget);
  apply_all(graph, kStructure, allowance);
  if (graph.infeasible()) return graph;
  place_memory(graph, given);
  touch_all(graph);
  to_fixpoint(graph, budget);
  return graph;
}

}  // namespace autoshard::internal
