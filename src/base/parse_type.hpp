// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The inverse of to_string(TensorType). Reads the plain form "f32[8,1024]" only: layouts, tuples
// and dynamic dimensions are the business of the HLO reader.
#pragma once

#include <optional>
#include <string_view>

#include "autoshard/types.hpp"

namespace autoshard::internal {

/// Absent unless the whole text is a known dtype followed by a list of sizes in brackets.
std::optional<TensorType> parse_type(std::string_view text);

}  // namespace autoshard::internal
