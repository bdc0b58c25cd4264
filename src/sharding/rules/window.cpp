// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Windows that slide: only a dimension along which every window is one row of its own splits. A
// window of several rows reads what lies on a neighbouring device.
#include "graph/window.hpp"

#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/initial_values.hpp"
#include "sharding/rules/known_value.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

/// The dimensions of operand 0 that the window leaves as they are.
std::vector<std::int64_t> pointwise_dims(const RuleBuilder& rule, const Operator& op,
                                         const WindowAttributes& names) {
  const auto window =
      read_window(op.attributes, names, ints(op, "window_dimensions"), rule.operand(0).shape);
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < window.size(); ++d) {
    if (is_pointwise(window[d])) dims.push_back(static_cast<std::int64_t>(d));
  }
  return dims;
}

}  // namespace

ShardingRule reduce_window_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (const std::int64_t dim : pointwise_dims(rule, op, kReduceWindow)) {
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < rule.result_count(); ++i) {
      dims.push_back(in(i, dim));
      dims.push_back(out(i, dim));
    }
    rule.parallel(dims);
  }
  if (reducer_of(op) == ReductionKind::sum) rule.linear(summed_operands(graph, op));
  return std::move(rule).build();
}

// The operand decides which rows are selected and must be whole; what lands there is added up.
ShardingRule select_and_scatter_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (const std::int64_t dim : pointwise_dims(rule, op, kSelectWindow)) {
    rule.parallel({in(0, dim), in(1, dim), out(0, dim)});
  }
  if (reducer_of(op) == ReductionKind::sum) {
    const bool from_zero = known_value(graph, op.operands[2]) == 0.0;
    rule.linear(from_zero ? std::vector{1} : std::vector{1, 2});
  }
  return std::move(rule).build();
}

}  // namespace autoshard::internal
