// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators along one dimension, which a device needs as a whole: where an element goes, or what
// stands before it, depends on all of them. The other dimensions split.
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

std::int64_t dimension(const Operator& op) { return op.integer("dimension").value_or(0); }

}  // namespace

ShardingRule sort_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (std::int64_t dim = 0; dim < rule.operand(0).rank(); ++dim) {
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < rule.operand_count(); ++i) dims.push_back(in(i, dim));
    for (std::size_t i = 0; i < rule.result_count(); ++i) dims.push_back(out(i, dim));
    dim == dimension(op) ? rule.replicate(dims) : rule.parallel(dims);
  }
  return std::move(rule).build();
}

ShardingRule top_k_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (std::int64_t dim = 0; dim + 1 < rule.operand(0).rank(); ++dim) {
    rule.parallel({in(0, dim), out(0, dim), out(1, dim)});
  }
  return std::move(rule).build();
}

// A running sum of partial sums is the partial running sum.
ShardingRule cumulative_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (std::int64_t dim = 0; dim < rule.operand(0).rank(); ++dim) {
    const std::vector<Dim> dims{in(0, dim), out(0, dim)};
    dim == dimension(op) ? rule.replicate(dims) : rule.parallel(dims);
  }
  const std::string* reducer = op.text("reducer");
  if (reducer != nullptr && *reducer == "sum") rule.linear({0});
  return std::move(rule).build();
}

ShardingRule position_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  std::int64_t kept = 0;
  for (std::int64_t dim = 0; dim < rule.operand(0).rank(); ++dim) {
    if (dim != dimension(op)) rule.parallel({in(0, dim), out(0, kept++)});
  }
  return std::move(rule).build();
}

}  // namespace autoshard::internal
