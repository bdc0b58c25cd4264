// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/problem_p.hpp"

namespace autoshard::test {
namespace {

CostNode node(std::int64_t computation, std::int64_t communication, Costs memory,
              MemoryPiece live) {
  CostNode made;
  for (std::int64_t s = 0; s < static_cast<std::int64_t>(memory.size()); ++s) {
    made.costs.push_back(computation + s + communication + 10 * s);
  }
  live.usage = std::move(memory);
  made.memory.push_back(std::move(live));
  return made;
}

}  // namespace

CostTable table_of(Costs costs) { return std::make_shared<const Costs>(std::move(costs)); }

Costs resharding(std::int64_t base, std::int64_t rows, std::int64_t columns) {
  Costs costs;
  for (std::int64_t i = 0; i < rows * columns; ++i)
    costs.push_back(base + 1000 * (i / columns) + 100 * (i % columns));
  return costs;
}

Costs same_index(std::size_t rows, std::size_t columns) {
  Costs costs(rows * columns, kForbidden);
  for (std::size_t i = 0; i < rows && i < columns; ++i) costs[i * columns + i] = 0;
  return costs;
}

CostGraph problem_p() {
  CostGraph graph;
  graph.name = "P";
  graph.usage_limit = 1'500'000;
  // The closed intervals [0, 4], [2, 3] and [3, 4] of the source, half-open here.
  graph.nodes.push_back(node(10, 100, {100'000, 110'000, 990'000, 130'000}, {0, 5, {}}));
  graph.nodes.push_back(node(20, 200, {200'000, 210'000, 220'000}, {0, 5, {}}));
  graph.nodes.push_back(node(30, 300, {300'000, 310'000, 320'000, 330'000}, {2, 4, {}}));
  graph.nodes.push_back(node(40, 400, {400'000, 410'000, 420'000, 430'000}, {3, 5, {}}));
  graph.nodes.push_back(node(50, 500, {500'000, 510'000, 520'000}, {0, 0, {}}));
  graph.edges.push_back({0, 2, table_of(resharding(1000, 4, 4))});
  graph.edges.push_back({1, 2, table_of(resharding(5000, 3, 4))});
  graph.edges.push_back({2, 3, table_of(same_index(4, 4))});
  graph.edges.push_back({1, 4, table_of(same_index(3, 3))});
  return graph;
}

CostGraph problem_p_departures() {
  CostGraph graph = problem_p();
  for (CostNode& changed : graph.nodes) {
    changed.costs.assign(changed.costs.size(), 1);
    changed.costs[1] = 0;
  }
  graph.edges.resize(4);
  graph.edges[0].costs = table_of(Costs(16, 0));
  graph.edges[1].costs = table_of(Costs(12, 0));
  return graph;
}

}  // namespace autoshard::test
