// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is known about a tensor's elements while planning: only that all of them are one constant.
// It does not evaluate arithmetic.
#pragma once

#include <optional>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

/// The number that every element of a constant is; absent when they differ or are elided.
std::optional<double> splat_value(const Operator& constant);

/// The same for any tensor, looking through operators that only move or convert elements.
std::optional<double> known_value(const Graph& graph, TensorId tensor);

}  // namespace autoshard::internal
