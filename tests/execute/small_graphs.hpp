// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Small graphs and right plans for them, written by hand.
#pragma once

#include "autoshard/graph.hpp"
#include "autoshard/graph_builder.hpp"
#include "support/hand_plan.hpp"

namespace autoshard::test {

TensorType f32_type(std::vector<std::int64_t> shape);
TensorId matmul(GraphBuilder& builder, const std::string& name, TensorId a, TensorId b,
                TensorType result);
Graph finished(GraphBuilder builder);

/// out = reduce-sum over the batch of tanh(x w): x [8,4], w [4,6].
Graph column_sums();
/// The batch is split, the sums are partial and are all-reduced.
HandPlan data_parallel(const Graph& graph, DeviceMesh mesh);

/// out = tanh(x w1) w2: x [8,4], w1 [4,12], w2 [12,4].
Graph two_layers();
/// w1 split by columns, w2 by rows, the result all-reduced.
HandPlan column_row_split(const Graph& graph, DeviceMesh mesh);

/// out = table[tokens]: table [10,4], tokens [6].
Graph lookup();
/// The table is split by rows, the rows found are partial and reduce-scattered.
HandPlan vocabulary_split(const Graph& graph, DeviceMesh mesh);

/// Five turns of x = tanh(x w): x [8,4], w [4,4] from outside of the loop.
Graph loop();
/// w comes in pieces and is gathered once; x is split by columns inside and gathered every turn.
HandPlan loop_plan(const Graph& graph, DeviceMesh mesh);

}  // namespace autoshard::test
