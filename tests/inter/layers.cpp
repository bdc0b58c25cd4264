// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/layers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "autoshard/graph_io.hpp"
#include "strategy/fusion.hpp"
#include "support/models.hpp"

namespace autoshard {
namespace {

Graph load(const std::string& file) {
  Result<Graph> graph = load_graph(std::string(AUTOSHARD_TEST_DATA) + "/" + file);
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

Layering layers(const Graph& graph, const LayerOptions& options = {}) {
  Result<Layering> layering = make_layers(graph, options);
  if (!layering.ok()) FAIL(layering.error().message);
  return std::move(layering).value();
}

std::string error_of(const Graph& graph, const LayerOptions& options) {
  const Result<Layering> layering = make_layers(graph, options);
  return layering.ok() ? "no error" : layering.error().message;
}

Graph deep_mlp(int depth) {
  test::MlpModel model;
  model.widths.assign(static_cast<std::size_t>(depth) + 1, 8);
  model.bias = true;
  model.optimizer = test::Optimizer::adam;
  return test::mlp_step(model);
}

/// Each operator of main stands in one layer, in program order, and `layer_of` agrees.
void check_partition(const Graph& graph, const Layering& layering) {
  std::vector<int> seen(graph.operators().size(), 0);
  for (std::size_t k = 0; k < layering.layers.size(); ++k) {
    const auto& operators = layering.layers[k].operators;
    CHECK(std::is_sorted(operators.begin(), operators.end()));
    for (OperatorId id : operators) {
      ++seen[id.index()];
      CHECK(layering.layer_of[id.index()] == static_cast<std::int32_t>(k));
    }
  }
  for (OperatorId id : graph.main().operators) CHECK(seen[id.index()] == 1);
}

/// Forward values go up, gradients come down; what is made from constants is made anywhere.
void check_flow(const Graph& graph, const Layering& layering) {
  const std::vector<internal::Storage> storage = internal::classify_storage(graph);
  for (OperatorId id : graph.main().operators) {
    const Operator& op = graph[id];
    for (TensorId operand : op.operands) {
      const auto producer = graph[operand].producer;
      if (!producer || storage[operand.index()] == internal::Storage::free) continue;
      const std::int32_t from = layering.layer_of[producer->index()];
      const std::int32_t to = layering.layer_of[id.index()];
      CAPTURE(op.name);
      CAPTURE(graph[*producer].name);
      if (op.phase == Phase::forward) CHECK(from <= to);
      if (op.phase != Phase::backward) continue;
      if (graph[*producer].phase == Phase::backward) CHECK(from >= to);
      if (graph[*producer].phase == Phase::forward) CHECK(from <= to);
    }
  }
}

/// The first layer whose forward pass reads main's argument, in a loop's body too.
std::int32_t first_reader(const Graph& graph, const Layering& layering, TensorId argument) {
  std::int32_t first = static_cast<std::int32_t>(layering.layers.size());
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    if (op.phase != Phase::forward) continue;
    if (std::ranges::find(op.operands, argument) == op.operands.end()) continue;
    first = std::min(first, layering.layer_of[i]);
  }
  return first;
}

void check_updates(const Graph& graph, const Layering& layering) {
  for (const StatePair& pair : graph.state_pairs()) {
    if (graph[pair.input].role != Role::parameter) continue;
    const TensorId result = graph.main().results[static_cast<std::size_t>(pair.output)];
    CAPTURE(graph[pair.input].name);
    const std::int32_t home = first_reader(graph, layering, pair.input);
    CHECK(layering.layer_of[graph[result].producer->index()] == home);
  }
}

TEST_CASE("an MLP's layers are its repeated blocks, with backward pass and update") {
  const Graph graph = deep_mlp(6);
  const Layering layering = layers(graph);
  check_partition(graph, layering);
  check_flow(graph, layering);
  check_updates(graph, layering);
  CHECK(layering.repeated_blocks >= 5);
  CHECK(layering.layers.size() >= 6);
}

TEST_CASE("the gradient of a bias is computed with its layer") {
  const Graph graph = deep_mlp(4);
  const Layering layering = layers(graph);
  for (OperatorId id : graph.main().operators) {
    const Operator& op = graph[id];
    if (op.phase != Phase::backward || op.kind != "reduce") continue;
    for (OperatorId user : graph.main().operators) {
      const auto& operands = graph[user].operands;
      if (std::ranges::find(operands, op.results[0]) == operands.end()) continue;
      CHECK(layering.layer_of[id.index()] == layering.layer_of[user.index()]);
    }
  }
}

TEST_CASE("layers of imported training steps keep the direction of the flow") {
  for (const char* file : {"gpt2_tiny_loop.hlo.gz", "gpt2_tiny_scan.hlo.gz",
                           "bert_two_layers.hlo.gz", "mlp_wide.hlo.gz", "embedding.hlo.gz"}) {
    CAPTURE(file);
    const Graph graph = load(file);
    const Layering automatic = layers(graph);
    check_partition(graph, automatic);
    check_flow(graph, automatic);
    check_updates(graph, automatic);
    const Layering two = layers(graph, {2, {}});
    CHECK(two.layers.size() == 2);
    check_partition(graph, two);
    check_flow(graph, two);
  }
}

TEST_CASE("the blocks of a GPT are found, of equal work, and cut where only the residual flows") {
  Result<Graph> loaded =
      load_graph(std::string(AUTOSHARD_EXAMPLE_DATA) + "/gpt2_small_adam_loop.hlo.gz");
  REQUIRE(loaded.ok());
  const Graph& graph = *loaded;
  const Layering layering = layers(graph);
  check_partition(graph, layering);
  check_flow(graph, layering);
  CHECK(layering.repeated_blocks == 12);
  std::vector<double> work;
  for (const Layer& layer : layering.layers) work.push_back(layer.forward_flops);
  std::ranges::sort(work);
  const double block = work[work.size() / 2];
  CHECK(std::ranges::count(work, block) >= 12);
}

TEST_CASE("a given number of layers is kept, and blocks stay whole while there are enough") {
  const Graph graph = deep_mlp(8);
  const Layering all = layers(graph);
  const Layering four = layers(graph, {4, {}});
  REQUIRE(four.layers.size() == 4);
  double most = 0;
  for (const Layer& layer : four.layers) most = std::max(most, layer.forward_flops);
  double total = 0;
  for (const Layer& layer : all.layers) total += layer.forward_flops;
  CHECK(most <= 1.5 * total / 4);
  CHECK(layers(graph, {1, {}}).layers.size() == 1);
  CHECK(layers(graph, {20, {}}).layers.size() == 20);
}

TEST_CASE("given boundaries are kept") {
  const Graph graph = deep_mlp(4);
  std::vector<std::string> dots;
  for (OperatorId id : graph.main().operators) {
    const Operator& op = graph[id];
    if (op.phase == Phase::forward && op.kind == "dot_general") dots.push_back(op.name);
  }
  REQUIRE(dots.size() == 4);
  const Layering layering = layers(graph, {std::nullopt, {dots[0], dots[2]}});
  REQUIRE(layering.layers.size() == 3);
  check_partition(graph, layering);
  const auto layer_of_dot = [&](std::size_t i) {
    for (OperatorId id : graph.main().operators) {
      if (graph[id].name == dots[i]) return layering.layer_of[id.index()];
    }
    return -1;
  };
  CHECK(layer_of_dot(0) == 0);
  CHECK(layer_of_dot(1) == 1);
  CHECK(layer_of_dot(2) == 1);
  CHECK(layer_of_dot(3) == 2);
}

TEST_CASE("what cannot be cut is an error that names it") {
  const Graph graph = deep_mlp(2);
  CHECK(error_of(graph, {0, {}}) == "layers: 0 is less than 1");
  CHECK(error_of(graph, {1'000'000, {}}).find("1000000 layers: the forward pass has only") == 0);
  CHECK(error_of(graph, {std::nullopt, {"nobody"}}) ==
        "layer boundary 'nobody': no forward operator of main has that name");
  const std::string dot = [&] {
    for (OperatorId id : graph.main().operators) {
      if (graph[id].kind == "dot_general") return graph[id].name;
    }
    return std::string();
  }();
  CHECK(error_of(graph, {std::nullopt, {dot, dot}}) ==
        "layer boundary '" + dot + "': it does not stand after the one before");
  CHECK(error_of(graph, {2, {dot}}) == "layers: both a count and boundaries are given");
}

}  // namespace
}  // namespace autoshard
