// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The forward pass as one sequence of operators with the work of each and the traffic over every
// cut. What is made from constants alone is left out: each stage makes its own.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

struct ForwardSequence {
  std::vector<OperatorId> operators;    ///< of main, in program order
  std::vector<double> flops;            ///< per operator, unsplit; of a loop: all its rounds
  std::vector<std::int64_t> cut_bytes;  ///< [i]: over the cut before operator i; one more entry
  /// Equal numbers for operators of equal kind, attributes and types.
  std::vector<std::int32_t> keys;

  std::size_t size() const { return operators.size(); }
  double total_flops() const;
};

ForwardSequence forward_sequence(const Graph& graph);

}  // namespace autoshard::internal
