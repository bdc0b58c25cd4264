// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Objectives that Alpa's tests publish for two BERT layers (tests/shard_parallel/test_bert.py), to
// the last digit, on the layers as JAX lowers them. What their formulas leave out is said at each.
// P is as in alpa_facts.cpp. Our steps also return the loss, which Alpa's drop: where the batch is
// split, that is one more all-reduce of four bytes.
#include <algorithm>

#include "autoshard/graph_io.hpp"
#include "intra/alpa.hpp"

namespace autoshard::test {
namespace {

constexpr std::int64_t kLayers = 2;

Graph load(const char* name) {
  Result<Graph> graph = load_graph(std::string(AUTOSHARD_TEST_DATA "/") + name);
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

std::string parameter(std::int64_t layer, const char* name, const char* tree = "params_") {
  return tree + std::to_string(layer) + "___" + name + "__.1";
}

/// A parameter and its moments.
void pin_leaves(AlpaCase& step, std::int64_t layer, const char* name, const std::string& spec) {
  for (const char* tree : {"params_", "mu_", "nu_"}) {
    step.pin_argument(parameter(layer, name, tree), spec);
  }
}

/// A mesh whose devices all lie on the axis of this number: (4, 1) or (1, 4).
std::vector<AlpaAxis> line_of_four(std::size_t axis) {
  std::vector<AlpaAxis> axes(2);
  axes[axis].size = 4;
  return axes;
}

/// Megatron's splits over one axis, as text with "m" for its name: heads of the attention, columns
/// of the first and rows of the second product of the feed-forward part.
struct MegatronSplit {
  const char* name;
  const char* spec;
};
constexpr MegatronSplit kMegatron[] = {{"qkv_kernel", R"([{}, {}, {"m"}, {}])"},
                                       {"qkv_bias", R"([{}, {"m"}, {}])"},
                                       {"out_kernel", R"([{"m"}, {}, {}])"},
                                       {"up_kernel", R"([{}, {"m"}])"},
                                       {"up_bias", R"([{"m"}])"},
                                       {"down_kernel", R"([{"m"}, {}])"}};

/// Per tensor: made of constants alone, so that it lies wherever it is wanted.
std::vector<bool> made_of_constants(const Graph& graph) {
  std::vector<bool> constant(graph.tensors().size(), false);
  for (const Operator& op : graph.operators()) {
    const bool all = std::ranges::all_of(
        op.operands, [&](TensorId operand) { return constant[operand.index()]; });
    for (const TensorId result : op.results) constant[result.index()] = all;
  }
  return constant;
}

/// Activations and their gradients are whole over the second axis, but for the products that end an
/// attention or feed-forward part, in either direction: they leave sums over it.
void pin_activations(AlpaCase& step) {
  const std::vector<bool> constant = made_of_constants(step.graph());
  for (const Operator& op : step.graph().operators()) {
    const bool activation =
        step.graph()[op.results[0]].type.shape == std::vector<std::int64_t>{8, 8, 128};
    if (!activation || constant[op.results[0].index()]) continue;
    const bool product = op.kind == "dot_general";
    step.pin(op.results[0],
             product ? R"([{"a"}, {}, {}] partial={"b":sum})" : R"([{"a"}, {}, {}])");
  }
}

std::string with_axis(std::string spec, char axis) {
  spec[spec.find('m')] = axis;
  return spec;
}

}  // namespace

TEST_CASE("Alpa's data-parallel BERT layers cost 152691.24, and the loss") {
  for (const std::size_t axis : {0, 1}) {
    const AlpaCase step(load("bert_long.hlo.gz"), line_of_four(axis));
    const IntraOpPlan plan = step.solve();
    // The formula has P = 3 for all 73 leaves: 24 parameters, 48 moments, the step counter.
    CHECK(step.replicated_leaves(plan) == 73);
    check_cost(plan, 152691.24 + step.model().all_reduce(4, axis));
  }
}

TEST_CASE("Alpa's model-parallel BERT layers cost 344071.07, and P for what stays whole") {
  for (const std::size_t axis : {0, 1}) {
    const AlpaCase step(load("bert_two_layers.hlo.gz"), line_of_four(axis));
    const IntraOpPlan plan = step.solve();
    for (std::int64_t layer = 0; layer < kLayers; ++layer) {
      for (const auto& [name, spec] : kMegatron) {
        CHECK(step.split(plan, parameter(layer, name)) == with_axis(spec, axis == 0 ? 'a' : 'b'));
      }
    }
    // Two activations in each layer, and as many gradients but that of the input, of 32768 bytes.
    // Whole: in each layer two biases and two normalisations, 6 tensors, with their moments, and
    // the step counter. The loss is whole as well.
    CHECK(step.replicated_leaves(plan) == kLayers * 6 * 3 + 1);
    check_cost(plan, 7 * step.model().all_reduce(32768, axis) + 3 * 37);
    check_cost(plan, 344071.07 + 3 * 37);
  }
}

TEST_CASE("Alpa's two-dimensional BERT layers cost 804619.11, and what gathers halved vectors") {
  // Alpa forces the batch onto the first axis of such a mesh: nothing is gathered over it.
  AlpaCase step(load("bert_two_layers.hlo.gz"),
                {{.size = 2, .alpha = 2, .gathers = false}, {.size = 2, .alpha = 2, .beta = 0.1}});
  step.pin_argument("inputs.1", R"([{"a"}, {}, {}])");
  step.pin_argument("targets.1", R"([{"a"}, {}, {}])");
  for (std::int64_t layer = 0; layer < kLayers; ++layer) {
    for (const auto& [name, spec] : kMegatron) {
      pin_leaves(step, layer, name, with_axis(spec, 'b'));
    }
    for (const char* name :
         {"out_bias", "down_bias", "ln1_scale", "ln1_bias", "ln2_scale", "ln2_bias"}) {
      pin_leaves(step, layer, name, R"([{"b"}])");
    }
  }
  pin_activations(step);
  const AlpaCostModel& model = step.model();
  const IntraOpPlan plan = step.solve();
  // The formula sums halves of all gradients, also of the twelve vectors that each device uses
  // whole. They are then kept in halves and gathered for use. P is 5, for the step counter.
  CHECK(step.replicated_leaves(plan) == 1);
  check_cost(plan, 804619.11 + 12 * model.all_gather(512, 1) + 5 + model.all_reduce(4, 0));
}

}  // namespace autoshard::test
