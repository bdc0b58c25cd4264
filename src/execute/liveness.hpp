// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// When the values of a run can be dropped.
#pragma once

#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

/// By operator: the tensors of its region whose last use it is. A use inside a loop's body counts
/// for the loop in the tensor's own region; results of a region are kept to its end.
std::vector<std::vector<TensorId>> last_uses(const Graph& graph);

/// By region: the tensors that stand in it.
std::vector<std::vector<TensorId>> tensors_by_region(const Graph& graph);

}  // namespace autoshard::internal
