// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>

#include "autoshard/graph_builder.hpp"
#include "cost/resharding.hpp"
#include "sharding/derive_rule.hpp"
#include "strategy/strategy_table.hpp"
#include "strategy/work.hpp"
#include "support/convolutions.hpp"
#include "support/models.hpp"
#include "support/operator_case.hpp"

using namespace autoshard;
using internal::Assignment;
using test::OperandCase;
using test::OperatorCase;

namespace {

using Ints = std::vector<std::int64_t>;

/// Seconds are one over the number of parts.
class InverseShards : public CostModel {
 public:
  double operator_seconds(const OperatorWork& work) const override {
    return 1.0 / static_cast<double>(work.shards);
  }
  double collective_seconds(const Collective&) const override { return 1; }
};

/// A graph with its strategies on one axis x=4.
class Tables {
 public:
  explicit Tables(Graph graph)
      : graph_(std::move(graph)),
        mesh_(DeviceMesh::parse("x=4", *find_device("a100")).value()),
        context_{&graph_, &target_, &model_, internal::whole_axes(mesh_),
                 internal::classify_storage(graph_)},
        builder_(context_, specs_) {}
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  const Graph& graph() const { return graph_; }
  internal::StrategyBuilder& builder() { return builder_; }
  std::shared_ptr<const internal::StrategyTable> table(std::string_view name) {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      if (graph_.operators()[i].name == name) return builder_.operator_table(OperatorId(i));
    }
    FAIL("no operator ", name);
    return nullptr;
  }

 private:
  Graph graph_;
  DeviceMesh mesh_;
  Target target_;
  InverseShards model_;
  internal::SpecTable specs_;
  internal::StrategyContext context_;
  internal::StrategyBuilder builder_;
};

/// The work of an operator alone when axis x=4 splits what the result's dimension `dim` comes
/// from, or nothing.
OperatorWork work_of(const OperatorCase& test, std::optional<std::size_t> dim) {
  const auto graph = test::graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  const Operator& op = test::tried_operator(*graph);
  const auto rule = internal::derive_rule(*graph, op);
  REQUIRE(rule);
  const internal::EnumerationLimits limits{
      {{0, 1, 4}}, std::vector<bool>(op.operands.size(), false), true};
  const auto storage = internal::classify_storage(*graph);
  for (const Assignment& assignment : internal::enumerate_assignments(*rule, limits)) {
    const bool fits = dim ? !assignment.results[0].dims[*dim].empty() : assignment.shards == 1;
    if (!fits) continue;
    OperatorWork work = internal::work_of({&*graph, &storage}, op, *rule, assignment);
    CHECK(work.kind == op.kind);
    work.kind = {};  // it points into the graph, which ends here
    return work;
  }
  FAIL("no such assignment of ", to_string(test));
  return {};
}

OperatorCase matmul() {
  return {"dot_general",
          {test::operand(DType::f32, {8, 16}), test::operand(DType::f32, {16, 32})},
          {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}},
          {{DType::f32, {8, 32}}}};
}

GraphBuilder chain(int layers) {
  GraphBuilder b("chain");
  const TensorType type{DType::f32, {8, 8}};
  TensorId at = b.argument("x", type);
  const TensorId w = b.argument("w", type, Role::parameter);
  for (int i = 0; i < layers; ++i) {
    at = b.add_one(
        {"dot" + std::to_string(i),
         "dot_general",
         {at, w},
         {type},
         {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}}});
    at = b.add_one({"act" + std::to_string(i), "tanh", {at}, {type}});
  }
  b.result(at);
  return b;
}

}  // namespace

TEST_CASE(
    "a product works on its share of the multiplications and touches its shares of the tensors") {
  const OperatorWork whole = work_of(matmul(), {});
  CHECK(whole.matmul);
  CHECK(whole.flops == 2 * 8 * 16 * 32);
  CHECK(whole.memory_bytes == 4 * (8 * 16 + 16 * 32 + 8 * 32));
  CHECK(whole.shards == 1);
  const OperatorWork rows = work_of(matmul(), 0);
  CHECK(rows.flops == 2 * 2 * 16 * 32);
  CHECK(rows.memory_bytes == 4 * (2 * 16 + 16 * 32 + 2 * 32));
  CHECK(rows.shards == 4);
}

