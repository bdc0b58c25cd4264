// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Minimum over any range of a fixed row of numbers in constant time (a sparse table).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace autoshard::internal {

class RangeMinimum {
 public:
  explicit RangeMinimum(const std::vector<std::int64_t>& values) : levels_{values} {
    for (std::size_t width = 1; 2 * width <= values.size(); width *= 2) {
      const std::vector<std::int64_t>& last = levels_.back();
      std::vector<std::int64_t> next(last.size() - width);
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = std::min(last[i], last[i + width]);
      levels_.push_back(std::move(next));
    }
  }
  std::int64_t over(std::int32_t begin, std::int32_t end) const {
    const auto length = static_cast<std::size_t>(end - begin);
    const auto level = static_cast<std::size_t>(std::bit_width(length) - 1);
    const std::vector<std::int64_t>& row = levels_[level];
    return std::min(row[static_cast<std::size_t>(begin)],
                    row[static_cast<std::size_t>(end) - (std::size_t{1} << level)]);
  }

 private:
  std::vector<std::vector<std::int64_t>> levels_;
};

}  // namespace autoshard::internal
