// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the computation of a reduce or scatter does to two values, as docs/graph.md names it.
#pragma once

#include <string_view>

#include "io/hlo_module.hpp"

namespace autoshard::internal {

/// "sum", "product", "max", "min", "and", "or", "assign" (the second value wins), or "custom".
std::string_view recognise_hlo_reducer(const HloModule& module, const HloComputation& computation);

}  // namespace autoshard::internal
