// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A dimension that is taken whole splits; of one that is read in part, the rows that a device needs
// lie on others.
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

bool is_whole(const Operator& op, std::size_t dim, std::int64_t size) {
  return ints(op, "start_indices")[dim] == 0 && ints(op, "limit_indices")[dim] == size &&
         ints(op, "strides")[dim] == 1;
}

}  // namespace

ShardingRule slice_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto& shape = rule.operand(0).shape;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    if (is_whole(op, dim, shape[dim])) rule.parallel({Dim{false, 0, dim}, Dim{true, 0, dim}});
  }
  rule.linear({0});
  return std::move(rule).build();
}

// The start is clamped, so a slice as large as its dimension starts at 0.
ShardingRule dynamic_slice_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto& shape = rule.operand(0).shape;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == rule.result().shape[dim]) {
      rule.parallel({Dim{false, 0, dim}, Dim{true, 0, dim}});
    }
  }
  rule.linear({0});
  return std::move(rule).build();
}

// A device writes what of the update falls into its rows; only an update as large as the dimension
// is sure to start at 0 and splits with it.
ShardingRule dynamic_update_slice_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const auto& shape = rule.operand(0).shape;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<Dim> dims{Dim{false, 0, dim}, Dim{true, 0, dim}};
    if (shape[dim] == rule.operand(1).shape[dim]) dims.push_back(Dim{false, 1, dim});
    rule.parallel(dims);
  }
  rule.linear({0, 1});
  return std::move(rule).build();
}

}  // namespace autoshard::internal
