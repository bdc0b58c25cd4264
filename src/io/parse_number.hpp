// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Numbers from text, whole strings only: "12x", " 12" and "" are no numbers, and neither are inf
// and nan.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace autoshard::internal {

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

inline std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace autoshard::internal
