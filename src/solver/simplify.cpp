// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/simplify.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

using Rule = bool (*)(WorkingGraph&, std::int32_t);

/// About what looking at a node costs: its tables once.
std::uint64_t size_around(const WorkingGraph& graph, std::int32_t v) {
  std::uint64_t size = graph.strategies(v);
  for (const std::int32_t e : graph.node(v).edges) size += graph.edge(e).costs->size();
  return size;
}

/// Applies the first rule that changes something; true when one did.
template <std::size_t N>
bool apply_one(WorkingGraph& graph, std::int32_t v, const Rule (&rules)[N], Budget& budget) {
  for (const Rule rule : rules) {
    budget.charge(size_around(graph, v));
    if (rule(graph, v)) return true;
  }
  return false;
}

/// Applies the rules to every touched node until none applies; true when something changed.
template <std::size_t N>
bool apply_all(WorkingGraph& graph, const Rule (&rules)[N], Budget& budget) {
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const auto v = static_cast<std::int32_t>(i);
      if (!graph.node(v).alive || !graph.node(v).touched) continue;
      graph.node(v).touched = false;
      while (graph.node(v).alive && apply_one(graph, v, rules, budget)) {
        changed = again = true;
        if (graph.infeasible() || budget.spent()) return changed;
      }
      if (budget.spent()) return changed;
    }
  }
  return changed;
}

void touch_all(WorkingGraph& graph) {
  for (WorkingNode& node : graph.nodes) node.touched = true;
}

bool none_left(const WorkingNode& node) {
  return std::all_of(node.costs.begin(), node.costs.end(), [](std::int64_t cost) { return cost == kForbidden; });
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
      graph.infeasible_because = "node " + std::to_string(v) + ": every strategy is forbidden or passes the limit alone";
    }
  }
}

constexpr Rule kStructure[] = {drop_unsupported, fold_separable, contract_hard_edges};
constexpr Rule kAllRules[] = {drop_unsupported, fold_separable, eliminate_small_degree, contract_hard_edges,
                              drop_dominated};

}  // namespace

void simplify_again(WorkingGraph& graph, Budget& budget) {
  bool changed = true;
  while (changed && !graph.infeasible() && !budget.spent()) {
    changed = compress_time(graph);
    if (graph.infeasible()) return;
    changed = apply_all(graph, kAllRules, budget) || changed;
  }
}

WorkingGraph simplify(const CostGraph& given, Budget& budget) {
  WorkingGraph graph = WorkingGraph::from(given);
  forbid_oversized(graph, given);
  if (graph.infeasible()) return graph;
  // Structure first: contraction must come before memory is placed, as it moves every piece.
  apply_all(graph, kStructure, budget);
  if (graph.infeasible()) return graph;
  place_memory(graph, given);
  touch_all(graph);
  simplify_again(graph, budget);
  return graph;
}

}  // namespace autoshard::internal
