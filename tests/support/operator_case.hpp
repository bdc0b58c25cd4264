// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator to try alone: its kind, its operands' types and its attributes, without a graph
// around it. Operands are arguments, or constants where their values matter (positions, neutral
// initial values).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "autoshard/graph.hpp"
#include "autoshard/graph_builder.hpp"

namespace autoshard::test {

struct OperandCase {
  TensorType type;
  std::optional<Attributes> constant = std::nullopt;  ///< "value" or "values"
};

struct OperatorCase {
  std::string kind;
  std::vector<OperandCase> operands;
  Attributes attributes = {};
  /// Empty where the operands tell them.
  std::vector<TensorType> results = {};
};

inline OperandCase operand(DType dtype, std::vector<std::int64_t> shape) {
  return {{dtype, std::move(shape)}};
}
inline OperandCase splat(DType dtype, std::vector<std::int64_t> shape, double value) {
  return {{dtype, std::move(shape)}, Attributes{{"value", value}}};
}
/// Positions, row-major.
inline OperandCase positions(std::vector<std::int64_t> shape, std::vector<std::int64_t> values) {
  return {{DType::s32, std::move(shape)}, Attributes{{"values", std::move(values)}}};
}

/// Adds the operator, named "op", with operands that are already in the graph.
std::vector<TensorId> add(GraphBuilder& builder, const OperatorCase& test,
                          std::vector<TensorId> operands);

/// The operator and its operands; its results are the graph's.
Result<Graph> graph_of(const OperatorCase& test);
/// The operator named "op".
const Operator& tried_operator(const Graph& graph);

/// "gather(f32[5,2], s32[3])" and its attributes that are lists or words.
std::string to_string(const OperatorCase& test);

}  // namespace autoshard::test
