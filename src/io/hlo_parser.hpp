// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HLO text to HloModule, in one pass. It checks what the text alone can tell: syntax, names that
// are defined before their use and once, element types, sizes. It does not check operators.
#pragma once

#include <string_view>

#include "autoshard/error.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

/// The module views `text`.
Result<HloModule> parse_hlo_module(std::string_view text);

}  // namespace autoshard::internal
