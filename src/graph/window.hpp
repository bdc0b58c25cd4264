// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// How the window of a convolution, reduce_window or select_and_scatter slides along one dimension
// of its input, read from the operator's attributes. Whoever checks operators checks the numbers;
// everybody after that reads them here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

struct WindowDim {
  std::int64_t input = 0;           ///< rows of the input
  std::int64_t size = 1;            ///< rows of the window
  std::int64_t stride = 1;          ///< from one place of the window to the next
  std::int64_t low = 0;             ///< padding before the first row; negative cuts rows off
  std::int64_t high = 0;            ///< and after the last
  std::int64_t input_dilation = 1;  ///< distance of the input's rows from each other
  std::int64_t dilation = 1;        ///< distance of the window's rows from each other
  bool reversed = false;            ///< the window's last row comes first
};

/// StableHLO calls the same thing by other names in other operators; empty where it has none.
struct WindowAttributes {
  std::string_view input_dilation;
  std::string_view dilation;
  std::string_view reversal;
};
inline constexpr WindowAttributes kConvolutionWindow = {"lhs_dilation", "rhs_dilation",
                                                        "window_reversal"};
inline constexpr WindowAttributes kReduceWindow = {"base_dilations", "window_dilations", ""};
inline constexpr WindowAttributes kSelectWindow = {"", "", ""};

/// One entry per dimension along which the window may slide. Lists that are absent or empty mean
/// strides and dilations of 1 and no padding.
std::vector<WindowDim> read_window(const Attributes& attributes, const WindowAttributes& names,
                                   std::span<const std::int64_t> window_sizes,
                                   std::span<const std::int64_t> input_sizes);

/// Result row r is made of input row r alone.
bool is_pointwise(const WindowDim& dim);
/// There is one result row, for which row r of the window meets row r of the input.
bool is_whole(const WindowDim& dim);
/// The input row that row `offset` of the window meets when it makes result row `place`; absent in
/// the padding and between dilated rows.
std::optional<std::int64_t> input_row(const WindowDim& dim, std::int64_t place,
                                      std::int64_t offset);

}  // namespace autoshard::internal
