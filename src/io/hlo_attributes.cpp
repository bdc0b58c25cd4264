// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_attributes.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "io/hlo_cursor.hpp"

namespace autoshard::internal {
namespace {

std::int64_t next_signed(HloCursor& cursor, char separator) {
  if (!cursor.accept(separator)) return 0;
  return cursor.integer();
}

}  // namespace

void HloAttributeReader::fail(std::string reason) {
  if (!problem_) problem_ = std::move(reason);
}

std::string_view HloAttributeReader::required(std::string_view name) {
  const std::optional<std::string_view> value = instruction_.attribute(name);
  if (!value) fail(fmt::format("attribute '{}' is missing", name));
  return value.value_or(std::string_view());
}

std::vector<std::int64_t> HloAttributeReader::integers(std::string_view name) {
  std::vector<std::int64_t> result;
  const std::optional<std::string_view> value = instruction_.attribute(name);
  if (!value) return result;
  HloCursor cursor(*value);
  cursor.expect('{');
  if (cursor.accept('}')) return result;
  do {
    result.push_back(cursor.integer());
  } while (cursor.accept(','));
  cursor.expect('}');
  if (cursor.failed()) fail(fmt::format("attribute '{}' is not a list of integers", name));
  return result;
}

std::int64_t HloAttributeReader::integer(std::string_view name) {
  HloCursor cursor(required(name));
  const bool list = cursor.accept('{');
  const std::int64_t result = cursor.integer();
  if (list) cursor.expect('}');
  if (cursor.failed()) fail(fmt::format("attribute '{}' is not an integer", name));
  return result;
}

std::string HloAttributeReader::text(std::string_view name) {
  std::string_view value = required(name);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  return std::string(value);
}

HloSlice HloAttributeReader::slice(std::string_view name) {
  HloSlice result;
  HloCursor cursor(required(name));
  cursor.expect('{');
  if (cursor.accept('}')) return result;
  do {
    cursor.expect('[');
    result.starts.push_back(cursor.integer());
    cursor.expect(':');
    result.limits.push_back(cursor.integer());
    result.strides.push_back(cursor.accept(':') ? cursor.integer() : 1);
    cursor.expect(']');
  } while (cursor.accept(','));
  cursor.expect('}');
  if (cursor.failed()) fail(fmt::format("attribute '{}' is not a list of ranges", name));
  return result;
}

HloPadding HloAttributeReader::padding(std::string_view name) {
  HloPadding result;
  // A scalar has nothing to pad, and then XLA prints nothing.
  if (!instruction_.attribute(name)) return result;
  HloCursor cursor(required(name));
  do {
    result.low.push_back(cursor.integer());
    cursor.expect('_');
    result.high.push_back(cursor.integer());
    result.interior.push_back(next_signed(cursor, '_'));
  } while (cursor.accept('x'));
  if (cursor.failed()) fail(fmt::format("attribute '{}' is not a padding", name));
  return result;
}

std::size_t hlo_parameter_number(const HloInstruction& parameter) {
  return static_cast<std::size_t>(HloCursor(parameter.literal).integer());
}

std::optional<std::int64_t> hlo_known_trip_count(const HloInstruction& instruction) {
  const std::string_view config = instruction.attribute("backend_config").value_or("");
  const std::size_t key = config.find("known_trip_count");
  if (key == std::string_view::npos) return std::nullopt;
  const std::size_t digits = config.find_first_of("0123456789", key);
  if (digits == std::string_view::npos) return std::nullopt;
  std::int64_t count = 0;
  const auto [end, code] =
      std::from_chars(config.data() + digits, config.data() + config.size(), count);
  if (code != std::errc()) return std::nullopt;
  return count;
}

}  // namespace autoshard::internal
