// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

bool is_scalar_value(const Attribute& value) {
  return std::holds_alternative<bool>(value) || std::holds_alternative<std::int64_t>(value) ||
         std::holds_alternative<double>(value);
}

/// The length of a list of numbers; absent for anything else.
std::optional<std::size_t> list_length(const Attribute& value) {
  if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&value)) return ints->size();
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return numbers->size();
  return std::nullopt;
}

Result<void> check_value(const Attributes& attributes) {
  const auto value = attributes.find("value");
  if (value == attributes.end() || is_scalar_value(value->second)) return {};
  return invalid("attribute 'value' must be a number");
}

Result<void> check_values(const Attributes& attributes, const TensorType& type) {
  const auto values = attributes.find("values");
  if (values == attributes.end()) return {};
  const auto length = list_length(values->second);
  if (!length) return invalid("attribute 'values' must be a list of numbers");
  if (static_cast<std::int64_t>(*length) == type.elements()) return {};
  return invalid("attribute 'values' has {} entries, expected {}", *length, type.elements());
}

}  // namespace

Result<Types> infer_constant(const OperatorCall& call) {
  AUTOSHARD_TRY(TensorType type, given_result(call));
  if (has(call, "value") && has(call, "values")) {
    return invalid("attributes 'value' and 'values' exclude each other");
  }
  AUTOSHARD_CHECK_OK(check_value(call.attributes));
  AUTOSHARD_CHECK_OK(check_values(call.attributes, type));
  return Types{std::move(type)};
}

Result<Types> infer_iota(const OperatorCall& call) {
  AUTOSHARD_TRY(TensorType type, given_result(call));
  AUTOSHARD_CHECK_OK(required_dim(call, "iota_dimension", type.rank()));
  return Types{std::move(type)};
}

Result<Types> infer_rng(const OperatorCall& call) {
  AUTOSHARD_TRY(TensorType type, given_result(call));
  AUTOSHARD_CHECK_OK(required_word(call, "rng_distribution", {"UNIFORM", "NORMAL"}));
  const TensorType scalar{type.dtype, {}};
  AUTOSHARD_CHECK_OK(check_operand(call, 0, scalar));
  AUTOSHARD_CHECK_OK(check_operand(call, 1, scalar));
  return Types{std::move(type)};
}

Result<Types> infer_rng_bit_generator(const OperatorCall& call) {
  if (call.results.size() != 2) return invalid("the type of the random bits must be given");
  AUTOSHARD_CHECK_OK(check_integer(call, 0));
  if (!has(call, "rng_algorithm")) return invalid("attribute 'rng_algorithm' is missing");
  return Types{call.operands[0], call.results[1]};
}

}  // namespace autoshard::internal
