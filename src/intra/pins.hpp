// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the caller wants a tensor to look like: looked up by path, checked against graph and mesh,
// and, where no plan can follow, the reason why. Following it is to_cost_graph's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autoshard/intra_op.hpp"

namespace autoshard::internal {

/// All pins of the options, those given by path as well; axes of size 1 are left out of specs.
/// Errors: no such tensor, a spec that makes no sense for it, two specs for one tensor.
Result<std::vector<PinnedSpec>> resolve_pins(const Graph& graph, const DeviceMesh& mesh,
                                             const IntraOpOptions& options);

/// The spec with the axes of each dimension in the order of the mesh.
ShardingSpec in_mesh_order(ShardingSpec spec);

/// The spec that an argument is pinned to, where it is none of `specs` only because of the order
/// of its axes: an argument may arrive so.
std::optional<ShardingSpec> reordered_pin(std::span<const PinnedSpec> pins, TensorId argument,
                                          std::span<const ShardingSpec> specs);

/// Why no strategy gives the tensor the spec that it is pinned to.
std::string pin_obstacle(const Graph& graph, const DeviceMesh& mesh, const Target& target,
                         const PinnedSpec& pin);

}  // namespace autoshard::internal
