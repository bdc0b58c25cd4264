// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small random cost graphs with every feature a graph may have, and the best answer by brute force.
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "autoshard/cost_graph.hpp"

namespace autoshard::test {

struct RandomGraphOptions {
  std::int64_t max_assignments = 20'000;
  int max_nodes = 9;
  int max_strategies = 5;
  bool memory = true;
  bool forbidden = true;
};

CostGraph random_cost_graph(std::uint64_t seed, const RandomGraphOptions& options = {});

struct BestAnswer {
  Int128 cost = 0;
  std::vector<std::int32_t> assignment;
};

/// By trying every assignment with the referee; nothing when none is legal.
std::optional<BestAnswer> best_by_brute_force(const CostGraph& graph);

}  // namespace autoshard::test
