// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether a plan can be run at all: every id in range, every copy of the right tensor and made by
// somebody, every spec fit for its tensor and mesh. It does not ask whether the plan computes the
// right values; running it does.
#pragma once

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"
#include "autoshard/plan.hpp"

namespace autoshard::internal {

/// Errors name the operator or the tensor.
Result<void> check_plan(const Graph& graph, const IntraOpPlan& plan);

}  // namespace autoshard::internal
