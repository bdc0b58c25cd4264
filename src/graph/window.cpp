// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/window.hpp"

namespace autoshard::internal {
namespace {

/// A list attribute whose entries all are `otherwise` when it is absent.
class Numbers {
 public:
  Numbers(const Attributes& attributes, std::string_view name, std::int64_t otherwise)
      : otherwise_(otherwise) {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return;
    list_ = std::get_if<std::vector<std::int64_t>>(&found->second);
  }

  std::int64_t operator[](std::size_t i) const {
    return list_ == nullptr || list_->empty() ? otherwise_ : (*list_)[i];
  }

 private:
  const std::vector<std::int64_t>* list_ = nullptr;
  std::int64_t otherwise_;
};

}  // namespace

std::vector<WindowDim> read_window(const Attributes& attributes, const WindowAttributes& names,
                                   std::span<const std::int64_t> window_sizes,
                                   std::span<const std::int64_t> input_sizes) {
  const Numbers strides(attributes, "window_strides", 1);
  const Numbers padding(attributes, "padding", 0);
  const Numbers input_dilation(attributes, names.input_dilation, 1);
  const Numbers dilation(attributes, names.dilation, 1);
  const Numbers reversal(attributes, names.reversal, 0);
  std::vector<WindowDim> window;
  for (std::size_t d = 0; d < window_sizes.size(); ++d) {
    window.push_back({.input = input_sizes[d],
                      .size = window_sizes[d],
                      .stride = strides[d],
                      .low = padding[2 * d],
                      .high = padding[2 * d + 1],
                      .input_dilation = input_dilation[d],
                      .dilation = dilation[d],
                      .reversed = reversal[d] != 0});
  }
  return window;
}

bool is_pointwise(const WindowDim& dim) {
  return dim.size == 1 && dim.stride == 1 && dim.low == 0 && dim.high == 0 &&
         dim.input_dilation == 1;
}

bool is_whole(const WindowDim& dim) {
  return dim.size == dim.input && dim.low == 0 && dim.high == 0 && dim.input_dilation == 1 &&
         dim.dilation == 1 && !dim.reversed;
}

std::optional<std::int64_t> input_row(const WindowDim& dim, std::int64_t place,
                                      std::int64_t offset) {
  const std::int64_t row = dim.reversed ? dim.size - 1 - offset : offset;
  const std::int64_t position = place * dim.stride + row * dim.dilation - dim.low;
  if (position < 0 || position % dim.input_dilation != 0) return std::nullopt;
  const std::int64_t result = position / dim.input_dilation;
  return result < dim.input ? std::optional(result) : std::nullopt;
}

}  // namespace autoshard::internal
