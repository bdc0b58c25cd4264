// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A solver's assignment -> the copies and placements of a plan.
#pragma once

#include <span>

#include "autoshard/plan.hpp"
#include "intra/model.hpp"
#include "intra/resharding_tables.hpp"

namespace autoshard::internal {

struct PlanSources {
  const Graph* graph = nullptr;
  const IntraModel* model = nullptr;
  const SpecTable* specs = nullptr;
  ReshardingTables* tables = nullptr;
  /// Users that want a tensor in the same form share one copy, which lives from the first to the
  /// last of them. Otherwise each makes its own, as the cost graph has it: dearer, and gone sooner.
  bool share_conversions = true;
};

/// Fills `copies`, `operators` and `regions`. Errors: internal ones only.
Result<void> read_plan(const PlanSources& sources, std::span<const std::int32_t> assignment,
                       IntraOpPlan& plan);

/// Fills the sums of seconds and the totals by kind and axes.
void add_totals(const Graph& graph, const CostModel& prices, IntraOpPlan& plan);

}  // namespace autoshard::internal
