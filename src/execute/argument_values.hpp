// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random but harmless values for the arguments of a graph.
#pragma once

#include <cstdint>

#include "autoshard/graph.hpp"
#include "execute/piece_call.hpp"

namespace autoshard::internal {

/// One value per argument of main. Floats are in [-1, 1), those of optimizer state in [0.1, 1)
/// because it holds squares that a step takes the root of; a scalar of optimizer state is a step
/// counter and is 1; integers are small enough to index everything that the graph gathers from.
Values argument_values(const Graph& graph, std::uint64_t seed);

}  // namespace autoshard::internal
