// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// IntraModel -> CostGraph: seconds become integer picoseconds per step, links become tables.
#pragma once

#include "autoshard/cost_graph.hpp"
#include "autoshard/intra_op.hpp"
#include "intra/model.hpp"
#include "intra/resharding_tables.hpp"

namespace autoshard::internal {

/// Errors: a pinned spec that the tensor cannot have (names the tensor).
Result<CostGraph> to_cost_graph(const Graph& graph, IntraModel& model, ReshardingTables& tables,
                                const SpecTable& specs, const IntraOpOptions& options);

}  // namespace autoshard::internal
