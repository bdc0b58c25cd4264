// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/kernels/sliding.hpp"

#include <algorithm>

namespace autoshard::internal {

Range met_rows(const WindowDim& dim, const Range& places, const Range& offsets) {
  Range hull;
  for (std::int64_t place = places.begin; place < places.end; ++place) {
    for (std::int64_t offset = offsets.begin; offset < offsets.end; ++offset) {
      const std::optional<std::int64_t> row = input_row(dim, place, offset);
      if (!row) continue;
      hull = hull.empty() ? Range{*row, *row + 1}
                          : Range{std::min(hull.begin, *row), std::max(hull.end, *row + 1)};
    }
  }
  return hull;
}

std::optional<std::int64_t> SlidingInput::position(const std::vector<std::int64_t>& place,
                                                   const std::vector<std::int64_t>& offset) const {
  std::int64_t result = 0;
  for (std::size_t d = 0; d < window.size(); ++d) {
    const std::optional<std::int64_t> row = input_row(window[d], place[d], offset[d]);
    if (!row) return std::nullopt;
    result += (*row - held[d].begin) * strides[d];
  }
  return result;
}

std::vector<std::int64_t> global_index(const Box& box, const std::vector<std::int64_t>& index) {
  std::vector<std::int64_t> result = index;
  for (std::size_t d = 0; d < result.size(); ++d) result[d] += box[d].begin;
  return result;
}

}  // namespace autoshard::internal
