// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whole dumps: that they are read, and that what is in the model is in the graph.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "autoshard/graph_io.hpp"
#include "io/hlo_text.hpp"
#include "io/read_file.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

std::size_t count_role(const Graph& graph, Role role) {
  const auto& arguments = graph.main().arguments;
  return static_cast<std::size_t>(std::count_if(
      arguments.begin(), arguments.end(), [&](TensorId id) { return graph[id].role == role; }));
}

std::size_t count_phase(const Graph& graph, Phase phase) {
  const auto operators = graph.operators();
  return static_cast<std::size_t>(std::count_if(
      operators.begin(), operators.end(), [&](const Operator& op) { return op.phase == phase; }));
}

Graph example(const std::string& name) {
  const auto text = internal::read_text_file(std::string(AUTOSHARD_TEST_DATA) +
                                             "/../../examples/data/" + name + ".hlo.gz");
  if (!text.ok()) FAIL(text.error().message);
  return parsed_hlo(*text);
}

}  // namespace

TEST_CASE("GPT-2 with its layers in a row has its parameters, states and products") {
  const Graph graph = example("gpt2_small_adam_loop");
  // 12 in each of 12 layers, two embeddings, the last normalisation.
  CHECK(count_role(graph, Role::parameter) == 148);
  CHECK(count_role(graph, Role::optimizer_state) == 2 * 148 + 1);
  CHECK(count_role(graph, Role::input) == 2);
  CHECK(graph.state_pairs().size() == 3 * 148 + 1);
  CHECK(graph.main().results.size() == 3 * 148 + 2);
  // 6 in each layer and the logits; a backward pass has two for each.
  CHECK(count_kind(graph, "dot_general") == 3 * (6 * 12 + 1));
  CHECK(count_kind(graph, "gather") == 1);
  CHECK(count_kind(graph, "scatter") == 1);
  CHECK(count_kind(graph, "sqrt") == 148);
  CHECK(graph.regions().size() == 1);
  CHECK(graph.warnings().empty());
}

TEST_CASE("GPT-2 as a scan has two loops of twelve iterations") {
  const Graph graph = example("gpt2_small_adam_scan");
  CHECK(count_role(graph, Role::parameter) == 16);
  CHECK(graph.state_pairs().size() == 3 * 16 + 1);
  CHECK(count_kind(graph, "dot_general") == 3 * (6 + 1));
  REQUIRE(count_kind(graph, "while") == 2);
  for (const Operator& op : graph.operators()) {
    if (op.kind == "while") CHECK(op.integer("trip_count") == 12);
  }
  CHECK(graph.warnings().empty());
}

TEST_CASE("the layers of GPT-2 in a row are in three phases") {
  const Graph graph = example("gpt2_small_adam_loop");
  CHECK(count_phase(graph, Phase::forward) > 1000);
  CHECK(count_phase(graph, Phase::backward) > 1000);
  // Adam takes at least ten operators for each parameter.
  CHECK(count_phase(graph, Phase::update) > 10 * 148);
}

TEST_CASE("the test models have their parameters and products") {
  struct Row {
    const char* name;
    std::size_t parameters, products;
  };
  // The input of the first layer needs no gradient.
  for (const Row& row : {Row{"mlp", 12, 3 * 6 - 1},
                         {"mlp_wide", 12, 3 * 6 - 1},
                         {"bert_layer", 12, 3 * 6 - 1},
                         {"bert_two_layers", 24, 3 * 12 - 1},
                         {"bert_long", 24, 3 * 12 - 1},
                         {"embedding", 1, 3},
                         {"convolutions", 7, 3},
                         {"gpt2_tiny_loop", 28, 3 * 13},
                         {"gpt2_tiny_scan", 16, 3 * 7}}) {
    CAPTURE(row.name);
    const Graph graph = parsed_hlo(hlo_data(row.name));
    CHECK(count_role(graph, Role::parameter) == row.parameters);
    CHECK(count_role(graph, Role::optimizer_state) == 2 * row.parameters + 1);
    CHECK(count_kind(graph, "dot_general") == row.products);
    CHECK(graph.warnings().empty());
  }
}

TEST_CASE("a module that XLA has compiled is read through its fusions") {
  const Graph graph = parsed_hlo(hlo_data("many_constructs_optimized"));
  CHECK(graph.main().arguments.size() == 2);
  CHECK(graph.main().results.size() == 3);
  CHECK(operator_named(graph, "while.27").integer("trip_count") == 3);
  CHECK(count_kind(graph, "sort") == 1);
  CHECK(count_kind(graph, "case") == 1);
  CHECK(count_kind(graph, "fusion") == 0);
}
