// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds a good order to eliminate the nodes of a region: always the node whose table would be the
// smallest. When even that is too large, a node of high degree is frozen (left out).
#pragma once

#include <vector>

#include "solver/core.hpp"

namespace autoshard::internal {

struct EliminationLimits {
  std::size_t table_entries = 1'000'000;  ///< of the largest table, the eliminated node included
  std::size_t total_entries = 10'000'000;
  bool may_freeze = true;  ///< nodes may be left out (kept as they are) to respect the limits
};

struct EliminationOrder {
  bool feasible = true;             ///< false: the limits cannot be met and freezing is not allowed
  std::vector<std::int32_t> nodes;  ///< core nodes, first eliminated first
  std::vector<std::vector<std::int32_t>> scopes;  ///< neighbours left when the node goes
  std::size_t work = 0;                           ///< entries over all tables
};

EliminationOrder find_order(const Core& core, const std::vector<std::int32_t>& region,
                            const EliminationLimits& limits);

}  // namespace autoshard::internal
