// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Elimination of nodes that hold no memory and have at most two neighbours: the node's best
// choice becomes a function of theirs.
#include <algorithm>

#include "solver/simplify.hpp"

namespace autoshard::internal {
namespace {

using Costs = std::vector<std::int64_t>;

// A new table may be this many times larger than the two that it replaces; beyond that the graph
// would grow instead of shrink.
constexpr std::size_t kMaxGrowth = 2;

struct Choice {
  std::int64_t cost = kForbidden;
  std::size_t strategy = 0;
};

void consider(Choice& best, std::int64_t cost, std::size_t strategy) {
  if (cost < best.cost) best = {cost, strategy};
}

void eliminate_isolated(WorkingGraph& graph, std::int32_t v) {
  const Costs& costs = graph.node(v).costs;
  const auto best =
      static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  graph.constant += costs[best];
  Extension extension = depends_on(graph, v, {});
  extension.choice[0] = graph.node(v).labels[best];
  graph.remove_node(v, std::move(extension));
}

void eliminate_leaf(WorkingGraph& graph, std::int32_t v) {
  const std::int32_t e = graph.node(v).edges[0], u = graph.other_end(e, v);
  const TableView table = graph.view(e, u);
  Costs added(table.rows);
  Extension extension = depends_on(graph, v, {u});
  for (std::size_t i = 0; i < table.rows; ++i) {
    Choice best;
    for (std::size_t s = 0; s < table.columns; ++s)
      consider(best, add_cost(table.at(i, s), graph.node(v).costs[s]), s);
    added[i] = best.cost;
    extension.choice[static_cast<std::size_t>(graph.node(u).labels[i])] =
        graph.node(v).labels[best.strategy];
  }
  graph.remove_node(v, std::move(extension));
  graph.add_costs(u, added);
}

void eliminate_between(WorkingGraph& graph, std::int32_t v) {
  const std::int32_t e = graph.node(v).edges[0], f = graph.node(v).edges[1];
  const std::int32_t u = graph.other_end(e, v), w = graph.other_end(f, v);
  const TableView left = graph.view(e, u), right = graph.view(f, w);
  Costs table(left.rows * right.rows);
  graph.work += table.size() * left.columns;
  Extension extension = depends_on(graph, v, {u, w});
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t row = i / right.rows, column = i % right.rows;
    Choice best;
    for (std::size_t s = 0; s < left.columns; ++s) {
      consider(best,
               add_cost(add_cost(left.at(row, s), right.at(column, s)), graph.node(v).costs[s]), s);
    }
    table[i] = best.cost;
    const auto label_u = static_cast<std::size_t>(graph.node(u).labels[row]);
    const auto label_w = static_cast<std::size_t>(graph.node(w).labels[column]);
    extension.choice[label_u * extension.columns + label_w] = graph.node(v).labels[best.strategy];
  }
  graph.remove_node(v, std::move(extension));
  graph.add_table(u, w, std::move(table));
}

bool grows(const WorkingGraph& graph, std::int32_t v) {
  const WorkingNode& node = graph.node(v);
  const std::size_t rows = graph.strategies(graph.other_end(node.edges[0], v));
  const std::size_t columns = graph.strategies(graph.other_end(node.edges[1], v));
  return rows * columns > kMaxGrowth * node.costs.size() * (rows + columns);
}

}  // namespace

bool eliminate_small_degree(WorkingGraph& graph, std::int32_t v) {
  const WorkingNode& node = graph.node(v);
  if (!node.memory.empty() || node.edges.size() > 2) return false;
  if (node.edges.size() == 2 && grows(graph, v)) return false;
  if (node.edges.empty()) {
    eliminate_isolated(graph, v);
  } else if (node.edges.size() == 1) {
    eliminate_leaf(graph, v);
  } else {
    eliminate_between(graph, v);
  }
  return true;
}

}  // namespace autoshard::internal
