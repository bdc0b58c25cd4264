// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/operator_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "graph/checks/table.hpp"

namespace autoshard::test {
namespace {

TensorId add_operand(GraphBuilder& builder, const OperandCase& operand, std::size_t index) {
  if (!operand.constant) return builder.argument(fmt::format("operand{}", index), operand.type);
  return builder.add_one(
      {fmt::format("operand{}", index), "constant", {}, {operand.type}, *operand.constant});
}

struct AttributeText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    return fmt::format("{{{}}}", fmt::join(values, ","));
  }
};

/// As stated, or as the operands tell.
std::vector<TensorType> result_types(GraphBuilder& builder, const OperatorCase& test) {
  if (!test.results.empty()) return test.results;
  std::vector<TensorType> operands;
  for (const OperandCase& operand : test.operands) operands.push_back(operand.type);
  Result<std::vector<TensorType>> types =
      internal::infer_result_types(test.kind, operands, test.attributes);
  if (types.ok()) return std::move(types).value();
  builder.fail(types.error());
  return {};
}

}  // namespace

std::vector<TensorId> add(GraphBuilder& builder, const OperatorCase& test,
                          std::vector<TensorId> operands) {
  std::vector<TensorType> types = result_types(builder, test);
  return builder.add({"op", test.kind, std::move(operands), std::move(types), test.attributes});
}

Result<Graph> graph_of(const OperatorCase& test) {
  GraphBuilder builder("case");
  std::vector<TensorId> operands;
  for (std::size_t i = 0; i < test.operands.size(); ++i) {
    operands.push_back(add_operand(builder, test.operands[i], i));
  }
  for (const TensorId result : add(builder, test, operands)) builder.result(result);
  return std::move(builder).build();
}

const Operator& tried_operator(const Graph& graph) {
  return *std::ranges::find(graph.operators(), "op", &Operator::name);
}

std::string to_string(const OperatorCase& test) {
  std::vector<std::string> operands;
  for (const OperandCase& operand : test.operands) {
    operands.push_back(autoshard::to_string(operand.type));
  }
  std::string text = fmt::format("{}({})", test.kind, fmt::join(operands, ", "));
  for (const auto& [name, value] : test.attributes) {
    text += fmt::format(" {}={}", name, std::visit(AttributeText{}, value));
  }
  return text;
}

}  // namespace autoshard::test
