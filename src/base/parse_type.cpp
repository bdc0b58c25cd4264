// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/parse_type.hpp"

#include <charconv>

namespace autoshard::internal {
namespace {

/// "8,1024" -> {8, 1024}; the empty text is the shape of a scalar.
std::optional<std::vector<std::int64_t>> parse_sizes(std::string_view text) {
  std::vector<std::int64_t> sizes;
  if (text.empty()) return sizes;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data();; ++at) {
    std::int64_t size = 0;
    const auto [stop, code] = std::from_chars(at, end, size);
    if (code != std::errc{}) return std::nullopt;
    sizes.push_back(size);
    if (stop == end) return sizes;
    if (*stop != ',') return std::nullopt;
    at = stop;
  }
}

}  // namespace

std::optional<TensorType> parse_type(std::string_view text) {
  const std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || text.back() != ']') return std::nullopt;
  const auto dtype = parse_dtype(text.substr(0, bracket));
  auto sizes = parse_sizes(text.substr(bracket + 1, text.size() - bracket - 2));
  if (!dtype || !sizes) return std::nullopt;
  return TensorType{*dtype, *std::move(sizes)};
}

}  // namespace autoshard::internal
