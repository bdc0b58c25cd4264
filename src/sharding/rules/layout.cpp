// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/known_value.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

std::vector<std::int32_t> first_operands(std::size_t count) {
  std::vector<std::int32_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

bool is_padded(const Operator& op, std::int64_t dim) {
  const auto at = static_cast<std::size_t>(dim);
  return ints(op, "edge_padding_low")[at] != 0 || ints(op, "edge_padding_high")[at] != 0 ||
         ints(op, "interior_padding")[at] != 0;
}

}  // namespace

// New dimensions and dimensions of size 1 that are repeated split in the result alone.
ShardingRule broadcast_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto targets = ints(op, "broadcast_dimensions");
  std::vector<std::vector<Dim>> shared(rule.result().shape.size());
  for (std::size_t dim = 0; dim < targets.size(); ++dim) {
    const auto target = static_cast<std::size_t>(targets[dim]);
    if (rule.operand(0).shape[dim] == rule.result().shape[target]) {
      shared[target].push_back(Dim{false, 0, dim});
    }
  }
  for (std::size_t dim = 0; dim < shared.size(); ++dim) {
    shared[dim].push_back(Dim{true, 0, dim});
    rule.parallel(shared[dim]);
  }
  rule.linear({0});
  return std::move(rule).build();
}

ShardingRule transpose_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto permutation = ints(op, "permutation");
  for (std::size_t dim = 0; dim < permutation.size(); ++dim) {
    rule.parallel({in(0, permutation[dim]), Dim{true, 0, dim}});
  }
  rule.linear({0});
  return std::move(rule).build();
}

ShardingRule reverse_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (const std::int64_t dim : other_dims(rule.result().rank(), ints(op, "dimensions"))) {
    rule.parallel({in(0, dim), out(0, dim)});
  }
  rule.linear({0});
  return std::move(rule).build();
}

ShardingRule concatenate_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const std::int64_t joined = op.integer("dimension").value_or(0);
  for (const std::int64_t dim : other_dims(rule.result().rank(), std::span(&joined, 1))) {
    std::vector<Dim> dims{out(0, dim)};
    for (std::size_t i = 0; i < rule.operand_count(); ++i) dims.push_back(in(i, dim));
    rule.parallel(dims);
  }
  rule.linear(first_operands(rule.operand_count()));
  return std::move(rule).build();
}

// A padding of zero is zero on every device and need not be partial with the operand.
ShardingRule pad_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  for (std::int64_t dim = 0; dim < rule.result().rank(); ++dim) {
    if (!is_padded(op, dim)) rule.parallel({in(0, dim), out(0, dim)});
  }
  const bool zero = known_value(graph, op.operands[1]) == 0.0;
  rule.linear(first_operands(zero ? 1 : 2));
  return std::move(rule).build();
}

}  // namespace autoshard::internal
