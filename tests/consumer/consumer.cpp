// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A stranger's program: two nodes with two strategies each, whose cheapest pair costs 8.
#include <cstdio>
#include <memory>
#include <vector>

#include "autoshard/solve.hpp"

int main() {
  autoshard::CostGraph graph;
  graph.nodes = {{{1, 5}, {}}, {{7, 3}, {}}};
  const std::vector<std::int64_t> costs = {0, 9, 2, 1};
  graph.edges = {{0, 1, std::make_shared<const std::vector<std::int64_t>>(costs)}};

  const auto result = autoshard::solve(graph);
  if (!result.ok() || !result->cost) {
    std::printf("no answer\n");
    return 1;
  }
  std::printf("cost %s\n", autoshard::to_string(*result->cost).c_str());
  return *result->cost == 8 ? 0 : 1;
}
