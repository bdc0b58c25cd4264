// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Literals: scalars, nested braces of numbers, `{...}` where the dump left the values out.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "io/hlo_attributes.hpp"

namespace autoshard::internal {
namespace {

/// Tables and masks are kept; nobody plans by the values of a large array.
constexpr std::int64_t kMaximumValues = 1024;

std::optional<std::int64_t> parse_integer(std::string_view word) {
  if (word == "true") return 1;
  if (word == "false") return 0;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Decimal, `inf`, `nan`, and `nan(0x400)` whose payload says nothing to us.
std::optional<double> parse_real(std::string_view word) {
  word = word.substr(0, word.find('('));
  double value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code == std::errc::invalid_argument || end != word.data() + word.size()) return std::nullopt;
  // Out of range leaves the value alone: too large, or too small to matter.
  if (code == std::errc::result_out_of_range) value = word.find("e-") < word.size() ? 0 : HUGE_VAL;
  return value;
}

/// The numbers of a literal in order; braces, commas and comments only structure them.
std::vector<std::string_view> words(std::string_view literal) {
  constexpr std::string_view kSeparators = " \t\r\n,{}";
  std::vector<std::string_view> result;
  std::size_t position = 0;
  while ((position = literal.find_first_not_of(kSeparators, position)) < literal.size()) {
    if (literal.substr(position, 2) == "/*") {
      position = std::min(literal.find("*/", position), literal.size() - 2) + 2;
      continue;
    }
    const std::size_t end = std::min(literal.find_first_of(kSeparators, position), literal.size());
    result.push_back(literal.substr(position, end - position));
    position = end;
  }
  return result;
}

/// Equal, or both not a number.
template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}

template <class T>
void store(std::vector<T> values, Attributes& attributes) {
  if (std::all_of(values.begin(), values.end(), [&](T value) { return same(value, values[0]); })) {
    attributes["value"] = values.front();
  } else if (static_cast<std::int64_t>(values.size()) <= kMaximumValues) {
    attributes["values"] = std::move(values);
  }
}

template <class T, class Parse>
void store_words(const std::vector<std::string_view>& numbers, Parse parse,
                 HloAttributeReader& reader, Attributes& attributes) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const std::string_view word : numbers) {
    const std::optional<T> value = parse(word);
    if (!value) return reader.fail(fmt::format("'{}' is not a number of its type", word));
    values.push_back(*value);
  }
  store(std::move(values), attributes);
}

bool has_numbers(DType dtype) {
  return dtype != DType::c64 && dtype != DType::c128 && dtype != DType::token;
}

}  // namespace

void read_hlo_literal(HloAttributeReader& reader, Attributes& attributes) {
  const HloInstruction& instruction = reader.instruction();
  if (instruction.shape.is_tuple) return;
  const TensorType& type = instruction.shape.leaves.front();
  if (!has_numbers(type.dtype) || instruction.literal.find("...") < instruction.literal.size()) {
    return;
  }
  const std::vector<std::string_view> numbers = words(instruction.literal);
  if (static_cast<std::int64_t>(numbers.size()) != type.elements()) {
    return reader.fail(fmt::format("constant has {} values, its type {} has {}", numbers.size(),
                                   to_string(type), type.elements()));
  }
  if (numbers.empty()) return;
  // Unsigned values past the signed range are kept as doubles.
  const bool too_large =
      type.dtype == DType::u64 && !std::all_of(numbers.begin(), numbers.end(), parse_integer);
  if (is_floating(type.dtype) || too_large) {
    store_words<double>(numbers, parse_real, reader, attributes);
  } else {
    store_words<std::int64_t>(numbers, parse_integer, reader, attributes);
  }
}

std::optional<std::int64_t> hlo_integer_constant(const HloInstruction& instruction) {
  if (instruction.opcode != "constant" || instruction.shape.is_tuple) return std::nullopt;
  const TensorType& type = instruction.shape.leaves.front();
  if (!type.shape.empty() || !is_integer(type.dtype)) return std::nullopt;
  const std::vector<std::string_view> numbers = words(instruction.literal);
  return numbers.size() == 1 ? parse_integer(numbers.front()) : std::nullopt;
}

}  // namespace autoshard::internal
