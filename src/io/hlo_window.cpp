// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_window.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "io/hlo_cursor.hpp"

namespace autoshard::internal {
namespace {

using Integers = std::vector<std::int64_t>;

/// What the window calls `size=`, `stride=` and so on; absent parts are empty.
std::string_view window_part(std::string_view window, std::string_view key) {
  const std::size_t found = window.find(std::string(key) + '=');
  if (found == std::string_view::npos) return {};
  const std::string_view rest = window.substr(found + key.size() + 1);
  return rest.substr(0, rest.find_first_of(" }"));
}

/// `3x3`, or `fallback` for each of `rank` dimensions when absent.
Integers counts(HloAttributeReader& in, std::string_view text, Integers fallback) {
  if (text.empty()) return fallback;
  Integers result;
  HloCursor cursor(text);
  do {
    result.push_back(cursor.integer());
  } while (cursor.accept('x'));
  if (cursor.failed()) in.fail(fmt::format("'{}' is not a list of counts", text));
  return result;
}

/// `1_1x0_2` as low, high, low, high.
Integers edges(HloAttributeReader& in, std::string_view text, std::size_t rank) {
  if (text.empty()) return Integers(2 * rank, 0);
  Integers result;
  HloCursor cursor(text);
  do {
    result.push_back(cursor.integer());
    cursor.expect('_');
    result.push_back(cursor.integer());
  } while (cursor.accept('x'));
  if (cursor.failed()) in.fail(fmt::format("'{}' is not a padding", text));
  return result;
}

}  // namespace

HloWindow read_hlo_window(HloAttributeReader& in) {
  const std::string_view text = in.instruction().attribute("window").value_or("");
  HloWindow window;
  window.sizes = counts(in, window_part(text, "size"), {});
  const Integers ones(window.sizes.size(), 1);
  window.strides = counts(in, window_part(text, "stride"), ones);
  window.padding = edges(in, window_part(text, "pad"), window.sizes.size());
  window.lhs_dilation = counts(in, window_part(text, "lhs_dilate"), ones);
  window.rhs_dilation = counts(in, window_part(text, "rhs_dilate"), ones);
  window.reversal = counts(in, window_part(text, "rhs_reversal"), Integers(window.sizes.size(), 0));
  return window;
}

void translate_hlo_reduce_window(HloAttributeReader& in, Attributes& out) {
  HloWindow window = read_hlo_window(in);
  out["window_dimensions"] = std::move(window.sizes);
  out["window_strides"] = std::move(window.strides);
  out["padding"] = std::move(window.padding);
  out["base_dilations"] = std::move(window.lhs_dilation);
  out["window_dilations"] = std::move(window.rhs_dilation);
}

void translate_hlo_select_and_scatter(HloAttributeReader& in, Attributes& out) {
  HloWindow window = read_hlo_window(in);
  out["window_dimensions"] = std::move(window.sizes);
  out["window_strides"] = std::move(window.strides);
  out["padding"] = std::move(window.padding);
}

}  // namespace autoshard::internal
