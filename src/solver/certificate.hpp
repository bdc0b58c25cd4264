// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Turns a state of the dual into a proof. Messages and prices are rounded to whole multiples of
// 1 / scale and the sum of minima of the reparametrised costs is evaluated in integers: any
// rounding gives a true bound, so floating-point error in the dual cannot make a false one.
#pragma once

#include <vector>

#include "solver/dual.hpp"

namespace autoshard::internal {

struct Certificate {
  Int128 bound = 0;  ///< on the core cost; costs are whole, so it is rounded up
  Int128 scaled_bound = 0;
  std::int64_t scale = 1;
  /// By core.first: any assignment with this strategy costs at least scaled_bound + reduced,
  /// scaled.
  std::vector<std::int64_t> reduced;
};

Certificate certify(const Core& core, const Dual& dual);

}  // namespace autoshard::internal