TEST_CASE("a convolution works on its share of the results, each a product with a group's kernel") {
  Attributes attributes = test::convolution_dims(2);
  const OperatorCase image{
      "convolution",
      {test::operand(DType::f32, {8, 16, 16, 4}), test::operand(DType::f32, {3, 3, 4, 32})},
      attributes};
  const OperatorWork whole = work_of(image, {});
  CHECK(whole.matmul);
  CHECK(whole.flops == 2.0 * (8 * 14 * 14 * 32) * (3 * 3 * 4));
  CHECK(whole.memory_bytes == 4 * (8 * 16 * 16 * 4 + 3 * 3 * 4 * 32 + 8 * 14 * 14 * 32));
  CHECK(work_of(image, 0).flops == whole.flops / 4);
  CHECK(work_of(image, 3).flops == whole.flops / 4);
  attributes["feature_group_count"] = std::int64_t{4};
  const OperatorCase depthwise{
      "convolution",
      {test::operand(DType::f32, {8, 16, 16, 4}), test::operand(DType::f32, {3, 3, 1, 32})},
      attributes};
  CHECK(work_of(depthwise, {}).flops == 2.0 * (8 * 14 * 14 * 32) * (3 * 3));
  CHECK(work_of(depthwise, 3).flops == 2.0 * (8 * 14 * 14 * 8) * (3 * 3));
}

TEST_CASE("a pointwise convolution and one with a kernel as large as its input are matmuls") {
  const OperatorCase pointwise{
      "convolution",
      {test::operand(DType::f32, {8, 16, 4}), test::operand(DType::f32, {1, 4, 32})},
      test::convolution_dims(1)};
  CHECK(work_of(pointwise, {}).flops == 2.0 * (8 * 16) * 4 * 32);
  CHECK(work_of(pointwise, 1).flops == 2.0 * (8 * 4) * 4 * 32);
  const OperatorCase whole{
      "convolution",
      {test::operand(DType::f32, {8, 16, 4}), test::operand(DType::f32, {16, 4, 32})},
      test::convolution_dims(1)};
  CHECK(work_of(whole, {}).flops == 2.0 * 8 * (16 * 4) * 32);
}

TEST_CASE("a pooling works on every row of each of its windows, and so does its gradient") {
  const Attributes window = {{"window_dimensions", Ints{1, 2, 2, 1}},
                             {"window_strides", Ints{1, 2, 2, 1}},
                             {"reducer", std::string("sum")},
                             {"selector", std::string("max")}};
  const test::OperandCase image = test::operand(DType::f32, {8, 16, 16, 4});
  const OperatorCase pooling{"reduce_window", {image, test::splat(DType::f32, {}, 0)}, window};
  CHECK_FALSE(work_of(pooling, {}).matmul);
  CHECK(work_of(pooling, {}).flops == 4 * (8 * 8 * 8 * 4));
  CHECK(work_of(pooling, 0).flops == 4 * (2 * 8 * 8 * 4));
  const OperatorCase gradient{
      "select_and_scatter",
      {image, test::operand(DType::f32, {8, 8, 8, 4}), test::splat(DType::f32, {}, 0)},
      window};
  CHECK(work_of(gradient, {}).flops == 4 * (8 * 8 * 8 * 4));
  CHECK(work_of(gradient, 3).flops == 4 * (8 * 8 * 8 * 1));
}

