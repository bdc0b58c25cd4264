// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One function per family of operators: the sharding rule of an operator that the graph's builder
// has checked. derive_rule.cpp says which kinds belong to which family.
#pragma once

#include <optional>

#include "autoshard/graph.hpp"
#include "autoshard/sharding_rule.hpp"

namespace autoshard::internal {

// elementwise.cpp. All of them split like their result; the names say in what they are linear.
ShardingRule elementwise_rule(const Graph& graph, const Operator& op);
ShardingRule linear_unary_rule(const Graph& graph, const Operator& op);
ShardingRule add_rule(const Graph& graph, const Operator& op);
ShardingRule multiply_rule(const Graph& graph, const Operator& op);
ShardingRule divide_rule(const Graph& graph, const Operator& op);
ShardingRule convert_rule(const Graph& graph, const Operator& op);
ShardingRule select_rule(const Graph& graph, const Operator& op);
ShardingRule bitcast_rule(const Graph& graph, const Operator& op);
ShardingRule barrier_rule(const Graph& graph, const Operator& op);

// source.cpp: operators that make a tensor out of nothing.
ShardingRule constant_rule(const Graph& graph, const Operator& op);
ShardingRule generator_rule(const Graph& graph, const Operator& op);
ShardingRule unsplit_rule(const Graph& graph, const Operator& op);

// layout.cpp and reshape.cpp: every element of the result is an element of an operand.
ShardingRule broadcast_rule(const Graph& graph, const Operator& op);
ShardingRule transpose_rule(const Graph& graph, const Operator& op);
ShardingRule reverse_rule(const Graph& graph, const Operator& op);
ShardingRule concatenate_rule(const Graph& graph, const Operator& op);
ShardingRule pad_rule(const Graph& graph, const Operator& op);
ShardingRule reshape_rule(const Graph& graph, const Operator& op);

// slice.cpp
ShardingRule slice_rule(const Graph& graph, const Operator& op);
ShardingRule dynamic_slice_rule(const Graph& graph, const Operator& op);
ShardingRule dynamic_update_slice_rule(const Graph& graph, const Operator& op);

// contraction.cpp
ShardingRule dot_general_rule(const Graph& graph, const Operator& op);
ShardingRule reduce_rule(const Graph& graph, const Operator& op);

// convolution.cpp and window.cpp
ShardingRule convolution_rule(const Graph& graph, const Operator& op);
ShardingRule reduce_window_rule(const Graph& graph, const Operator& op);
ShardingRule select_and_scatter_rule(const Graph& graph, const Operator& op);

// ordering.cpp
ShardingRule sort_rule(const Graph& graph, const Operator& op);
ShardingRule top_k_rule(const Graph& graph, const Operator& op);
ShardingRule cumulative_rule(const Graph& graph, const Operator& op);
ShardingRule position_rule(const Graph& graph, const Operator& op);

// gather.cpp and scatter.cpp
ShardingRule gather_rule(const Graph& graph, const Operator& op);
ShardingRule scatter_rule(const Graph& graph, const Operator& op);

// stated.cpp: what a custom_call says of itself; absent when it says nothing.
std::optional<ShardingRule> stated_rule(const Graph& graph, const Operator& op);

}  // namespace autoshard::internal
