// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operators along one dimension whose elements stand in an order: sort, top_k, argmax, argmin and
// the cumulative reductions.
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

/// An integer attribute in [low, high]; `otherwise` when it is absent.
Result<std::int64_t> integer_within(const OperatorCall& call, std::string_view attribute,
                                    std::int64_t low, std::int64_t high, std::int64_t otherwise) {
  if (!has(call, attribute)) return otherwise;
  AUTOSHARD_TRY(const std::int64_t value, required_integer(call, attribute));
  if (low <= value && value <= high) return value;
  return invalid("attribute '{}' is {}, expected {} to {}", attribute, value, low, high);
}

Result<void> check_flag(const OperatorCall& call, std::string_view attribute) {
  const Result<std::int64_t> flag = integer_within(call, attribute, 0, 1, 0);
  return flag.ok() ? Result<void>() : flag.error();
}

Result<void> check_ordered(const OperatorCall& call, std::size_t operand) {
  const DType dtype = call.operands[operand].dtype;
  if (dtype == DType::pred || is_integer(dtype) || is_floating(dtype)) return {};
  return invalid("operand {} has element type {}, whose elements have no order", operand,
                 name(dtype));
}

}  // namespace

Result<Types> infer_sort(const OperatorCall& call) {
  if (call.operands.empty()) return invalid("has no operands, expected at least one");
  const std::int64_t count = std::ssize(call.operands);
  AUTOSHARD_CHECK_OK(required_dim(call, "dimension", call.operands[0].rank()));
  AUTOSHARD_TRY(const std::int64_t keys, integer_within(call, "num_keys", 1, count, 1));
  AUTOSHARD_CHECK_OK(check_flag(call, "descending"));
  if (has(call, "comparator")) {
    AUTOSHARD_CHECK_OK(required_word(call, "comparator", {"custom"}));
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(check_operand(call, i, {call.operands[i].dtype, call.operands[0].shape}));
    if (static_cast<std::int64_t>(i) < keys) AUTOSHARD_CHECK_OK(check_ordered(call, i));
  }
  return Types(call.operands.begin(), call.operands.end());
}

Result<Types> infer_top_k(const OperatorCall& call) {
  TensorType values = call.operands[0];
  if (values.rank() == 0) return invalid("operand 0 has rank 0, expected at least 1");
  AUTOSHARD_CHECK_OK(check_ordered(call, 0));
  AUTOSHARD_TRY(const std::int64_t k, required_integer(call, "k"));
  if (k < 0 || k > values.shape.back()) {
    return invalid("attribute 'k' is {}, expected 0 to {}", k, values.shape.back());
  }
  values.shape.back() = k;
  return Types{values, {DType::s32, values.shape}};
}

Result<Types> infer_cumulative(const OperatorCall& call) {
  const TensorType& type = call.operands[0];
  AUTOSHARD_CHECK_OK(required_dim(call, "dimension", type.rank()));
  AUTOSHARD_CHECK_OK(check_flag(call, "reverse"));
  AUTOSHARD_CHECK_OK(required_word(call, "reducer", {"sum", "product", "max", "min", "logsumexp"}));
  return Types{type};
}

Result<Types> infer_position(const OperatorCall& call) {
  TensorType type = call.operands[0];
  AUTOSHARD_CHECK_OK(check_ordered(call, 0));
  AUTOSHARD_TRY(const std::int64_t dim, required_dim(call, "dimension", type.rank()));
  const auto place = type.shape.begin() + dim;
  if (*place == 0) return invalid("operand 0: dimension {} is empty and has no extreme", dim);
  type.shape.erase(place);
  type.dtype = result_dtype(call, DType::s32);
  if (is_integer(type.dtype)) return Types{std::move(type)};
  return invalid("result 0 has element type {}, expected an integer", name(type.dtype));
}

}  // namespace autoshard::internal
