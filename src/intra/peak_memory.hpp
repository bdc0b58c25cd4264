// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory of one device over the step, recomputed from a finished plan copy by copy. It shares with
// the cost graph what a live interval is, and nothing of how the graph was built.
#pragma once

#include <vector>

#include "autoshard/plan.hpp"
#include "intra/model.hpp"

namespace autoshard::internal {

/// What no assignment can avoid: at each time, the least usage of every node by itself.
struct LeastPeak {
  std::int64_t bytes = 0;
  std::int64_t time = 0;
};
LeastPeak least_peak(const CostGraph& costs);

/// Fills `peak_bytes`, `peak_at`, `argument_bytes`.
void account_memory(const Graph& graph, const IntraModel& model,
                    const std::vector<Storage>& storage, IntraOpPlan& plan);

}  // namespace autoshard::internal
