// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors ever reach memory. A simple model of what compilers fuse: chains of elementwise
// operators with one consumer stay in registers, and what can be made from nothing (constants,
// iotas, broadcasts) is made where it is used.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

enum class Storage : std::uint8_t {
  materialised,  ///< written by its producer and read by each consumer
  fused,         ///< produced and consumed in one kernel
  free,          ///< a constant, an iota or a broadcast of one: remade by each consumer in any spec
  alias,         ///< a reshape: the memory of its operand under another shape
};

/// One entry per tensor.
std::vector<Storage> classify_storage(const Graph& graph);

/// One value in, one value out for each element; all shapes equal but for scalars.
bool is_elementwise(std::string_view kind);

/// Consumers of each tensor: operators, in program order, each once.
std::vector<std::vector<OperatorId>> consumers_of(const Graph& graph);

}  // namespace autoshard::internal
