// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Typed access to the fields of a JSON object. `place` says in errors where the object stands:
// "operator 'dot.5'". Knows tensor types and attributes, but not what a graph is.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"

namespace autoshard::internal {

/// "an array", "a number": what the value is, for errors.
std::string described(const nlohmann::json& value);

/// The value is an object and has no key besides these.
Result<void> check_object(const nlohmann::json& value, std::initializer_list<std::string_view> keys,
                          std::string_view place);

/// Null when the object lacks the key.
const nlohmann::json* find_field(const nlohmann::json& object, std::string_view key);
Result<const nlohmann::json*> required_field(const nlohmann::json& object, std::string_view key,
                                             std::string_view place);

Result<std::string> required_text(const nlohmann::json& object, std::string_view key,
                                  std::string_view place);
Result<std::string> text_or(const nlohmann::json& object, std::string_view key,
                            std::string_view otherwise, std::string_view place);
Result<std::int64_t> required_integer(const nlohmann::json& object, std::string_view key,
                                      std::string_view place);
/// The entries of a list, in order; none when the key is absent.
Result<std::vector<const nlohmann::json*>> list_or_empty(const nlohmann::json& object,
                                                         std::string_view key,
                                                         std::string_view place);
Result<std::vector<std::string>> texts_or_empty(const nlohmann::json& object, std::string_view key,
                                                std::string_view place);

Result<TensorType> type_from_text(std::string_view text, std::string_view place);
Result<Attribute> attribute_from_json(const nlohmann::json& value, std::string_view place);

}  // namespace autoshard::internal
