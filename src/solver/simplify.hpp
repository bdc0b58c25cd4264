// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Makes a cost graph small without losing any best answer: each rule keeps at least one optimal
// assignment and every rule is undone by WorkingGraph::extend. It does not search.
#pragma once

#include "solver/budget.hpp"
#include "solver/working_graph.hpp"

namespace autoshard::internal {

/// Applies all rules to a fixpoint, or until the budget is spent (the graph is then still sound).
WorkingGraph simplify(const CostGraph& graph, Budget& budget);

// The rules. Each looks at one node and says whether it changed the graph.

/// Drops strategies that are forbidden, or that some edge gives no partner.
bool drop_unsupported(WorkingGraph& graph, std::int32_t v);
/// Folds edges with costs f(u) + g(v) into their ends.
bool fold_separable(WorkingGraph& graph, std::int32_t v);
/// Absorbs a neighbour that each strategy of v ties to a single one of its own.
bool contract_hard_edges(WorkingGraph& graph, std::int32_t v);
/// Drops strategies that another one replaces at no more cost and no more memory.
bool drop_dominated(WorkingGraph& graph, std::int32_t v);
/// Eliminates a node without memory and with at most two neighbours.
bool eliminate_small_degree(WorkingGraph& graph, std::int32_t v);

// Memory over time.

/// Fills capacity and the memory of the nodes that are alive, after the first contractions.
void place_memory(WorkingGraph& graph, const CostGraph& given);
/// Drops strategies that need more than the capacity, and times at which memory cannot bind or
/// binds no more than at a neighbouring time.
bool compress_time(WorkingGraph& graph);

}  // namespace autoshard::internal
