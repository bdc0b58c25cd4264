// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// dot_general and reduce: a split of what they sum over leaves a partial result.
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/initial_values.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

std::vector<std::int64_t> free_dims(const RuleBuilder& rule, std::size_t operand,
                                    std::span<const std::int64_t> batching,
                                    std::span<const std::int64_t> contracting) {
  std::vector<std::int64_t> bound(batching.begin(), batching.end());
  bound.insert(bound.end(), contracting.begin(), contracting.end());
  return other_dims(rule.operand(operand).rank(), bound);
}

/// A sum is right when what is not neutral in it is partial itself. A product would need initial
/// values partial in the sense of a product, which nothing makes. The others do not mind counting
/// a value twice.
void reduced_dim(RuleBuilder& rule, const Graph& graph, const Operator& op,
                 const std::vector<Dim>& dims) {
  const auto kind = reducer_of(op);
  if (!kind) return rule.replicate(dims);
  if (*kind == ReductionKind::sum) {
    return rule.reduction(dims, *kind, initial_values_unless(graph, op, 0));
  }
  if (*kind == ReductionKind::product && !initial_values_unless(graph, op, 1).empty()) {
    return rule.replicate(dims);
  }
  rule.reduction(dims, *kind);
}

std::vector<Dim> input_dims(const Operator& op, std::int64_t dim) {
  std::vector<Dim> dims;
  for (std::size_t i = 0; i < input_count(op); ++i) dims.push_back(in(i, dim));
  return dims;
}

}  // namespace

// The result has the batch dimensions, then the free ones of the left, then those of the right.
ShardingRule dot_general_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto lhs_batch = ints(op, "lhs_batching_dimensions");
  const auto rhs_batch = ints(op, "rhs_batching_dimensions");
  const auto lhs_sum = ints(op, "lhs_contracting_dimensions");
  const auto rhs_sum = ints(op, "rhs_contracting_dimensions");
  std::int64_t dim = 0;
  for (std::size_t i = 0; i < lhs_batch.size(); ++i) {
    rule.parallel({in(0, lhs_batch[i]), in(1, rhs_batch[i]), out(0, dim++)});
  }
  for (const std::int64_t free : free_dims(rule, 0, lhs_batch, lhs_sum)) {
    rule.parallel({in(0, free), out(0, dim++)});
  }
  for (const std::int64_t free : free_dims(rule, 1, rhs_batch, rhs_sum)) {
    rule.parallel({in(1, free), out(0, dim++)});
  }
  for (std::size_t i = 0; i < lhs_sum.size(); ++i) {
    rule.reduction({in(0, lhs_sum[i]), in(1, rhs_sum[i])}, ReductionKind::sum);
  }
  rule.linear({0});
  rule.linear({1});
  return std::move(rule).build();
}

ShardingRule reduce_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto reduced = ints(op, "dimensions");
  std::int64_t kept = 0;
  for (std::int64_t dim = 0; dim < rule.operand(0).rank(); ++dim) {
    std::vector<Dim> dims = input_dims(op, dim);
    if (is_listed(reduced, dim)) {
      reduced_dim(rule, graph, op, dims);
      continue;
    }
    for (std::size_t i = 0; i < rule.result_count(); ++i) dims.push_back(out(i, kept));
    ++kept;
    rule.parallel(dims);
  }
  if (reducer_of(op) == ReductionKind::sum) rule.linear(summed_operands(graph, op));
  return std::move(rule).build();
}

}  // namespace autoshard::internal
