// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads problems in the JSON format of the public contest on intra-operator planning (IOPDDL).
// Half-open intervals; an empty interval means no memory. It does not solve and does not write.
#pragma once

#include <string>
#include <string_view>

#include "autoshard/cost_graph.hpp"

namespace autoshard::internal {

struct IopddlOptions {
  /// Entries of exactly 10^18 stand for "forbidden". True: they are paid like any other cost.
  bool literal_infinity = false;
};

/// Errors name the node or edge, or the byte at which the text stops making sense.
Result<CostGraph> parse_iopddl(std::string_view text, const IopddlOptions& options = {});

/// The same for a file, plain or gzip; errors also name the file.
Result<CostGraph> load_iopddl(const std::string& path, const IopddlOptions& options = {});

}  // namespace autoshard::internal
