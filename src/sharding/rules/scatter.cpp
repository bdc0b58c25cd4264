// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operands: input, indices, updates. A device that holds some rows of the input drops the updates
// of all others, so every dimension of the input splits; whether that of the updates splits with it
// depends on who decides where they go.
#include <algorithm>
#include <optional>
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/known_value.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kIndices = 1;
constexpr std::size_t kUpdates = 2;

/// A window as large as the input's dimension lies on it element by element, unless an index moves
/// it.
void window_dims(RuleBuilder& rule, const Operator& op) {
  const auto inserted = ints(op, "inserted_window_dims");
  const auto batching = ints(op, "input_batching_dims");
  const auto indexed = ints(op, "scatter_dims_to_operand_dims");
  const auto window = ints(op, "update_window_dims");
  std::size_t next = 0;
  for (std::int64_t dim = 0; dim < rule.operand(kInput).rank(); ++dim) {
    if (is_listed(batching, dim)) continue;
    std::vector<Dim> dims{in(kInput, dim), out(0, dim)};
    if (!is_listed(inserted, dim)) {
      const Dim update = in(kUpdates, window[next++]);
      const bool whole = rule.operand(kUpdates).shape[update.dim] ==
                         rule.operand(kInput).shape[static_cast<std::size_t>(dim)];
      if (whole && !is_listed(indexed, dim)) dims.push_back(update);
    }
    rule.parallel(dims);
  }
}

bool is_idempotent(ReductionKind kind) {
  return kind != ReductionKind::sum && kind != ReductionKind::product;
}

/// A device that applies some of the updates to the whole input has a partial result. What the
/// input brings is then counted on every device: harmless when repeating it changes nothing or it
/// is zero, otherwise the input must be partial too.
void split_updates(RuleBuilder& rule, const Graph& graph, const Operator& op,
                   const std::vector<Dim>& dims) {
  const std::string* text = op.text("reducer");
  const auto kind = text == nullptr ? std::nullopt : parse_reduction(*text);
  if (!kind || *kind == ReductionKind::product) return rule.replicate(dims);
  const bool harmless = is_idempotent(*kind) || known_value(graph, op.operands[kInput]) == 0.0;
  rule.reduction(dims, *kind, harmless ? std::vector<std::int32_t>{} : std::vector{0});
}

void batch_dims(RuleBuilder& rule, const Graph& graph, const Operator& op) {
  const std::int64_t rank = rule.operand(kIndices).rank();
  const std::int64_t vector_dim = op.integer("index_vector_dim").value_or(rank);
  const auto from_indices = other_dims(rank, std::span(&vector_dim, 1));
  const auto in_updates = other_dims(rule.operand(kUpdates).rank(), ints(op, "update_window_dims"));
  const auto input_batch = ints(op, "input_batching_dims");
  const auto indices_batch = ints(op, "scatter_indices_batching_dims");
  for (std::size_t i = 0; i < from_indices.size(); ++i) {
    std::vector<Dim> dims{in(kIndices, from_indices[i]), in(kUpdates, in_updates[i])};
    const auto shared = std::ranges::find(indices_batch, from_indices[i]);
    if (shared == indices_batch.end()) {
      split_updates(rule, graph, op, dims);
      continue;
    }
    const auto dim = input_batch[static_cast<std::size_t>(shared - indices_batch.begin())];
    dims.push_back(in(kInput, dim));
    dims.push_back(out(0, dim));
    rule.parallel(dims);
  }
}

/// An assignment is linear too: every element of the result is one of the input or the updates.
void linear_groups(RuleBuilder& rule, const Graph& graph, const Operator& op) {
  const std::string* reducer = op.text("reducer");
  if (reducer == nullptr || (*reducer != "sum" && *reducer != "assign")) return;
  rule.linear({0, 2});
  if (known_value(graph, op.operands[kInput]) == 0.0) rule.linear({2});
}

}  // namespace

ShardingRule scatter_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  window_dims(rule, op);
  batch_dims(rule, graph, op);
  linear_groups(rule, graph, op);
  return std::move(rule).build();
}

}  // namespace autoshard::internal
