// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Recognises the comparator of a sort: by which operands it orders, and in which direction.
#pragma once

#include <cstdint>
#include <optional>

#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloOrder {
  std::int64_t keys = 1;  ///< the first operands, lexicographic
  bool descending = false;
};

/// Absent for a comparator that is none of these.
std::optional<HloOrder> recognise_hlo_comparator(const HloComputation& computation);

}  // namespace autoshard::internal
