// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators with the attribute `reducer` whose operands are inputs and then as many initial values:
// which of those matter when the result is partial.
#pragma once

#include <optional>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

/// Absent for a reducer that has no name.
std::optional<ReductionKind> reducer_of(const Operator& op);

/// Inputs come first, then their initial values.
std::size_t input_count(const Operator& op);

/// Initial values that are not the neutral `value` and would count once per device.
std::vector<std::int32_t> initial_values_unless(const Graph& graph, const Operator& op,
                                                double value);

/// What is partial together where a sum is: all inputs, and initial values that are not zero.
std::vector<std::int32_t> summed_operands(const Graph& graph, const Operator& op);

}  // namespace autoshard::internal
