// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The cheapest conversion between specs of whole axes by Bellman-Ford over all that can be
// reached. Moves are found by what collectives mean: which rows a device holds before and after.
// It shares nothing with the library's search but the prices.
#pragma once

#include <map>
#include <vector>

#include "autoshard/cost_model.hpp"
#include "autoshard/target.hpp"

namespace autoshard::test {

struct ConversionProblem {
  const DeviceMesh* mesh = nullptr;
  const Target* target = nullptr;
  const CostModel* model = nullptr;
  TensorType type;
};

struct Move {
  Collective by;
  ShardingSpec to;
};

/// All moves by one collective.
std::vector<Move> moves_from(const ConversionProblem& problem, const ShardingSpec& from);

/// Seconds of the cheapest path to every spec that can be reached.
std::map<ShardingSpec, double> cheapest_conversions(const ConversionProblem& problem,
                                                    const ShardingSpec& from);

}  // namespace autoshard::test
