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

/// The last dimension of `lhs` with the first of `rhs`, or the dimensions given.
inline TensorId matmul(GraphBuilder& builder, std::string name, TensorId lhs, TensorId rhs,
                       TensorType type, std::pair<std::int64_t, std::int64_t> dims = {1, 0}) {
  return builder.add_one({std::move(name), "dot_general", {lhs, rhs}, {std::move(type)},
                          {{"lhs_contracting_dimensions", Ints{dims.first}},
                           {"rhs_contracting_dimensions", Ints{dims.second}}}});
}

inline TensorId binary(GraphBuilder& builder, std::string name, std::string kind, TensorId lhs,
                       std::pair<TensorId, TensorType> rhs) {
  return builder.add_one({std::move(name), std::move(kind), {lhs, rhs.first}, {rhs.second}});
}

}  // namespace autoshard::test
