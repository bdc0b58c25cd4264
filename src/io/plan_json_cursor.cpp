// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/plan_json_cursor.hpp"

#include <fmt/format.h>

#include <cmath>

namespace autoshard::internal {
namespace {

/// Whether the value is an integer that 64 signed bits hold.
bool fits(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
  }
  return value.is_number_integer();
}

}  // namespace

JsonCursor JsonCursor::operator[](std::string_view key) const {
  if (!value_->is_object()) fail("expected an object");
  const auto found = value_->find(key);
  if (found == value_->end()) fail(fmt::format("key '{}' is missing", key));
  return {*found, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

std::vector<JsonCursor> JsonCursor::items() const {
  if (!value_->is_array()) fail("expected a list");
  std::vector<JsonCursor> cursors;
  cursors.reserve(value_->size());
  for (const nlohmann::json& item : *value_) {
    cursors.emplace_back(item, fmt::format("{}[{}]", path_, cursors.size()));
  }
  return cursors;
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) fail("expected true or false");
  return value_->get<bool>();
}

const std::string& JsonCursor::text() const {
  if (!value_->is_string()) fail("expected a string");
  return value_->get_ref<const std::string&>();
}

double JsonCursor::number() const {
  if (!value_->is_number()) fail("expected a number");
  const double number = value_->get<double>();
  if (!std::isfinite(number) || number < 0) fail("expected a finite number >= 0");
  return number;
}

std::int64_t JsonCursor::integer(std::int64_t least, std::int64_t most) const {
  if (!fits(*value_)) fail("expected an integer");
  const auto integer = value_->get<std::int64_t>();
  if (integer < least || integer > most) {
    fail(fmt::format("{} is not between {} and {}", integer, least, most));
  }
  return integer;
}

std::vector<std::int64_t> JsonCursor::integers() const {
  std::vector<std::int64_t> list;
  for (const JsonCursor& item : items()) list.push_back(item.integer());
  return list;
}

void JsonCursor::fail(std::string_view reason) const {
  throw PlanJsonError(fmt::format("{}: {}", path_.empty() ? "top level" : path_, reason));
}

}  // namespace autoshard::internal