TEST_CASE("a reduce works on every element of its operand") {
  const OperatorCase sum{"reduce",
                         {test::operand(DType::f32, {8, 16}), test::splat(DType::f32, {}, 0)},
                         {{"dimensions", Ints{1}}, {"reducer", std::string("sum")}},
                         {{DType::f32, {8}}}};
  const OperatorWork whole = work_of(sum, {});
  CHECK_FALSE(whole.matmul);
  CHECK(whole.flops == 8 * 16);
  CHECK(whole.memory_bytes == 4 * (8 * 16 + 8));
  CHECK(work_of(sum, 0).flops == 2 * 16);
}

TEST_CASE("argmax and cumulative reductions work on every element of their operand") {
  const OperandCase x = test::operand(DType::f32, {8, 16});
  const Attributes along = {{"dimension", std::int64_t{1}}, {"reducer", std::string("max")}};
  CHECK(work_of({"argmax", {x}, along}, {}).flops == 8 * 16);
  CHECK(work_of({"argmin", {x}, along}, 0).flops == 2 * 16);
  CHECK(work_of({"cumulative", {x}, along}, 0).flops == 2 * 16);
}

TEST_CASE("a custom call works as much as it says, shared by the shards of all its factors") {
  const OperatorCase kernel{"custom_call",
                            {test::operand(DType::f32, {8, 16})},
                            {{"call_target_name", std::string("kernel")},
                             {"flops", 1e6},
                             {"sharding_rule", std::string("([i,k])->([i]) reduction={k}")}},
                            {{DType::f32, {8}}}};
  const OperatorWork whole = work_of(kernel, {});
  CHECK(whole.matmul);
  CHECK(whole.flops == 1e6);
  CHECK(whole.memory_bytes == 4 * (8 * 16 + 8));
  CHECK(work_of(kernel, 0).flops == 2.5e5);
}

TEST_CASE("a slice touches the rows that it moves, not all of its operand") {
  const OperatorCase slice{
      "slice",
      {test::operand(DType::f32, {1024, 16})},
      {{"start_indices", Ints{0, 0}}, {"limit_indices", Ints{8, 16}}, {"strides", Ints{1, 1}}},
      {{DType::f32, {8, 16}}}};
  const OperatorWork whole = work_of(slice, {});
  CHECK(whole.flops == 0);
  CHECK(whole.memory_bytes == 2 * 4 * 8 * 16);
  CHECK(work_of(slice, 1).memory_bytes == 2 * 4 * 8 * 4);
}

TEST_CASE("a gather touches the rows that it moves, not all of the table") {
  const OperatorCase gather{
      "gather",
      {test::operand(DType::f32, {1024, 16}), test::positions({8, 1}, Ints(8, 3))},
      {{"offset_dims", Ints{1}},
       {"collapsed_slice_dims", Ints{0}},
       {"start_index_map", Ints{0}},
       {"index_vector_dim", std::int64_t{1}},
       {"slice_sizes", Ints{1, 16}}},
      {{DType::f32, {8, 16}}}};
  const OperatorWork whole = work_of(gather, {});
  CHECK(whole.flops == 0);
  CHECK(whole.memory_bytes == 2 * 4 * 8 * 16);
  CHECK(work_of(gather, 1).memory_bytes == 2 * 4 * 8 * 4);
}

TEST_CASE("an elementwise operator works on each element of its result") {
  const OperatorCase add{
      "add", {test::operand(DType::bf16, {8, 16}), test::operand(DType::bf16, {8, 16})}};
  const OperatorWork whole = work_of(add, {});
  CHECK(whole.dtype == DType::bf16);
  CHECK(whole.flops == 8 * 16);
  CHECK(whole.memory_bytes == 3 * 2 * 8 * 16);
}

TEST_CASE("a reshape does nothing") {
  const OperatorWork work =
      work_of({"reshape", {test::operand(DType::f32, {8, 16})}, {}, {{DType::f32, {128}}}}, {});
  CHECK(work.flops == 0);
  CHECK(work.memory_bytes == 0);
}

