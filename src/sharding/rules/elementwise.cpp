// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

/// One factor per dimension. Operands of another rank are scalars (the predicate of a select, the
/// bounds of a clamp) and have no dimension to split.
RuleBuilder like_result(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const std::int64_t rank = rule.result().rank();
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    std::vector<Dim> dims{out(0, dim)};
    for (std::size_t i = 0; i < rule.operand_count(); ++i) {
      if (rule.operand(i).rank() == rank) dims.push_back(in(i, dim));
    }
    rule.parallel(dims);
  }
  return rule;
}

}  // namespace

ShardingRule elementwise_rule(const Graph& graph, const Operator& op) {
  return like_result(graph, op).build();
}

ShardingRule linear_unary_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  rule.linear({0});
  return std::move(rule).build();
}

ShardingRule add_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  rule.linear({0, 1});
  return std::move(rule).build();
}

ShardingRule multiply_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  rule.linear({0});
  rule.linear({1});
  return std::move(rule).build();
}

// Integer division rounds, so that the sum of quotients is not the quotient of the sum.
ShardingRule divide_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  if (!is_integer(rule.result().dtype)) rule.linear({0});
  return std::move(rule).build();
}

// Between floating types only: a conversion to integers rounds, one from integers may have wrapped.
ShardingRule convert_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  if (is_floating(rule.operand(0).dtype) && is_floating(rule.result().dtype)) rule.linear({0});
  return std::move(rule).build();
}

ShardingRule select_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule = like_result(graph, op);
  rule.linear({1, 2});
  return std::move(rule).build();
}

// Between types of different width the last dimension of one side appears, vanishes or changes.
ShardingRule bitcast_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto& from = rule.operand(0).shape;
  const auto& to = rule.result().shape;
  for (std::size_t dim = 0; dim < from.size() && dim < to.size() && from[dim] == to[dim]; ++dim) {
    rule.parallel({Dim{false, 0, dim}, Dim{true, 0, dim}});
  }
  return std::move(rule).build();
}

// Its operands are unrelated tensors that pass together. One group, so that all results are partial
// when the operands are.
ShardingRule barrier_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < rule.operand_count(); ++i) {
    all.push_back(static_cast<std::int32_t>(i));
    for (std::int64_t dim = 0; dim < rule.operand(i).rank(); ++dim) {
      rule.parallel({in(i, dim), out(i, dim)});
    }
  }
  rule.linear(std::move(all));
  return std::move(rule).build();
}

}  // namespace autoshard::internal
