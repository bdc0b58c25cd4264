// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Given the layer of each forward operator, the layer of all others: the backward pass of a layer
// and the update of its parameters stand with it.
//
//   backward  the latest layer that has all it reads: a forward value reaches the last layer that
//             reads it in the forward pass, a gradient comes down from the layer that made it. An
//             operator that reads gradients alone, which its users' layer gets anyway, goes there.
//   update    the layer that reads the parameter first; what serves several, the first of them
//   others    constants and the like: where they are read
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

/// Per operator of the graph. `given`, per operator: the layers of main's forward operators,
/// growing in program order; absent for others and for what is made from constants.
std::vector<std::int32_t> layers_of_all(const Graph& graph,
                                        std::vector<std::optional<std::int32_t>> given);

}  // namespace autoshard::internal