TEST_CASE("equal operators share one table, however many there are") {
  std::size_t few = 0;
  for (int layers : {3, 20}) {
    Tables tables(std::move(chain(layers)).build().value());
    for (std::size_t i = 0; i < tables.graph().operators().size(); ++i) {
      tables.builder().operator_table(OperatorId(i));
    }
    CHECK(tables.table("dot1") == tables.table("dot2"));
    CHECK(tables.table("act1") == tables.table("act2"));
    if (few == 0) few = tables.builder().table_count();
    CHECK(tables.builder().table_count() == few);
  }
}

TEST_CASE("operators that differ in surroundings, types or attributes have tables of their own") {
  GraphBuilder b("different");
  const TensorId x = b.argument("x", {DType::f32, {8, 8}});
  const TensorId y = b.argument("y", {DType::bf16, {8, 8}});
  const TensorId a = b.add_one({"f32", "tanh", {x}, {{DType::f32, {8, 8}}}});
  const TensorId c = b.add_one({"bf16", "tanh", {y}, {{DType::bf16, {8, 8}}}});
  const TensorId t = b.add_one(
      {"turned", "transpose", {a}, {{DType::f32, {8, 8}}}, {{"permutation", Ints{1, 0}}}});
  const TensorId u =
      b.add_one({"kept", "transpose", {a}, {{DType::f32, {8, 8}}}, {{"permutation", Ints{0, 1}}}});
  for (TensorId tensor : {c, t, u}) b.result(tensor);
  Tables tables(std::move(b).build().value());
  CHECK(tables.table("f32") != tables.table("bf16"));
  CHECK(tables.table("turned") != tables.table("kept"));
}

TEST_CASE("sums from zero and from seven have tables of their own, as their rules differ") {
  GraphBuilder b("sums");
  const TensorId x = b.argument("x", {DType::f32, {8, 8}});
  for (double start : {0.0, 7.0}) {
    const std::string suffix = start == 0 ? "zero" : "seven";
    const TensorId init =
        b.add_one({"init_" + suffix, "constant", {}, {{DType::f32, {}}}, {{"value", start}}});
    b.result(b.add_one({"from_" + suffix,
                        "reduce",
                        {x, init},
                        {{DType::f32, {8}}},
                        {{"dimensions", Ints{1}}, {"reducer", std::string("sum")}}}));
  }
  Tables tables(std::move(b).build().value());
  CHECK(tables.table("from_zero") != tables.table("from_seven"));
}

TEST_CASE("the lists of a table say the specs of each strategy, and prices are the model's") {
  Tables tables(std::move(chain(2)).build().value());
  const auto table = tables.table("dot1");
  CHECK(table->known);
  CHECK(table->operand_specs.size() == 2);
  CHECK(table->result_specs.size() == 1);
  CHECK(table->strategies.size() == 4);
  CHECK(table->strategies[0].seconds == 1);
  CHECK(table->strategies[1].seconds == 0.25);
}

TEST_CASE("a loop has no table") {
  GraphBuilder b("loop");
  const TensorId x = b.argument("x", {DType::f32, {8}});
  b.begin_loop({"loop", "while", {x}, {}, {{"trip_count", std::int64_t{3}}}});
  b.result(b.end_loop({x})[0]);
  Tables tables(std::move(b).build().value());
  CHECK(tables.table("loop") == nullptr);
}

TEST_CASE("whole specs split each dimension in turn and are never partial") {
  Tables tables(std::move(chain(1)).build().value());
  CHECK(tables.builder().whole_specs({DType::f32, {8, 8}}, true).size() == 3);
  CHECK(tables.builder().whole_specs({DType::f32, {6, 8}}, false).size() == 2);
  CHECK(tables.builder().whole_specs({DType::f32, {}}, true).size() == 1);
}

TEST_CASE("a product may leave its result partial, a tanh never does") {
  Tables tables(std::move(chain(1)).build().value());
  const auto& operators = tables.graph().operators();
  CHECK(tables.builder().may_be_partial(operators[0].results[0]));
  CHECK_FALSE(tables.builder().may_be_partial(operators[1].results[0]));
}
