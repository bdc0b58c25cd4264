// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/graph_json_fields.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors.hpp"
#include "base/parse_type.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

using nlohmann::json;

bool fits_int64(const json& value) {
  if (!value.is_number_integer()) return false;
  return !value.is_number_unsigned() ||
         value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
}

/// JSON has no literals for these; they are written as text.
std::optional<double> special_number(const json& value) {
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

Result<double> number_from_json(const json& value, std::string_view place) {
  if (const auto special = special_number(value)) return *special;
  if (value.is_number()) return value.get<double>();
  return invalid("{}: {} in a list of numbers", place, described(value));
}

Result<Attribute> list_from_json(const json& list, std::string_view place) {
  if (std::ranges::all_of(list, fits_int64))
    return Attribute(list.get<std::vector<std::int64_t>>());
  std::vector<double> numbers;
  for (const json& value : list) {
    if (value.is_number_integer() && !fits_int64(value)) {
      return invalid("{}: {} does not fit into 64 bits", place, value.dump());
    }
    AUTOSHARD_TRY(const double number, number_from_json(value, place));
    numbers.push_back(number);
  }
  return Attribute(std::move(numbers));
}

Result<Attribute> scalar_from_json(const json& value, std::string_view place) {
  if (const auto special = special_number(value)) return Attribute(*special);
  if (value.is_string()) return Attribute(value.get<std::string>());
  if (value.is_boolean()) return Attribute(value.get<bool>());
  if (value.is_number_float()) return Attribute(value.get<double>());
  if (fits_int64(value)) return Attribute(value.get<std::int64_t>());
  return invalid("{}: {} does not fit into 64 bits", place, value.dump());
}

}  // namespace

std::string described(const json& value) {
  const bool vowel = value.is_array() || value.is_object();
  return std::string(vowel ? "an " : "a ") + value.type_name();
}

Result<void> check_object(const json& value, std::initializer_list<std::string_view> keys,
                          std::string_view place) {
  if (!value.is_object()) return invalid("{}: {}, expected an object", place, described(value));
  for (const auto& [key, field] : value.items()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      return invalid("{}: unknown key '{}'", place, key);
    }
  }
  return {};
}

const json* find_field(const json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

Result<const json*> required_field(const json& object, std::string_view key,
                                   std::string_view place) {
  if (const json* field = find_field(object, key)) return field;
  return invalid("{}: key '{}' is missing", place, key);
}

Result<std::string> required_text(const json& object, std::string_view key,
                                  std::string_view place) {
  AUTOSHARD_TRY(const json* field, required_field(object, key, place));
  if (field->is_string()) return field->get<std::string>();
  return invalid("{}: '{}' is {}, expected a text", place, key, described(*field));
}

Result<std::string> text_or(const json& object, std::string_view key, std::string_view otherwise,
                            std::string_view place) {
  if (find_field(object, key) == nullptr) return std::string(otherwise);
  return required_text(object, key, place);
}

Result<std::int64_t> required_integer(const json& object, std::string_view key,
                                      std::string_view place) {
  AUTOSHARD_TRY(const json* field, required_field(object, key, place));
  if (fits_int64(*field)) return field->get<std::int64_t>();
  return invalid("{}: '{}' is {}, expected an integer of 64 bits", place, key,
                 field->is_number() ? field->dump() : described(*field));
}

Result<std::vector<const json*>> list_or_empty(const json& object, std::string_view key,
                                               std::string_view place) {
  std::vector<const json*> entries;
  const json* field = find_field(object, key);
  if (field == nullptr) return entries;
  if (!field->is_array()) {
    return invalid("{}: '{}' is {}, expected a list", place, key, described(*field));
  }
  for (const json& entry : *field) entries.push_back(&entry);
  return entries;
}

Result<std::vector<std::string>> texts_or_empty(const json& object, std::string_view key,
                                                std::string_view place) {
  AUTOSHARD_TRY(const auto entries, list_or_empty(object, key, place));
  std::vector<std::string> texts;
  for (const json* entry : entries) {
    if (!entry->is_string()) {
      return invalid("{}: {}[{}] is {}, expected a text", place, key, texts.size(),
                     described(*entry));
    }
    texts.push_back(entry->get<std::string>());
  }
  return texts;
}

Result<TensorType> type_from_text(std::string_view text, std::string_view place) {
  if (auto type = parse_type(text)) return *std::move(type);
  const std::string_view dtype = text.substr(0, text.find('['));
  if (!parse_dtype(dtype)) return invalid("{}: unknown element type '{}'", place, dtype);
  return invalid("{}: '{}' is not a type like f32[8,1024]", place, text);
}

Result<Attribute> attribute_from_json(const json& value, std::string_view place) {
  if (value.is_array()) return list_from_json(value, place);
  if (value.is_null() || value.is_object()) {
    return invalid("{}: {}, expected a number, a text, true, false or a list", place,
                   described(value));
  }
  return scalar_from_json(value, place);
}

}  // namespace autoshard::internal
