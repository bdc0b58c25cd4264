// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the computation of a reduce, scatter or select-and-scatter does to two values, as
// docs/graph.md names it.
#pragma once

#include <string_view>

#include "io/hlo_module.hpp"

namespace autoshard::internal {

/// "sum", "product", "max", "min", "and", "or", "assign" (the second value wins), or "custom".
std::string_view recognise_hlo_reducer(const HloModule& module, const HloComputation& computation);

/// Which of two values a select-and-scatter keeps: "max" or "min" when it asks whether the first is
/// at least or at most the second, else "custom".
std::string_view recognise_hlo_selector(const HloComputation& computation);

}  // namespace autoshard::internal
