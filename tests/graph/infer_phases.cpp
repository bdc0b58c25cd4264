// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

Graph inferred(GraphBuilder builder) {
  builder.infer_training_roles();
  return test::built(std::move(builder));
}

std::map<std::string, Phase> phases(const Graph& graph) {
  std::map<std::string, Phase> phases;
  for (const Operator& op : graph.operators()) phases[op.name] = op.phase;
  return phases;
}

std::map<std::string, Role> roles(const Graph& graph) {
  std::map<std::string, Role> roles;
  for (const TensorId id : graph.main().arguments) roles[graph[id].name] = graph[id].role;
  return roles;
}

bool all_forward(const Graph& graph) {
  return std::ranges::all_of(graph.operators(),
                             [](const Operator& op) { return op.phase == Phase::forward; });
}

}  // namespace

TEST_CASE("a training step falls into forward, backward and update") {
  auto phase = phases(inferred(test::mlp_step()));
  for (const auto name : {"zero", "hidden", "act", "out", "loss"}) {
    CHECK_MESSAGE(phase.at(name) == Phase::forward, name);
  }
  for (const auto name :
       {"one", "ones", "grad_v", "grad_act", "square", "slope", "grad_hidden", "grad_w"}) {
    CHECK_MESSAGE(phase.at(name) == Phase::backward, name);
  }
  for (const auto name : {"rate", "rates", "new_momentum", "change_w", "change_v", "new_w", "new_v",
                          "increment", "new_step"}) {
    CHECK_MESSAGE(phase.at(name) == Phase::update, name);
  }
}

TEST_CASE("arguments of a training step are inputs, parameters or optimizer state") {
  const auto role = roles(inferred(test::mlp_step()));
  CHECK(role.at("x") == Role::input);
  CHECK(role.at("w") == Role::parameter);
  CHECK(role.at("v") == Role::parameter);
  CHECK(role.at("momentum") == Role::optimizer_state);
  CHECK(role.at("step") == Role::optimizer_state);
}

TEST_CASE("phases stay as given unless they are asked for") {
  CHECK(all_forward(test::built(test::mlp_step())));
}

TEST_CASE("a graph without state pairs is all forward") {
  GraphBuilder builder = test::power_loop();
  const Graph graph = inferred(std::move(builder));
  CHECK(all_forward(graph));
  CHECK(roles(graph).at("w") == Role::parameter);
}

TEST_CASE("a step that returns nothing but state is all forward, and its roles are still found") {
  GraphBuilder b;
  const TensorId w = b.argument("w", f32({2, 2}));
  const TensorId m = b.argument("m", f32({2, 2}));
  const TensorId grad = test::matmul(b, "grad", {w, w}, f32({2, 2}));
  const TensorId new_m = test::op(b, "new_m", "add", {m, grad}, f32({2, 2}));
  b.result(test::op(b, "new_w", "subtract", {w, new_m}, f32({2, 2})));
  b.result(new_m);
  b.state_pair(w, 0);
  b.state_pair(m, 1);
  const Graph graph = inferred(std::move(b));
  CHECK(all_forward(graph));
  CHECK(roles(graph).at("w") == Role::parameter);
  CHECK(roles(graph).at("m") == Role::optimizer_state);
}

TEST_CASE("a constant that several phases use belongs to the earliest") {
  GraphBuilder b;
  const TensorId w = b.argument("w", f32({2, 2}));
  const TensorId shared = test::constant(b, "shared", f32({2, 2}), 2.0);
  const TensorId late = test::constant(b, "late", f32({2, 2}), 3.0);
  const TensorId loss = test::matmul(b, "loss", {w, shared}, f32({2, 2}));
  const TensorId grad = test::matmul(b, "grad", {late, shared}, f32({2, 2}));
  const TensorId scaled = test::op(b, "scaled", "multiply", {grad, late}, f32({2, 2}));
  b.result(loss);
  b.result(test::op(b, "new_w", "multiply", {scaled, shared}, f32({2, 2})));
  b.state_pair(w, 1);
  const auto phase = phases(inferred(std::move(b)));
  CHECK(phase.at("shared") == Phase::forward);
  CHECK(phase.at("late") == Phase::backward);
  CHECK(phase.at("scaled") == Phase::update);
}

TEST_CASE("the body of a loop takes the phase of the loop, and what it captures is used by it") {
  GraphBuilder b;
  const TensorId x = b.argument("x", f32({2, 2}));
  const TensorId w = b.argument("w", f32({2, 2}));
  const TensorId scale = test::constant(b, "scale", f32({2, 2}), 2.0);
  const TensorId loss = test::matmul(b, "loss", {x, x}, f32({2, 2}));
  const LoopBody outer = b.begin_loop({"outer", "while", {x}, {}});
  const LoopBody inner = b.begin_loop({"inner", "while", {outer.arguments[0]}, {}});
  const TensorId grad = test::op(b, "grad", "multiply", {inner.arguments[0], scale}, f32({2, 2}));
  const TensorId mixed = test::op(b, "mixed", "add", {grad, w}, f32({2, 2}));
  const auto inner_results = b.end_loop({mixed});
  const TensorId total = b.end_loop(inner_results)[0];
  b.result(loss);
  b.result(test::op(b, "new_w", "subtract", {w, total}, f32({2, 2})));
  b.state_pair(w, 1);
  const Graph graph = inferred(std::move(b));
  auto phase = phases(graph);
  for (const auto name : {"scale", "outer", "inner", "grad", "mixed"}) {
    CHECK_MESSAGE(phase.at(name) == Phase::backward, name);
  }
  CHECK(phase.at("new_w") == Phase::update);
  CHECK(roles(graph).at("w") == Role::parameter);
}

TEST_CASE("a result that is also read by the forward pass is no update") {
  GraphBuilder b;
  const TensorId mean = b.argument("mean", f32({2}));
  const TensorId shifted = test::op(b, "shifted", "negate", {mean}, f32({2}));
  b.result(test::op(b, "out", "tanh", {shifted}, f32({2})));
  b.result(shifted);
  b.state_pair(mean, 1);
  const Graph graph = inferred(std::move(b));
  CHECK(all_forward(graph));
  CHECK(roles(graph).at("mean") == Role::parameter);
}
