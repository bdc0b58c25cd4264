// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A graph cut into layers, the atoms of pipeline stages: forward operators in program order, in
// pieces of balanced work with little traffic over the cuts, repeated blocks kept whole; and with
// each piece its backward pass and the update of its parameters. It says nothing about devices or
// stages, and opens no loops: a loop belongs to one layer as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"

namespace autoshard {

struct LayerOptions {
  /// How many layers, >= 1. Absent: repeated blocks and what is between them, or, without any
  /// repeated block, at most 16.
  std::optional<std::int64_t> count;
  /// Names of forward operators of main, each the last one of its layer (the last layer ends by
  /// itself). Not empty: these cuts and no others; `count` must be absent.
  std::vector<std::string> last_operators;
};

struct Layer {
  std::vector<OperatorId> operators;  ///< of main, all phases, in program order
  double forward_flops = 0;           ///< of forward operators, unsplit
  /// Bytes of forward values that are made in this layer or before and read behind it; not of
  /// arguments, and not of what is made from constants alone.
  std::int64_t cut_bytes = 0;
};

struct Layering {
  std::vector<Layer> layers;
  std::vector<std::int32_t> layer_of;  ///< per operator of the graph; in a body: the loop's
  std::int64_t repeated_blocks = 0;    ///< how many layers are repeated blocks, before merging
};

/// Errors: an unknown, repeated or misplaced operator name, more layers than operators to cut
/// between, a graph without forward operators.
Result<Layering> make_layers(const Graph& graph, const LayerOptions& options = {});

}  // namespace autoshard
