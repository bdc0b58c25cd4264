// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

std::vector<std::int64_t> joined(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  std::vector<std::int64_t> list(a.begin(), a.end());
  list.insert(list.end(), b.begin(), b.end());
  return list;
}

/// Dimensions of the operand that appear in the result, next to the offset dimensions. A start is
/// clamped, so a slice as large as its dimension starts at 0.
void offset_dims(RuleBuilder& rule, const Operator& op) {
  const auto collapsed =
      joined(ints(op, "collapsed_slice_dims"), ints(op, "operand_batching_dims"));
  const auto kept = other_dims(rule.operand(0).rank(), collapsed);
  const auto offsets = ints(op, "offset_dims");
  const auto sizes = ints(op, "slice_sizes");
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto dim = static_cast<std::size_t>(kept[i]);
    if (sizes[dim] == rule.operand(0).shape[dim]) {
      rule.parallel({in(0, kept[i]), out(0, offsets[i])});
    }
  }
}

/// Rows that are looked up: a device finds those it holds and contributes zero for all others.
void looked_up_dims(RuleBuilder& rule, const Operator& op) {
  const auto indexed = ints(op, "start_index_map");
  for (const std::int64_t dim : ints(op, "collapsed_slice_dims")) {
    if (is_listed(indexed, dim)) rule.reduction({in(0, dim)}, ReductionKind::sum);
  }
}

/// Dimensions of the indices but the index vector, next to the result's other dimensions.
void batch_dims(RuleBuilder& rule, const Operator& op) {
  const std::int64_t vector_dim = op.integer("index_vector_dim").value_or(rule.operand(1).rank());
  const auto from_indices = other_dims(rule.operand(1).rank(), std::span(&vector_dim, 1));
  const auto in_result = other_dims(rule.result().rank(), ints(op, "offset_dims"));
  const auto operand_batch = ints(op, "operand_batching_dims");
  const auto indices_batch = ints(op, "start_indices_batching_dims");
  for (std::size_t i = 0; i < from_indices.size(); ++i) {
    std::vector<Dim> dims{in(1, from_indices[i]), out(0, in_result[i])};
    const auto shared = std::ranges::find(indices_batch, from_indices[i]);
    if (shared != indices_batch.end()) {
      dims.push_back(
          in(0, operand_batch[static_cast<std::size_t>(shared - indices_batch.begin())]));
    }
    rule.parallel(dims);
  }
}

}  // namespace

ShardingRule gather_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  batch_dims(rule, op);
  offset_dims(rule, op);
  looked_up_dims(rule, op);
  rule.linear({0});
  return std::move(rule).build();
}

}  // namespace autoshard::internal
