// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/step_graphs.hpp"

namespace autoshard::test {
namespace {

TensorId sum_all(GraphBuilder& builder, std::string name, TensorId input, TensorId zero) {
  return builder.add_one({std::move(name),
                          "reduce",
                          {input, zero},
                          {f32({})},
                          {{"dimensions", Ints{0, 1}}, {"reducer", "sum"}}});
}

}  // namespace

GraphBuilder mlp_step() {
  GraphBuilder b("mlp");
  const TensorType batch = f32({8, 4});
  const TensorType matrix = f32({4, 4});
  const TensorId x = b.argument("x", batch);
  const TensorId w = b.argument("w", matrix);
  const TensorId v = b.argument("v", matrix);
  const TensorId momentum = b.argument("momentum", matrix);
  const TensorId step = b.argument("step", s32({}));

  const TensorId zero = constant(b, "zero", f32({}), 0.0);
  const TensorId hidden = matmul(b, "hidden", {x, w}, batch);
  const TensorId act = op(b, "act", "tanh", {hidden}, batch);
  const TensorId out = matmul(b, "out", {act, v}, batch);
  const TensorId loss = sum_all(b, "loss", out, zero);

  const TensorId one = constant(b, "one", f32({}), 1.0);
  const TensorId ones = broadcast(b, "ones", one, batch);
  const TensorId grad_v = matmul(b, "grad_v", {act, ones}, matrix, {0, 0});
  const TensorId grad_act = matmul(b, "grad_act", {ones, v}, batch, {1, 1});
  const TensorId square = op(b, "square", "multiply", {act, act}, batch);
  const TensorId slope = op(b, "slope", "subtract", {ones, square}, batch);
  const TensorId grad_hidden = op(b, "grad_hidden", "multiply", {grad_act, slope}, batch);
  const TensorId grad_w = matmul(b, "grad_w", {x, grad_hidden}, matrix, {0, 0});

  const TensorId rate = constant(b, "rate", f32({}), 0.01);
  const TensorId rates = broadcast(b, "rates", rate, matrix);
  const TensorId new_momentum = op(b, "new_momentum", "add", {momentum, grad_w}, matrix);
  const TensorId change_w = op(b, "change_w", "multiply", {rates, new_momentum}, matrix);
  const TensorId change_v = op(b, "change_v", "multiply", {rates, grad_v}, matrix);
  b.result(loss);
  b.result(op(b, "new_w", "subtract", {w, change_w}, matrix));
  b.result(op(b, "new_v", "subtract", {v, change_v}, matrix));
  b.result(new_momentum);
  const TensorId increment =
      b.add_one({"increment", "constant", {}, {s32({})}, {{"value", std::int64_t{1}}}});
  b.result(op(b, "new_step", "add", {step, increment}, s32({})));
  b.state_pair(w, 1);
  b.state_pair(v, 2);
  b.state_pair(momentum, 3);
  b.state_pair(step, 4);
  return b;
}

GraphBuilder power_loop() {
  GraphBuilder b("power");
  const TensorId x = b.argument("x", f32({8, 16}));
  const TensorId w = b.argument("w", f32({16, 16}), Role::parameter);
  const LoopBody body =
      b.begin_loop({"loop", "while", {x}, {f32({8, 16})}, {{"trip_count", std::int64_t{3}}}});
  const TensorId dot = matmul(b, "dot", {body.arguments[0], w}, f32({8, 16}));
  const TensorId act = op(b, "act", "tanh", {dot}, f32({8, 16}));
  b.result(b.end_loop({act})[0]);
  return b;
}

}  // namespace autoshard::test
