// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/checks/windows.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

// Only 128 bits hold every product of two numbers from the host.
__extension__ using Wide = __int128;

/// Positions in the padded input stay below 2^62, so that 64 bits hold them and their differences.
constexpr std::int64_t kMaximumStep = std::int64_t{1} << 61;
constexpr Wide kMaximumRows = Wide{1} << 62;

Result<void> check_range(std::string_view attribute, Ints list, std::int64_t low,
                         std::int64_t high) {
  for (const std::int64_t value : list) {
    if (value >= low && value <= high) continue;
    return invalid("attribute '{}': {} is not in [{}, {}]", attribute, value, low, high);
  }
  return {};
}

/// Absent, or as many entries as expected, each in [low, high].
Result<void> check_list(const OperatorCall& call, std::string_view attribute, std::size_t entries,
                        std::pair<std::int64_t, std::int64_t> range) {
  AUTOSHARD_TRY(const Ints list, ints_or_empty(call, attribute));
  if (list.empty()) return {};
  AUTOSHARD_CHECK_OK(check_length(attribute, list, entries));
  return check_range(attribute, list, range.first, range.second);
}

Wide dilated(std::int64_t size, std::int64_t dilation) {
  return size == 0 ? Wide{0} : Wide{size - 1} * dilation + 1;
}

Result<std::int64_t> places(const WindowDim& dim, std::size_t index) {
  const Wide padded = dilated(dim.input, dim.input_dilation) + dim.low + dim.high;
  const Wide window = dilated(dim.size, dim.dilation);
  if (padded > kMaximumRows) {
    return invalid("window dimension {}: the padded input passes 2^62 rows", index);
  }
  if (padded <= 0 || window > padded) return 0;
  return static_cast<std::int64_t>((padded - window) / dim.stride + 1);
}

/// Inputs of one shape, then as many scalars of the inputs' element types.
Result<std::size_t> checked_inputs(const OperatorCall& call) {
  const std::size_t inputs = call.operands.size() / 2;
  if (inputs == 0 || call.operands.size() % 2 != 0) {
    return invalid("has {} operands, expected inputs and as many initial values",
                   call.operands.size());
  }
  for (std::size_t i = 0; i < inputs; ++i) {
    const DType dtype = call.operands[i].dtype;
    AUTOSHARD_CHECK_OK(check_operand(call, i, {dtype, call.operands[0].shape}));
    AUTOSHARD_CHECK_OK(check_operand(call, inputs + i, {dtype, {}}));
  }
  return inputs;
}

/// The shape of what a window of `window_dimensions` makes of operand 0.
Result<std::vector<std::int64_t>> pooled_shape(const OperatorCall& call,
                                               const WindowAttributes& names) {
  const std::vector<std::int64_t>& shape = call.operands[0].shape;
  AUTOSHARD_TRY(const Ints sizes, ints_or_empty(call, "window_dimensions"));
  AUTOSHARD_CHECK_OK(check_length("window_dimensions", sizes, shape.size()));
  AUTOSHARD_CHECK_OK(check_range("window_dimensions", sizes, 1, kMaximumStep));
  AUTOSHARD_TRY(const std::vector<WindowDim> window, checked_window(call, names, sizes, shape));
  return window_places(window);
}

}  // namespace

Result<std::vector<WindowDim>> checked_window(const OperatorCall& call,
                                              const WindowAttributes& names, Ints window_sizes,
                                              Ints input_sizes) {
  const std::size_t rank = window_sizes.size();
  AUTOSHARD_CHECK_OK(check_list(call, "window_strides", rank, {1, kMaximumStep}));
  AUTOSHARD_CHECK_OK(check_list(call, "padding", 2 * rank, {-kMaximumStep, kMaximumStep}));
  AUTOSHARD_CHECK_OK(check_list(call, names.input_dilation, rank, {1, kMaximumStep}));
  AUTOSHARD_CHECK_OK(check_list(call, names.dilation, rank, {1, kMaximumStep}));
  AUTOSHARD_CHECK_OK(check_list(call, names.reversal, rank, {0, 1}));
  return read_window(call.attributes, names, window_sizes, input_sizes);
}

Result<std::vector<std::int64_t>> window_places(const std::vector<WindowDim>& window) {
  std::vector<std::int64_t> list;
  for (std::size_t d = 0; d < window.size(); ++d) {
    AUTOSHARD_TRY(const std::int64_t count, places(window[d], d));
    list.push_back(count);
  }
  return list;
}

Result<Types> infer_reduce_window(const OperatorCall& call) {
  AUTOSHARD_TRY(const std::size_t inputs, checked_inputs(call));
  AUTOSHARD_CHECK_OK(required_reducer(call, {"custom"}));
  AUTOSHARD_TRY(const std::vector<std::int64_t> shape, pooled_shape(call, kReduceWindow));
  Types types;
  for (std::size_t i = 0; i < inputs; ++i) types.push_back({call.operands[i].dtype, shape});
  return types;
}

Result<Types> infer_select_and_scatter(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(required_word(call, "selector", {"max", "min", "custom"}));
  AUTOSHARD_CHECK_OK(required_reducer(call, {"custom"}));
  const DType dtype = call.operands[0].dtype;
  AUTOSHARD_TRY(const std::vector<std::int64_t> shape, pooled_shape(call, kSelectWindow));
  AUTOSHARD_CHECK_OK(check_operand(call, 1, {dtype, shape}));
  AUTOSHARD_CHECK_OK(check_operand(call, 2, {dtype, {}}));
  return Types{call.operands[0]};
}

}  // namespace autoshard::internal
