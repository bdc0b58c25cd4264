// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/graph_json_source.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/graph_json_fields.hpp"

namespace autoshard::internal {
namespace {

using nlohmann::json;

constexpr std::int64_t kVersion = 1;

Result<RegionSource> read_region(const json& object, std::string_view place);

Result<ArgumentSource> read_argument(const json& object, std::size_t index) {
  std::string place = fmt::format("arguments[{}]", index);
  AUTOSHARD_CHECK_OK(check_object(object, {"name", "type", "role"}, place));
  AUTOSHARD_TRY(std::string name, required_text(object, "name", place));
  place = fmt::format("argument '{}'", name);
  AUTOSHARD_TRY(const std::string type_text, required_text(object, "type", place));
  AUTOSHARD_TRY(TensorType type, type_from_text(type_text, place));
  AUTOSHARD_TRY(const std::string role_text, text_or(object, "role", "input", place));
  const auto role = parse_role(role_text);
  if (!role) return invalid("{}: unknown role '{}'", place, role_text);
  return ArgumentSource{std::move(name), std::move(type), *role};
}

Result<Attributes> read_attributes(const json& object, std::string_view place) {
  Attributes attributes;
  const json* field = find_field(object, "attributes");
  if (field == nullptr) return attributes;
  if (!field->is_object()) {
    return invalid("{}: 'attributes' is {}, expected an object", place, described(*field));
  }
  for (const auto& [key, value] : field->items()) {
    const std::string where = fmt::format("{}: attribute '{}'", place, key);
    AUTOSHARD_TRY(attributes[key], attribute_from_json(value, where));
  }
  return attributes;
}

Result<std::vector<TensorType>> read_result_types(const json& object, std::string_view place) {
  AUTOSHARD_TRY(const auto texts, texts_or_empty(object, "results", place));
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string where = fmt::format("{}: result {}", place, i);
    AUTOSHARD_TRY(TensorType type, type_from_text(texts[i], where));
    types.push_back(std::move(type));
  }
  return types;
}

Result<Phase> read_phase(const json& object, std::string_view place) {
  AUTOSHARD_TRY(const std::string text, text_or(object, "phase", "forward", place));
  if (const auto phase = parse_phase(text)) return *phase;
  return invalid("{}: unknown phase '{}'", place, text);
}

Result<std::unique_ptr<RegionSource>> read_body(const json& object, const OperatorSource& loop,
                                                std::string_view place) {
  std::unique_ptr<RegionSource> body;
  const json* field = find_field(object, "body");
  if (field == nullptr) return body;
  if (loop.spec.kind != "while") return invalid("{}: kind '{}' has no body", place, loop.spec.kind);
  if (loop.spec.result_types.size() != loop.operands.size()) {
    return invalid("{}: has {} results, expected {}", place, loop.spec.result_types.size(),
                   loop.operands.size());
  }
  const std::string where = fmt::format("{}: body", place);
  AUTOSHARD_CHECK_OK(check_object(*field, {"operators", "results"}, where));
  AUTOSHARD_TRY(RegionSource region, read_region(*field, where));
  return std::make_unique<RegionSource>(std::move(region));
}

Result<OperatorSource> read_operator(const json& object, std::string place) {
  AUTOSHARD_CHECK_OK(check_object(
      object, {"name", "kind", "operands", "results", "attributes", "phase", "body"}, place));
  OperatorSource source;
  AUTOSHARD_TRY(source.spec.name, required_text(object, "name", place));
  if (source.spec.name.empty()) return invalid("{}: the name is empty", place);
  place = fmt::format("operator '{}'", source.spec.name);
  AUTOSHARD_TRY(source.spec.kind, required_text(object, "kind", place));
  AUTOSHARD_TRY(source.operands, texts_or_empty(object, "operands", place));
  AUTOSHARD_TRY(source.spec.result_types, read_result_types(object, place));
  AUTOSHARD_TRY(source.spec.attributes, read_attributes(object, place));
  AUTOSHARD_TRY(source.spec.phase, read_phase(object, place));
  AUTOSHARD_TRY(source.body, read_body(object, source, place));
  return source;
}

// Recursion through read_body is bounded by the depth that the text may have.
Result<RegionSource> read_region(const json& object, std::string_view place) {
  AUTOSHARD_CHECK_OK(required_field(object, "operators", place));
  AUTOSHARD_CHECK_OK(required_field(object, "results", place));
  AUTOSHARD_TRY(const auto entries, list_or_empty(object, "operators", place));
  RegionSource region;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto source = read_operator(*entries[i], fmt::format("{}: operators[{}]", place, i));
    if (!source) return source.error();
    region.operators.push_back(std::move(source).value());
  }
  AUTOSHARD_TRY(region.results, texts_or_empty(object, "results", place));
  return region;
}

Result<StatePairSource> read_state_pair(const json& object, std::size_t index) {
  const std::string place = fmt::format("state_pairs[{}]", index);
  AUTOSHARD_CHECK_OK(check_object(object, {"argument", "result"}, place));
  AUTOSHARD_TRY(std::string argument, required_text(object, "argument", place));
  AUTOSHARD_TRY(const std::int64_t result, required_integer(object, "result", place));
  if (result < 0 || result > std::numeric_limits<std::int32_t>::max()) {
    return invalid("{}: result {} is out of range", place, result);
  }
  return StatePairSource{std::move(argument), static_cast<std::int32_t>(result)};
}

Result<void> check_version(const json& document) {
  AUTOSHARD_TRY(const std::int64_t version, required_integer(document, "autoshard_graph", "graph"));
  if (version == kVersion) return {};
  return invalid("graph: version {} of the format is not known, expected {}", version, kVersion);
}

}  // namespace

std::vector<std::string> result_names(const OperatorSource& source) {
  const std::size_t count = source.spec.result_types.size();
  if (count == 1) return {source.spec.name};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(fmt::format("{}:{}", source.spec.name, i));
  }
  return names;
}

Result<GraphSource> read_graph_source(const json& document) {
  AUTOSHARD_CHECK_OK(check_object(
      document,
      {"autoshard_graph", "name", "arguments", "operators", "results", "state_pairs", "warnings"},
      "graph"));
  AUTOSHARD_CHECK_OK(check_version(document));
  GraphSource source;
  AUTOSHARD_TRY(source.name, text_or(document, "name", "main", "graph"));
  AUTOSHARD_TRY(const auto arguments, list_or_empty(document, "arguments", "graph"));
  for (const json* entry : arguments) {
    AUTOSHARD_TRY(ArgumentSource argument, read_argument(*entry, source.arguments.size()));
    source.arguments.push_back(std::move(argument));
  }
  AUTOSHARD_TRY(source.main, read_region(document, "graph"));
  AUTOSHARD_TRY(const auto pairs, list_or_empty(document, "state_pairs", "graph"));
  for (const json* entry : pairs) {
    AUTOSHARD_TRY(StatePairSource pair, read_state_pair(*entry, source.state_pairs.size()));
    source.state_pairs.push_back(std::move(pair));
  }
  AUTOSHARD_TRY(source.warnings, texts_or_empty(document, "warnings", "graph"));
  return source;
}

}  // namespace autoshard::internal
