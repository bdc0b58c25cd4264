// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "autoshard/graph_io.hpp"
#include "io/read_file.hpp"

namespace autoshard::test {

std::string hlo_entry(std::string_view instructions) { return hlo_module("", instructions); }

std::string hlo_module(std::string_view computations, std::string_view instructions) {
  std::string text = "HloModule test\n\n";
  text += computations;
  text += "\nENTRY main {\n";
  text += instructions;
  text += "\n}\n";
  return text;
}

Graph parsed_hlo(std::string_view text) {
  Result<Graph> graph = parse_hlo(text);
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

std::string hlo_mistake(std::string_view text) {
  const Result<Graph> graph = parse_hlo(text);
  return graph.ok() ? std::string() : graph.error().message;
}

std::string hlo_data(const std::string& name) {
  Result<std::string> text =
      internal::read_text_file(std::string(AUTOSHARD_TEST_DATA) + "/" + name + ".hlo.gz");
  if (!text.ok()) FAIL(text.error().message);
  return std::move(text).value();
}

const Operator& operator_named(const Graph& graph, std::string_view name) {
  for (const Operator& candidate : graph.operators()) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no operator is named " + std::string(name));
}

std::vector<std::string> names_of(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::vector<std::string> result;
  for (const TensorId tensor : tensors) result.push_back(graph[tensor].name);
  return result;
}

std::size_t count_kind(const Graph& graph, std::string_view kind) {
  const auto is_kind = [kind](const Operator& candidate) { return candidate.kind == kind; };
  return static_cast<std::size_t>(
      std::count_if(graph.operators().begin(), graph.operators().end(), is_kind));
}

}  // namespace autoshard::test
