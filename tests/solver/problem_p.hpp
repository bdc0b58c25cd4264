// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The five-node base problem of XLA's auto-sharding solver tests, built from its definition:
// computation plus communication costs, resharding tables, live intervals, a follower (node 3
// follows node 2) and an alias (nodes 1 and 4 take the same index).
#pragma once

#include "autoshard/cost_graph.hpp"

namespace autoshard::test {

using Costs = std::vector<std::int64_t>;

CostTable table_of(Costs costs);

/// rows x columns entries base + 1000 * row + 100 * column.
Costs resharding(std::int64_t base, std::int64_t rows, std::int64_t columns);

/// Zero on the diagonal, forbidden elsewhere.
Costs same_index(std::size_t rows, std::size_t columns);

CostGraph problem_p();

/// The objective's departures instead of its costs: 1 for each strategy but the second.
CostGraph problem_p_departures();

}  // namespace autoshard::test
