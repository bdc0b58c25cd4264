// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a window that come unchecked from the host, and how many places the window finds.
#pragma once

#include "graph/checks/operator_call.hpp"
#include "graph/window.hpp"

namespace autoshard::internal {

/// Sizes and lists are sound: one entry per dimension (two for padding) or none at all, strides and
/// dilations of at least 1, and no number so large that sums of products could overflow later.
Result<std::vector<WindowDim>> checked_window(const OperatorCall& call,
                                              const WindowAttributes& names, Ints window_sizes,
                                              Ints input_sizes);

/// In how many places the window fits along each dimension; StableHLO's formula.
Result<std::vector<std::int64_t>> window_places(const std::vector<WindowDim>& window);

}  // namespace autoshard::internal
