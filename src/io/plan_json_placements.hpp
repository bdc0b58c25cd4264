// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads the lists of a plan's JSON that name tensors, operators and axes: copies, operators,
// regions, collective totals. It checks that they fit the graph and the mesh and each other, so
// that whoever runs the plan may index without looking. It does not check that the plan computes
// the right values; `verify` does.
#pragma once

#include "autoshard/plan.hpp"
#include "io/plan_json_cursor.hpp"

namespace autoshard::internal {

/// Fills `copies`, `operators`, `regions` and `collectives` of a plan whose mesh is known. All
/// three of the first are empty in a plan without an answer. Throws PlanJsonError.
void read_placements(const JsonCursor& top, const Graph& graph, IntraOpPlan& plan);

}  // namespace autoshard::internal
