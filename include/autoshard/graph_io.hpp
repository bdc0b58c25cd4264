// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs from and to text. Every reader validates at the door. Files ending in anything may be
// gzip-compressed; the content decides. docs/graph.md describes the JSON format.
#pragma once

#include <string>
#include <string_view>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"

namespace autoshard {

/// HLO text as XLA dumps it (`%add.1 = f32[8]{0} add(%a, %b), metadata=...`) and as JAX prints it.
Result<Graph> parse_hlo(std::string_view text);

Result<Graph> parse_graph_json(std::string_view text);
std::string write_graph_json(const Graph& graph);

/// Reads a file, plain or .gz, and tells HLO text from JSON by its first character.
Result<Graph> load_graph(const std::string& path);

}  // namespace autoshard
