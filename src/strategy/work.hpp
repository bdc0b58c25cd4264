// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// How much one device computes and how many bytes it touches for an operator under one
// assignment. Counts only; a CostModel turns them into seconds.
#pragma once

#include "autoshard/cost_model.hpp"
#include "strategy/enumerate.hpp"
#include "strategy/fusion.hpp"

namespace autoshard::internal {

struct WorkContext {
  const Graph* graph = nullptr;
  const std::vector<Storage>* storage = nullptr;
};

OperatorWork work_of(const WorkContext& context, const Operator& op, const ShardingRule& rule,
                     const Assignment& assignment);

/// What a device holds of an argument of the graph.
OperatorWork argument_work(const Tensor& argument, const ShardingSpec& spec);

}  // namespace autoshard::internal
