// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One small function per family of operators: it checks operands and attributes and answers with
// the types of the results. Ranks and attributes follow the StableHLO specification, with the
// differences that docs/graph.md states.
#pragma once

#include "graph/checks/operator_call.hpp"

namespace autoshard::internal {

using InferResults = Result<Types> (*)(const OperatorCall&);

// elementwise.cpp
Result<Types> infer_unary(const OperatorCall& call);
Result<Types> infer_bitwise_unary(const OperatorCall& call);
Result<Types> infer_abs(const OperatorCall& call);
Result<Types> infer_is_finite(const OperatorCall& call);
Result<Types> infer_convert(const OperatorCall& call);
Result<Types> infer_bitcast_convert(const OperatorCall& call);
Result<Types> infer_same_types(const OperatorCall& call);
Result<Types> infer_binary(const OperatorCall& call);
Result<Types> infer_bitwise_binary(const OperatorCall& call);
Result<Types> infer_compare(const OperatorCall& call);
Result<Types> infer_select(const OperatorCall& call);
Result<Types> infer_clamp(const OperatorCall& call);

// creation.cpp
Result<Types> infer_constant(const OperatorCall& call);
Result<Types> infer_iota(const OperatorCall& call);
Result<Types> infer_rng(const OperatorCall& call);
Result<Types> infer_rng_bit_generator(const OperatorCall& call);

// layout.cpp
Result<Types> infer_broadcast_in_dim(const OperatorCall& call);
Result<Types> infer_reshape(const OperatorCall& call);
Result<Types> infer_transpose(const OperatorCall& call);
Result<Types> infer_reverse(const OperatorCall& call);

// contraction.cpp
Result<Types> infer_dot_general(const OperatorCall& call);
Result<Types> infer_reduce(const OperatorCall& call);

// convolution.cpp and windows.cpp
Result<Types> infer_convolution(const OperatorCall& call);
Result<Types> infer_reduce_window(const OperatorCall& call);
Result<Types> infer_select_and_scatter(const OperatorCall& call);

// ordering.cpp
Result<Types> infer_sort(const OperatorCall& call);
Result<Types> infer_top_k(const OperatorCall& call);
Result<Types> infer_cumulative(const OperatorCall& call);
Result<Types> infer_position(const OperatorCall& call);

// indexing.cpp
Result<Types> infer_gather(const OperatorCall& call);
Result<Types> infer_scatter(const OperatorCall& call);

// slicing.cpp
Result<Types> infer_slice(const OperatorCall& call);
Result<Types> infer_dynamic_slice(const OperatorCall& call);
Result<Types> infer_dynamic_update_slice(const OperatorCall& call);
Result<Types> infer_pad(const OperatorCall& call);
Result<Types> infer_concatenate(const OperatorCall& call);

// custom_call.cpp
Result<Types> infer_custom_call(const OperatorCall& call);

// loop.cpp
Result<Types> infer_while(const OperatorCall& call);

}  // namespace autoshard::internal
