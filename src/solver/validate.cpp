// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The door: what a CostGraph and the options must satisfy before any solver sees them.
#include <algorithm>

#include "autoshard/solve.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using internal::invalid;

// The magnitude that a single entry may have; the literal infinity of the public contest is 10^18.
constexpr std::int64_t kMaxEntry = 4'000'000'000'000'000'000;

bool out_of_range(std::int64_t cost) {
  return cost != kForbidden && (cost > kMaxEntry || cost < -kMaxEntry);
}

Result<void> validate_piece(const MemoryPiece& piece, std::size_t node, std::size_t strategies) {
  if (piece.begin > piece.end) {
    return invalid("node {}: memory interval [{}, {}) ends before it begins", node, piece.begin,
                   piece.end);
  }
  if (piece.usage.size() != strategies) {
    return invalid("node {}: {} usages for {} strategies", node, piece.usage.size(), strategies);
  }
  for (std::size_t s = 0; s < strategies; ++s) {
    if (piece.usage[s] < 0)
      return invalid("node {}: strategy {} has negative usage {}", node, s, piece.usage[s]);
    if (piece.usage[s] > kMaxEntry)
      return invalid("node {}: strategy {} has usage {}, too large", node, s, piece.usage[s]);
  }
  return {};
}

Result<void> validate_node(const CostNode& node, std::size_t index) {
  if (node.costs.empty()) return invalid("node {}: has no strategies", index);
  for (std::size_t s = 0; s < node.costs.size(); ++s) {
    if (out_of_range(node.costs[s]))
      return invalid("node {}: strategy {} has cost {}, too large", index, s, node.costs[s]);
  }
  for (const MemoryPiece& piece : node.memory) {
    AUTOSHARD_CHECK_OK(validate_piece(piece, index, node.costs.size()));
  }
  return {};
}

/// Usages are added in 64 bits: all nodes at their largest together must stay below 2^62.
Result<void> validate_total_usage(const CostGraph& graph) {
  Int128 total = 0;
  for (const CostNode& node : graph.nodes) {
    for (const MemoryPiece& piece : node.memory)
      total += *std::max_element(piece.usage.begin(), piece.usage.end());
  }
  if (total >= Int128{1} << 62)
    return invalid("graph '{}': the usages of all nodes together pass 2^62", graph.name);
  return {};
}

Result<void> validate_edge(const CostGraph& graph, std::size_t index) {
  const CostEdge& edge = graph.edges[index];
  for (const std::int32_t end : {edge.from, edge.to}) {
    if (end < 0 || static_cast<std::size_t>(end) >= graph.nodes.size()) {
      return invalid("edge {}: node {} is not in [0, {})", index, end, graph.nodes.size());
    }
  }
  if (edge.from == edge.to) return invalid("edge {}: joins node {} to itself", index, edge.from);
  if (!edge.costs) return invalid("edge {}: has no cost table", index);
  const std::size_t rows = graph.nodes[static_cast<std::size_t>(edge.from)].costs.size();
  const std::size_t columns = graph.nodes[static_cast<std::size_t>(edge.to)].costs.size();
  if (edge.costs->size() != rows * columns) {
    return invalid("edge {}: its table has {} entries, expected {} x {}", index, edge.costs->size(),
                   rows, columns);
  }
  for (std::size_t i = 0; i < edge.costs->size(); ++i) {
    if (out_of_range((*edge.costs)[i]))
      return invalid("edge {}: entry {} is {}, too large", index, i, (*edge.costs)[i]);
  }
  return {};
}

}  // namespace

Result<void> validate(const CostGraph& graph) {
  return internal::guarded([&]() -> Result<void> {
    if (graph.nodes.size() > INT32_MAX) return invalid("graph '{}': too many nodes", graph.name);
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
      AUTOSHARD_CHECK_OK(validate_node(graph.nodes[v], v));
    }
    AUTOSHARD_CHECK_OK(validate_total_usage(graph));
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      AUTOSHARD_CHECK_OK(validate_edge(graph, e));
    }
    if (graph.usage_limit && *graph.usage_limit < 0) {
      return invalid("usage_limit: is {}, expected at least 0", *graph.usage_limit);
    }
    return {};
  });
}

Result<void> SolveOptions::validate() const {
  if (!(time_limit_seconds > 0)) {
    return invalid("time_limit_seconds: is {}, expected more than 0", time_limit_seconds);
  }
  if (work_limit && *work_limit <= 0)
    return invalid("work_limit: is {}, expected more than 0", *work_limit);
  if (threads < 1) return invalid("threads: is {}, expected at least 1", threads);
  if (gap_target && !(*gap_target >= 0)) {
    return invalid("gap_target: is {}, expected at least 0", *gap_target);
  }
  return {};
}

}  // namespace autoshard
