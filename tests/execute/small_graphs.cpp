// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/small_graphs.hpp"

#include <doctest/doctest.h>

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr auto kAllReduce = CollectiveKind::all_reduce;
constexpr auto kAllGather = CollectiveKind::all_gather;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;

}  // namespace

TensorType f32_type(std::vector<std::int64_t> shape) { return {DType::f32, std::move(shape)}; }

TensorId matmul(GraphBuilder& builder, const std::string& name, TensorId a, TensorId b,
                TensorType result) {
  return builder.add_one({name,
                          "dot_general",
                          {a, b},
                          {std::move(result)},
                          {{"lhs_batching_dimensions", Ints{}},
                           {"rhs_batching_dimensions", Ints{}},
                           {"lhs_contracting_dimensions", Ints{1}},
                           {"rhs_contracting_dimensions", Ints{0}}}});
}

Graph finished(GraphBuilder builder) {
  auto graph = std::move(builder).build();
  REQUIRE_MESSAGE(graph.ok(), graph.error().message);
  return std::move(graph).value();
}

Graph column_sums() {
  GraphBuilder builder("column_sums");
  const TensorId x = builder.argument("x", f32_type({8, 4}));
  const TensorId w = builder.argument("w", f32_type({4, 6}), Role::parameter);
  const TensorId product = matmul(builder, "product", x, w, f32_type({8, 6}));
  const TensorId hidden = builder.add_one({"hidden", "tanh", {product}, {f32_type({8, 6})}});
  const TensorId zero = builder.add_one({"zero", "constant", {}, {f32_type({})}, {{"value", 0.0}}});
  builder.result(builder.add_one({"sums",
                                  "reduce",
                                  {hidden, zero},
                                  {f32_type({6})},
                                  {{"dimensions", Ints{0}}, {"reducer", std::string("sum")}}}));
  return finished(std::move(builder));
}

HandPlan data_parallel(const Graph& graph, DeviceMesh mesh) {
  HandPlan plan(graph, std::move(mesh));
  plan.made("x", R"([{"a0"}, {}])").made("product", R"([{"a0"}, {}])");
  plan.made("hidden", R"([{"a0"}, {}])").made("sums", R"([{}] partial={"a0":sum})");
  plan.returns(RegionId{0}, 0, plan.converted("sums", {{kAllReduce, "[{}]"}}));
  return plan;
}

Graph two_layers() {
  GraphBuilder builder("two_layers");
  const TensorId x = builder.argument("x", f32_type({8, 4}));
  const TensorId w1 = builder.argument("w1", f32_type({4, 12}), Role::parameter);
  const TensorId w2 = builder.argument("w2", f32_type({12, 4}), Role::parameter);
  const TensorId up = matmul(builder, "up", x, w1, f32_type({8, 12}));
  const TensorId hidden = builder.add_one({"hidden", "tanh", {up}, {f32_type({8, 12})}});
  const TensorId down = matmul(builder, "down", hidden, w2, f32_type({8, 4}));
  builder.result(builder.add_one({"out", "tanh", {down}, {f32_type({8, 4})}}));
  return finished(std::move(builder));
}

HandPlan column_row_split(const Graph& graph, DeviceMesh mesh) {
  HandPlan plan(graph, std::move(mesh));
  plan.made("w1", R"([{}, {"a0"}])").made("w2", R"([{"a0"}, {}])");
  plan.made("up", R"([{}, {"a0"}])").made("hidden", R"([{}, {"a0"}])");
  plan.made("down", R"([{}, {}] partial={"a0":sum})");
  plan.reads("out", 0, plan.converted("down", {{kAllReduce, "[{}, {}]"}}));
  return plan;
}

Graph lookup() {
  GraphBuilder builder("lookup");
  const TensorId table = builder.argument("table", f32_type({10, 4}), Role::parameter);
  const TensorId tokens = builder.argument("tokens", {DType::s32, {6}});
  builder.result(builder.add_one({"rows",
                                  "gather",
                                  {table, tokens},
                                  {f32_type({6, 4})},
                                  {{"offset_dims", Ints{1}},
                                   {"collapsed_slice_dims", Ints{0}},
                                   {"operand_batching_dims", Ints{}},
                                   {"start_indices_batching_dims", Ints{}},
                                   {"start_index_map", Ints{0}},
                                   {"index_vector_dim", std::int64_t{1}},
                                   {"slice_sizes", Ints{1, 4}}}}));
  return finished(std::move(builder));
}

HandPlan vocabulary_split(const Graph& graph, DeviceMesh mesh) {
  HandPlan plan(graph, std::move(mesh));
  plan.made("table", R"([{"a0"}, {}])").made("rows", R"([{}, {}] partial={"a0":sum})");
  plan.returns(RegionId{0}, 0, plan.converted("rows", {{kReduceScatter, R"([{"a0"}, {}])"}}));
  return plan;
}

Graph loop() {
  GraphBuilder builder("loop");
  const TensorId x = builder.argument("x", f32_type({8, 4}));
  const TensorId w = builder.argument("w", f32_type({4, 4}), Role::parameter);
  const LoopBody body = builder.begin_loop(
      {"layers", "while", {x}, {f32_type({8, 4})}, {{"trip_count", std::int64_t{5}}}});
  const TensorId product = matmul(builder, "product", body.arguments[0], w, f32_type({8, 4}));
  const TensorId next = builder.add_one({"next", "tanh", {product}, {f32_type({8, 4})}});
  builder.result(builder.end_loop({next})[0]);
  return finished(std::move(builder));
}

HandPlan loop_plan(const Graph& graph, DeviceMesh mesh) {
  HandPlan plan(graph, std::move(mesh));
  plan.made("w", R"([{"a0"}, {}])").made("product", R"([{}, {"a0"}])");
  plan.made("next", R"([{}, {"a0"}])");
  plan.reads(
      "product", 1,
      plan.converted("w", {{kAllGather, "[{}, {}]"}, {CollectiveKind::slice, R"([{}, {"a0"}])"}}));
  const TensorId next = plan.tensor("next");
  plan.returns(graph[next].region, 0, plan.converted("next", {{kAllGather, "[{}, {}]"}}));
  return plan;
}

}  // namespace autoshard::test
