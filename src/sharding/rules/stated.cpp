// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "sharding/rules/families.hpp"

namespace autoshard::internal {
namespace {

std::vector<TensorType> types_of(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::vector<TensorType> types;
  for (const TensorId id : tensors) types.push_back(graph[id].type);
  return types;
}

}  // namespace

// The text was checked when the graph was built, so it reads again.
std::optional<ShardingRule> stated_rule(const Graph& graph, const Operator& op) {
  const std::string* text = op.text("sharding_rule");
  if (text == nullptr) return std::nullopt;
  Result<ShardingRule> rule =
      parse_sharding_rule(*text, types_of(graph, op.operands), types_of(graph, op.results));
  return rule.ok() ? std::optional(std::move(rule).value()) : std::nullopt;
}

}  // namespace autoshard::internal
