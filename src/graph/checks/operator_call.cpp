// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/checks/operator_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

constexpr std::int64_t kMaximumBytes = std::int64_t{1} << 62;
/// Rules compare lists of dimensions with each other, which is quadratic.
constexpr std::int64_t kMaximumRank = 255;

const Attribute* find(const OperatorCall& call, std::string_view attribute) {
  const auto found = call.attributes.find(attribute);
  return found == call.attributes.end() ? nullptr : &found->second;
}

Error missing(std::string_view attribute) {
  return invalid("attribute '{}' is missing", attribute);
}

/// A list without entries has no visible type: an empty list of numbers will do.
Result<Ints> as_ints(std::string_view name, const Attribute& attribute) {
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&attribute)) return Ints(*list);
  const auto* numbers = std::get_if<std::vector<double>>(&attribute);
  if (numbers != nullptr && numbers->empty()) return Ints();
  return invalid("attribute '{}' must be a list of integers", name);
}

}  // namespace

Result<void> check_type(const TensorType& type) {
  if (type.rank() > kMaximumRank) {
    return invalid("a type has rank {}, expected at most {}", type.rank(), kMaximumRank);
  }
  const auto negative = [](std::int64_t size) { return size < 0; };
  if (std::ranges::any_of(type.shape, negative)) {
    return invalid("type {} has a negative dimension", to_string(type));
  }
  const auto huge = [](std::int64_t size) { return size > kMaximumBytes; };
  if (type.elements() > kMaximumBytes || type.bytes() > kMaximumBytes ||
      std::ranges::any_of(type.shape, huge)) {
    return invalid("type {} is larger than 2^62 bytes", to_string(type));
  }
  return {};
}

bool has(const OperatorCall& call, std::string_view attribute) {
  return find(call, attribute) != nullptr;
}

Result<Ints> ints_or_empty(const OperatorCall& call, std::string_view attribute) {
  const Attribute* value = find(call, attribute);
  return value == nullptr ? Ints() : as_ints(attribute, *value);
}

Result<Ints> required_ints(const OperatorCall& call, std::string_view attribute) {
  const Attribute* value = find(call, attribute);
  if (value == nullptr) return missing(attribute);
  return as_ints(attribute, *value);
}

Result<std::int64_t> required_integer(const OperatorCall& call, std::string_view attribute) {
  const Attribute* value = find(call, attribute);
  if (value == nullptr) return missing(attribute);
  if (const auto* integer = std::get_if<std::int64_t>(value)) return *integer;
  return invalid("attribute '{}' must be an integer", attribute);
}

Result<std::string_view> required_text(const OperatorCall& call, std::string_view attribute) {
  const Attribute* value = find(call, attribute);
  if (value == nullptr) return missing(attribute);
  if (const auto* text = std::get_if<std::string>(value)) return std::string_view(*text);
  return invalid("attribute '{}' must be a text", attribute);
}

Result<void> required_word(const OperatorCall& call, std::string_view attribute,
                           std::initializer_list<std::string_view> allowed) {
  AUTOSHARD_TRY(const std::string_view text, required_text(call, attribute));
  if (std::ranges::find(allowed, text) != allowed.end()) return {};
  return invalid("attribute '{}' is '{}', expected one of {}", attribute, text,
                 fmt::join(allowed, " "));
}

Result<void> required_reducer(const OperatorCall& call,
                              std::initializer_list<std::string_view> others) {
  AUTOSHARD_TRY(const std::string_view text, required_text(call, "reducer"));
  if (parse_reduction(text) || std::ranges::find(others, text) != others.end()) return {};
  return invalid("attribute 'reducer' is '{}', expected one of sum product max min and or {}", text,
                 fmt::join(others, " "));
}

Result<void> check_length(std::string_view attribute, Ints list, std::size_t expected) {
  if (list.size() == expected) return {};
  return invalid("attribute '{}' has {} entries, expected {}", attribute, list.size(), expected);
}

Result<void> check_dims(std::string_view attribute, Ints dims, std::int64_t rank) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= rank) {
      return invalid("attribute '{}': dimension {} is out of range for rank {}", attribute, dims[i],
                     rank);
    }
    if (contains(dims.first(i), dims[i])) {
      return invalid("attribute '{}' names dimension {} twice", attribute, dims[i]);
    }
  }
  return {};
}

Result<void> check_increasing(std::string_view attribute, Ints dims) {
  if (std::ranges::is_sorted(dims)) return {};
  return invalid("attribute '{}' must be increasing", attribute);
}

Result<std::int64_t> required_dim(const OperatorCall& call, std::string_view attribute,
                                  std::int64_t rank) {
  AUTOSHARD_TRY(const std::int64_t dim, required_integer(call, attribute));
  AUTOSHARD_CHECK_OK(check_dims(attribute, Ints(&dim, 1), rank));
  return dim;
}

Result<void> check_rank(const OperatorCall& call, std::size_t operand, std::int64_t expected) {
  const std::int64_t rank = call.operands[operand].rank();
  if (rank == expected) return {};
  return invalid("operand {} has rank {}, expected {}", operand, rank, expected);
}

Result<void> check_dtype(const OperatorCall& call, std::size_t operand, DType expected) {
  const DType dtype = call.operands[operand].dtype;
  if (dtype == expected) return {};
  return invalid("operand {} has element type {}, expected {}", operand, name(dtype),
                 name(expected));
}

Result<void> check_operand(const OperatorCall& call, std::size_t operand,
                           const TensorType& expected) {
  const TensorType& type = call.operands[operand];
  if (type == expected) return {};
  return invalid("operand {} has type {}, expected {}", operand, to_string(type),
                 to_string(expected));
}

Result<void> check_integer(const OperatorCall& call, std::size_t operand) {
  const DType dtype = call.operands[operand].dtype;
  if (is_integer(dtype)) return {};
  return invalid("operand {} has element type {}, expected an integer", operand, name(dtype));
}

Result<void> check_scalar_positions(const OperatorCall& call, std::size_t first) {
  for (std::size_t i = first; i < call.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(check_rank(call, i, 0));
    AUTOSHARD_CHECK_OK(check_integer(call, i));
  }
  return {};
}

Result<TensorType> given_result(const OperatorCall& call) {
  if (!call.results.empty()) return call.results.front();
  return invalid("the result's type does not follow from the operands and must be given");
}

DType result_dtype(const OperatorCall& call, DType otherwise) {
  return call.results.empty() ? otherwise : call.results.front().dtype;
}

bool contains(Ints list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace autoshard::internal
