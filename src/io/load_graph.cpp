// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "autoshard/graph_io.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/read_file.hpp"

namespace autoshard {
namespace {

Result<Graph> parse_by_content(std::string_view text) {
  // The readers get the whole text, so that their lines are those of the file.
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (text.substr(first).starts_with('{')) return parse_graph_json(text);
  if (text.substr(first).starts_with("HloModule")) return parse_hlo(text);
  return internal::invalid("neither graph JSON nor HLO text");
}

}  // namespace

Result<Graph> load_graph(const std::string& path) {
  return internal::guarded([&path]() -> Result<Graph> {
    AUTOSHARD_TRY(const std::string text, internal::read_text_file(path));
    auto graph = parse_by_content(text);
    if (graph.ok()) return graph;
    return Error{graph.error().code, path + ": " + graph.error().message};
  });
}

}  // namespace autoshard
