// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Windows that slide over a piece of a tensor: which rows of the piece they meet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "execute/value.hpp"
#include "graph/window.hpp"

namespace autoshard::internal {

/// The smallest range of input rows that rows `offsets` of the window meet in `places`.
Range met_rows(const WindowDim& dim, const Range& places, const Range& offsets);

/// The dimensions of a piece along which a window slides, in the window's order.
struct SlidingInput {
  std::vector<WindowDim> window;
  Box held;
  std::vector<std::int64_t> strides;

  /// Where the element that row `offset` of the window meets in `place` lies in the piece; absent
  /// in the padding. The piece must hold what is met.
  std::optional<std::int64_t> position(const std::vector<std::int64_t>& place,
                                       const std::vector<std::int64_t>& offset) const;
};

/// The sum of an index below the extents of a box and the box's first index.
std::vector<std::int64_t> global_index(const Box& box, const std::vector<std::int64_t>& index);

}  // namespace autoshard::internal
