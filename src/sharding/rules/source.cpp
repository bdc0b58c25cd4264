// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/known_value.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

void split_results(RuleBuilder& rule) {
  for (std::size_t i = 0; i < rule.result_count(); ++i) {
    for (std::int64_t dim = 0; dim < rule.result(i).rank(); ++dim) rule.parallel({out(i, dim)});
  }
}

}  // namespace

// A device makes its slice only, of listed values as of equal ones.
ShardingRule constant_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  split_results(rule);
  if (splat_value(op) == 0.0) rule.linear({});
  return std::move(rule).build();
}

// A device knows the offset of its slice, so the numbered dimension of an iota splits too, and the
// elements of an rng are independent. The operands of an rng are scalars.
ShardingRule generator_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  split_results(rule);
  return std::move(rule).build();
}

// rng_bit_generator: its bits depend on the position in one sequence that starts at the state, and
// the algorithms do not promise that a device can start in the middle.
ShardingRule unsplit_rule(const Graph& graph, const Operator& op) {
  return RuleBuilder(graph, op).build();
}

}  // namespace autoshard::internal
