// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Training steps whose best plans can be found with pencil and paper: forward, backward and
// update, each operator in its phase, weights and optimizer state as state pairs. The loss itself
// is not computed: only its gradient matters to the step.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/graph.hpp"
#include "support/training_writer.hpp"

namespace autoshard::test {

/// Arguments: x, y, then per layer w0 and b0, w1 and b1, ...; for Adam m.w0, v.w0, ... and the
/// scalar `step`, as the update comes to them.
struct MlpModel {
  std::int64_t batch = 8;
  std::vector<std::int64_t> widths = {4, 16, 4};  ///< of the input, then of each layer's output
  DType dtype = DType::f32;
  bool bias = false;
  bool relu = true;  ///< between layers
  Optimizer optimizer = Optimizer::sgd;
  bool input_gradient = false;  ///< a further result, as when the MLP is a part of a model
};

/// Mean squared error of an MLP.
Graph mlp_step(const MlpModel& model);

/// Arguments: tokens, labels, embedding, m.embedding, v.embedding, step.
struct TiedEmbeddingModel {
  std::int64_t batch = 2;
  std::int64_t sequence = 4;
  std::int64_t vocabulary = 32;
  std::int64_t hidden = 8;
  DType dtype = DType::f32;
  Optimizer optimizer = Optimizer::adam;
};

/// The smallest language model with tied embeddings: rows of the embedding times its transpose,
/// softmax cross entropy. The gradient is that of the product plus a scatter of that of the rows.
Graph tied_embedding_step(const TiedEmbeddingModel& model);

/// An argument of main by its name; fails the test if there is none.
std::size_t argument_index(const Graph& graph, std::string_view name);

}  // namespace autoshard::test
