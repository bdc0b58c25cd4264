// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Cuts a chain of units into pieces: no piece much heavier than its share, least traffic over the
// cuts, and of equal traffic the most even work. Numbers only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace autoshard::internal {

struct UnitChain {
  std::vector<double> work;             ///< per unit, >= 0
  std::vector<std::int64_t> cut_bytes;  ///< [i]: over a cut before unit i; at least one per unit
};

/// Where each piece ends (exclusive), ascending; the last one is the number of units. Every piece
/// has a unit, so 1 <= pieces <= units. A piece may weigh 1.5 times its share, as in Alpa
/// (OSDI 2022, section 5.2), or twice that where units are too coarse for it, and so on.
std::vector<std::size_t> balanced_cuts(const UnitChain& chain, std::size_t pieces);

}  // namespace autoshard::internal
