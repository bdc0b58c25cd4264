// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Peaks of graphs so small that they can be added up by hand. All tensors are f32[8,8], 256 bytes.
#include "autoshard/graph_builder.hpp"
#include "intra/planned_steps.hpp"

using namespace autoshard;

namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kTensor = 256;
const TensorType kType{DType::f32, {8, 8}};

TensorId dot(GraphBuilder& b, const std::string& name, TensorId lhs, TensorId rhs,
             Phase phase = Phase::forward) {
  return b.add_one(
      {name,
       "dot_general",
       {lhs, rhs},
       {kType},
       {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}},
       phase});
}

TensorId unary(GraphBuilder& b, const std::string& name, TensorId operand) {
  return b.add_one({name, "tanh", {operand}, {kType}});
}

struct Peak {
  std::int64_t tensors = 0;
  std::string at;
  friend bool operator==(const Peak&, const Peak&) = default;
};

Peak peak_of(GraphBuilder builder) {
  const auto graph = std::move(builder).build();
  if (!graph.ok()) FAIL(graph.error().message);
  const IntraOpPlan plan = test::plan_of(*graph, "x=1");
  REQUIRE(plan.has_answer());
  // A limit of just as much can be met, less cannot.
  CHECK(test::plan_of(*graph, "x=1", test::limited(plan.peak_bytes)).has_answer());
  const IntraOpPlan less = test::plan_of(*graph, "x=1", test::limited(plan.peak_bytes - 1));
  CHECK(less.status == SolveStatus::infeasible);
  CHECK(plan.peak_bytes % kTensor == 0);
  return {plan.peak_bytes / kTensor, plan.peak_at};
}

}  // namespace

TEST_CASE("a tensor lives from its making to its last use, arguments through all of the step") {
  GraphBuilder b("chain");
  const TensorId x = b.argument("x", kType);
  const TensorId w = b.argument("w", kType);
  const TensorId first = dot(b, "first", x, w);
  const TensorId second = dot(b, "second", first, w);
  b.result(dot(b, "third", second, w));
  // x, w, first, second; then x, w, second, third.
  CHECK(peak_of(std::move(b)) == Peak{4, "second"});
}

TEST_CASE("a tensor that is read late is kept until then") {
  GraphBuilder b("late");
  const TensorId x = b.argument("x", kType);
  const TensorId first = dot(b, "first", x, x);
  const TensorId second = dot(b, "second", first, x);
  const TensorId third = dot(b, "third", second, x);
  b.result(dot(b, "last", third, first));
  CHECK(peak_of(std::move(b)) == Peak{4, "third"});
}

TEST_CASE("a fused chain takes no memory but keeps what it reads") {
  GraphBuilder b("fused");
  const TensorId x = b.argument("x", kType);
  const TensorId first = dot(b, "first", x, x);
  const TensorId soft = unary(b, "soft", unary(b, "softer", first));
  b.result(unary(b, "softest", soft));
  // x, first and the result of the one kernel.
  CHECK(peak_of(std::move(b)) == Peak{3, "softest"});
}

TEST_CASE("new state is written over the old, and takes no memory of its own") {
  GraphBuilder b("state");
  const TensorId x = b.argument("x", kType);
  const TensorId w = b.argument("w", kType, Role::parameter);
  const TensorId gradient = dot(b, "gradient", x, w);
  b.result(b.add_one({"new_w", "subtract", {w, gradient}, {kType}, {}, Phase::update}));
  b.state_pair(w, 0);
  CHECK(peak_of(std::move(b)).tensors == 3);
}

TEST_CASE("state that is read after its update is not written over") {
  GraphBuilder b("state_read_late");
  const TensorId x = b.argument("x", kType);
  const TensorId w = b.argument("w", kType, Role::parameter);
  const TensorId gradient = dot(b, "gradient", x, w);
  b.result(b.add_one({"new_w", "subtract", {w, gradient}, {kType}, {}, Phase::update}));
  b.result(dot(b, "late", w, w, Phase::update));
  b.state_pair(w, 0);
  // x, w, and new_w beside it; gradient or late.
  CHECK(peak_of(std::move(b)).tensors == 4);
}

TEST_CASE("a loop holds its carried value, and what its body makes is there once") {
  GraphBuilder b("loop");
  const TensorId x = b.argument("x", kType);
  const TensorId w = b.argument("w", kType);
  const LoopBody body =
      b.begin_loop({"loop", "while", {x}, {}, {{"trip_count", std::int64_t{100}}}});
  const TensorId inner = dot(b, "inner", body.arguments[0], w);
  b.result(b.end_loop({dot(b, "next", inner, w)})[0]);
  // x, w, the carried value, inner, next.
  CHECK(peak_of(std::move(b)) == Peak{5, "next"});
}

TEST_CASE("the arguments of a split plan take the bytes of their shards") {
  GraphBuilder b("split");
  const TensorId x = b.argument("x", kType);
  b.result(unary(b, "y", x));
  const Graph graph = std::move(b).build().value();
  const DeviceMesh mesh = test::a100_mesh("x=3");
  IntraOpOptions options = test::by_work();
  options.pinned = {{x, {{{whole_axis(mesh, 0)}, {}}, {}}}};
  const IntraOpPlan plan = test::plan_of(graph, "x=3", options);
  CHECK(plan.argument_bytes == 3 * 8 * 4);
}
