// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sharding rule of a known operator. One small function per family of operators, one table.
// Loops have no rule: their bodies are planned in place.
#pragma once

#include <optional>

#include "autoshard/graph.hpp"
#include "autoshard/sharding_rule.hpp"

namespace autoshard::internal {

/// Absent for a kind that nobody described; the caller keeps such an operator replicated.
std::optional<ShardingRule> derive_rule(const Graph& graph, const Operator& op);

/// Every dimension a parallel factor of its own: arguments of the graph.
ShardingRule argument_rule(const TensorType& type);

/// Every dimension must not be split: what an unknown operator gets.
ShardingRule replicated_rule(const Graph& graph, const Operator& op);

}  // namespace autoshard::internal
