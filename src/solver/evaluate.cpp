// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The referee: cost and memory of an assignment straight from the definition. It shares no code
// with any solver, so a mistake there cannot hide here.
#include <map>

#include "autoshard/cost_graph.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

Result<void> check_assignment(const CostGraph& graph, std::span<const std::int32_t> assignment) {
  if (assignment.size() != graph.nodes.size()) {
    return internal::invalid("assignment: {} entries for {} nodes", assignment.size(),
                             graph.nodes.size());
  }
  for (std::size_t v = 0; v < assignment.size(); ++v) {
    const std::size_t count = graph.nodes[v].costs.size();
    if (assignment[v] < 0 || static_cast<std::size_t>(assignment[v]) >= count) {
      return internal::invalid("node {}: strategy {} is not in [0, {})", v, assignment[v], count);
    }
  }
  return {};
}

void pay(std::int64_t cost, Evaluation& evaluation) {
  if (cost == kForbidden) {
    ++evaluation.forbidden;
  } else {
    evaluation.cost += cost;
  }
}

void find_peak(const CostGraph& graph, std::span<const std::int32_t> assignment,
               Evaluation& evaluation) {
  std::map<std::int64_t, Int128> change;
  for (std::size_t v = 0; v < assignment.size(); ++v) {
    for (const MemoryPiece& piece : graph.nodes[v].memory) {
      if (piece.begin >= piece.end) continue;
      const std::int64_t usage = piece.usage[static_cast<std::size_t>(assignment[v])];
      change[piece.begin] += usage;
      change[piece.end] -= usage;
    }
  }
  Int128 level = 0;
  for (const auto& [time, amount] : change) {
    level += amount;
    if (level > evaluation.peak_usage) {
      evaluation.peak_usage = level;
      evaluation.peak_time = time;
    }
  }
}

}  // namespace

Result<Evaluation> evaluate(const CostGraph& graph, std::span<const std::int32_t> assignment) {
  return internal::guarded([&]() -> Result<Evaluation> {
    AUTOSHARD_CHECK_OK(validate(graph));
    AUTOSHARD_CHECK_OK(check_assignment(graph, assignment));
    Evaluation evaluation;
    for (std::size_t v = 0; v < assignment.size(); ++v) {
      pay(graph.nodes[v].costs[static_cast<std::size_t>(assignment[v])], evaluation);
    }
    for (const CostEdge& edge : graph.edges) {
      const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
      const std::size_t columns = graph.nodes[to].costs.size();
      const auto row = static_cast<std::size_t>(assignment[from]),
                 column = static_cast<std::size_t>(assignment[to]);
      pay((*edge.costs)[row * columns + column], evaluation);
    }
    find_peak(graph, assignment, evaluation);
    evaluation.within_limit = !graph.usage_limit || evaluation.peak_usage <= *graph.usage_limit;
    return evaluation;
  });
}

}  // namespace autoshard
