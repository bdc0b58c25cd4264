// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One training step of two layers, h = tanh(x w1), y = h w2, planned for four devices: how are the
// weights split?
#include <cstdio>
#include <string>
#include <vector>

#include "autoshard/graph_builder.hpp"
#include "autoshard/intra_op.hpp"

using namespace autoshard;

namespace {

constexpr std::int64_t kBatch = 64, kWidth = 4096, kHidden = 16384;

TensorType f32(std::int64_t rows, std::int64_t columns) { return {DType::f32, {rows, columns}}; }

/// Contracts dimension `l` of `left` with dimension `r` of `right`.
TensorId dot(GraphBuilder& builder, TensorId left, std::int64_t l, TensorId right, std::int64_t r,
             TensorType type, Phase phase) {
  using Dims = std::vector<std::int64_t>;
  return builder.add_one({.name = "",
                          .kind = "dot_general",
                          .operands = {left, right},
                          .result_types = {std::move(type)},
                          .attributes = {{"lhs_batching_dimensions", Dims{}},
                                         {"rhs_batching_dimensions", Dims{}},
                                         {"lhs_contracting_dimensions", Dims{l}},
                                         {"rhs_contracting_dimensions", Dims{r}}},
                          .phase = phase});
}

/// The weight after the step replaces the weight before it.
void update(GraphBuilder& builder, TensorId weight, TensorId gradient, TensorType type, int index) {
  builder.result(builder.add_one({.name = "",
                                  .kind = "subtract",
                                  .operands = {weight, gradient},
                                  .result_types = {std::move(type)},
                                  .phase = Phase::update}));
  builder.state_pair(weight, index);
}

Result<Graph> two_layers() {
  GraphBuilder builder("two_layers");
  const TensorId x = builder.argument("x", f32(kBatch, kWidth));
  const TensorId dy = builder.argument("dy", f32(kBatch, kWidth));
  const TensorId w1 = builder.argument("w1", f32(kWidth, kHidden), Role::parameter);
  const TensorId w2 = builder.argument("w2", f32(kHidden, kWidth), Role::parameter);

  const TensorId xw = dot(builder, x, 1, w1, 0, f32(kBatch, kHidden), Phase::forward);
  const TensorId h = builder.add_one(
      {.name = "h", .kind = "tanh", .operands = {xw}, .result_types = {f32(kBatch, kHidden)}});
  const TensorId y = dot(builder, h, 1, w2, 0, f32(kBatch, kWidth), Phase::forward);

  const TensorId dw2 = dot(builder, h, 0, dy, 0, f32(kHidden, kWidth), Phase::backward);
  const TensorId dh = dot(builder, dy, 1, w2, 1, f32(kBatch, kHidden), Phase::backward);
  const TensorId dw1 = dot(builder, x, 0, dh, 0, f32(kWidth, kHidden), Phase::backward);

  update(builder, w1, dw1, f32(kWidth, kHidden), 0);
  update(builder, w2, dw2, f32(kHidden, kWidth), 1);
  builder.result(y);
  return std::move(builder).build();
}

int fail(const Error& error) {
  std::printf("error: %s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  const Result<Graph> graph = two_layers();
  if (!graph) return fail(graph.error());
  const Result<Device> device = find_device("a100");
  if (!device) return fail(device.error());
  const Result<DeviceMesh> mesh = DeviceMesh::parse("model=4", *device);
  if (!mesh) return fail(mesh.error());
  const Result<IntraOpPlan> plan = solve_intra_op(*graph, *mesh);
  if (!plan) return fail(plan.error());

  std::printf("%s\n", std::string(name(plan->status)).c_str());
  for (std::size_t i = 0; i < graph->main().arguments.size(); ++i) {
    const Tensor& argument = (*graph)[graph->main().arguments[i]];
    std::printf("%-3s %-18s %s\n", argument.name.c_str(), to_string(argument.type).c_str(),
                to_string(plan->argument_spec(i), plan->mesh).c_str());
  }
}
