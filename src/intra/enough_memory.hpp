// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// How little memory would do, for a caller whose limit cannot be met. A search for any answer under
// lower and lower limits; what it finds is enough, not proven to be the least.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "autoshard/solve.hpp"

namespace autoshard::internal {

/// The assignment with the lowest peak that was found; nothing when there was none in time.
std::optional<std::vector<std::int32_t>> find_small_assignment(CostGraph costs,
                                                               std::int64_t refused_limit,
                                                               SolveOptions options);

}  // namespace autoshard::internal
