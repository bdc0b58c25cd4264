// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/rules/initial_values.hpp"

#include <numeric>

#include "sharding/rules/known_value.hpp"

namespace autoshard::internal {

std::optional<ReductionKind> reducer_of(const Operator& op) {
  const std::string* text = op.text("reducer");
  return text == nullptr ? std::nullopt : parse_reduction(*text);
}

std::size_t input_count(const Operator& op) { return op.operands.size() / 2; }

std::vector<std::int32_t> initial_values_unless(const Graph& graph, const Operator& op,
                                                double value) {
  std::vector<std::int32_t> list;
  for (std::size_t i = input_count(op); i < op.operands.size(); ++i) {
    if (known_value(graph, op.operands[i]) != value) list.push_back(static_cast<std::int32_t>(i));
  }
  return list;
}

std::vector<std::int32_t> summed_operands(const Graph& graph, const Operator& op) {
  std::vector<std::int32_t> list(input_count(op));
  std::iota(list.begin(), list.end(), 0);
  const std::vector<std::int32_t> initial = initial_values_unless(graph, op, 0);
  list.insert(list.end(), initial.begin(), initial.end());
  return list;
}

}  // namespace autoshard::internal
