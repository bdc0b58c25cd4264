// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// JSON text to a document, with the strictness that graph files need: a limit on nesting, and no
// key twice in one object. What the document means is not decided here.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "autoshard/error.hpp"

namespace autoshard::internal {

/// Errors give the line and column, or name the key.
Result<nlohmann::json> parse_json_text(std::string_view text);

}  // namespace autoshard::internal
