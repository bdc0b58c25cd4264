// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_convolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "io/hlo_window.hpp"

namespace autoshard::internal {
namespace {

using Integers = std::vector<std::int64_t>;

void window(HloAttributeReader& in, Attributes& out) {
  HloWindow parts = read_hlo_window(in);
  out["window_strides"] = std::move(parts.strides);
  out["padding"] = std::move(parts.padding);
  out["lhs_dilation"] = std::move(parts.lhs_dilation);
  out["rhs_dilation"] = std::move(parts.rhs_dilation);
  out["window_reversal"] = std::move(parts.reversal);
}

/// One of the three groups of `dim_labels`: which dimension carries which letter or digit.
class Labels {
 public:
  Labels(HloAttributeReader& in, std::string_view text) : in_(in), text_(text) {}

  std::int64_t position(char label) {
    const std::size_t found = text_.find(label);
    if (found == std::string_view::npos) in_.fail(fmt::format("dim_labels lack '{}'", label));
    return found == std::string_view::npos ? 0 : static_cast<std::int64_t>(found);
  }

  Integers spatial() {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    Integers result;
    for (auto count = std::count_if(text_.begin(), text_.end(), is_digit); count > 0; --count) {
      result.push_back(position(static_cast<char>('0' + result.size())));
    }
    return result;
  }

 private:
  HloAttributeReader& in_;
  std::string_view text_;
};

void labels(HloAttributeReader& in, Attributes& out) {
  const std::string text = in.text("dim_labels");
  const std::size_t kernel_at = text.find('_');
  const std::size_t output_at = text.find("->");
  if (kernel_at >= text.size() || output_at >= text.size() || output_at < kernel_at) {
    return in.fail(fmt::format("dim_labels '{}' are not of the form input_kernel->output", text));
  }
  const std::string_view view = text;
  Labels input(in, view.substr(0, kernel_at));
  Labels kernel(in, view.substr(kernel_at + 1, output_at - kernel_at - 1));
  Labels output(in, view.substr(output_at + 2));
  out["input_batch_dimension"] = input.position('b');
  out["input_feature_dimension"] = input.position('f');
  out["input_spatial_dimensions"] = input.spatial();
  out["kernel_input_feature_dimension"] = kernel.position('i');
  out["kernel_output_feature_dimension"] = kernel.position('o');
  out["kernel_spatial_dimensions"] = kernel.spatial();
  out["output_batch_dimension"] = output.position('b');
  out["output_feature_dimension"] = output.position('f');
  out["output_spatial_dimensions"] = output.spatial();
}

void group_count(HloAttributeReader& in, Attributes& out, const char* name) {
  out[name] = in.instruction().attribute(name) ? in.integer(name) : std::int64_t{1};
}

}  // namespace

void translate_hlo_convolution(HloAttributeReader& in, Attributes& out) {
  window(in, out);
  labels(in, out);
  group_count(in, out, "feature_group_count");
  group_count(in, out, "batch_group_count");
}

}  // namespace autoshard::internal
