// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small graphs and short ways to build them, for tests of graphs and of their text format.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "autoshard/graph_builder.hpp"

namespace autoshard::test {

using Ints = std::vector<std::int64_t>;

inline TensorType f32(Ints shape) { return {DType::f32, std::move(shape)}; }
inline TensorType s32(Ints shape) { return {DType::s32, std::move(shape)}; }
inline TensorType pred(Ints shape) { return {DType::pred, std::move(shape)}; }

inline Graph built(GraphBuilder builder) {
  Result<Graph> graph = std::move(builder).build();
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

inline std::string error_of(GraphBuilder builder) {
  const Result<Graph> graph = std::move(builder).build();
  if (graph.ok()) return "no error";
  CHECK(graph.error().code == ErrorCode::invalid_argument);
  return graph.error().message;
}

/// An operator with one result.
inline TensorId op(GraphBuilder& builder, std::string name, std::string kind,
                   std::vector<TensorId> operands, TensorType type) {
  return builder.add_one(
      {std::move(name), std::move(kind), std::move(operands), {std::move(type)}});
}

/// Contracts dimension `dims.first` of `lhs` with `dims.second` of `rhs`.
inline TensorId matmul(GraphBuilder& builder, std::string name, std::pair<TensorId, TensorId> sides,
                       TensorType type, std::pair<std::int64_t, std::int64_t> dims = {1, 0}) {
  return builder.add_one({std::move(name),
                          "dot_general",
                          {sides.first, sides.second},
                          {std::move(type)},
                          {{"lhs_contracting_dimensions", Ints{dims.first}},
                           {"rhs_contracting_dimensions", Ints{dims.second}}}});
}

inline TensorId constant(GraphBuilder& builder, std::string name, TensorType type, double value) {
  return builder.add_one({std::move(name), "constant", {}, {std::move(type)}, {{"value", value}}});
}

inline TensorId broadcast(GraphBuilder& builder, std::string name, TensorId scalar,
                          TensorType type) {
  return op(builder, std::move(name), "broadcast_in_dim", {scalar}, std::move(type));
}

/// One step of an MLP with momentum: loss = sum(tanh(x w) v), new w and v, momentum of w, a
/// counter of steps. Phases are left to be inferred.
GraphBuilder mlp_step();

/// x -> tanh(x w), three times, with w captured from outside.
GraphBuilder power_loop();

}  // namespace autoshard::test
