// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

bool is_bitwise(DType dtype) { return dtype == DType::pred || is_integer(dtype); }

Result<void> check_bitwise(const OperatorCall& call) {
  const DType dtype = call.operands[0].dtype;
  if (is_bitwise(dtype)) return {};
  return invalid("operand 0 has element type {}, expected pred or an integer", name(dtype));
}

TensorType with_dtype(TensorType type, DType dtype) {
  type.dtype = dtype;
  return type;
}

/// A scalar of the right dtype stands for a tensor of equal elements.
Result<void> check_or_scalar(const OperatorCall& call, std::size_t operand,
                             const TensorType& expected) {
  if (call.operands[operand].rank() == 0) return check_dtype(call, operand, expected.dtype);
  return check_operand(call, operand, expected);
}

DType real_part(DType dtype) {
  if (dtype == DType::c64) return DType::f32;
  return dtype == DType::c128 ? DType::f64 : dtype;
}

/// The shape of the same bits in elements of another width: a narrower element adds a last
/// dimension, a wider one takes it away.
Result<TensorType> recast(const TensorType& from, DType dtype) {
  const std::int64_t old_bits = bits(from.dtype);
  const std::int64_t new_bits = bits(dtype);
  TensorType type = with_dtype(from, dtype);
  if (old_bits == new_bits) return type;
  if (old_bits == 0 || new_bits == 0) return invalid("a token cannot be cast");
  if (new_bits < old_bits) {
    type.shape.push_back(old_bits / new_bits);
    return type;
  }
  if (type.shape.empty() || type.shape.back() != new_bits / old_bits) {
    return invalid("operand 0 has type {}, expected a last dimension of {}", to_string(from),
                   new_bits / old_bits);
  }
  type.shape.pop_back();
  return type;
}

}  // namespace

Result<Types> infer_unary(const OperatorCall& call) { return Types{call.operands[0]}; }

Result<Types> infer_bitwise_unary(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_bitwise(call));
  return infer_unary(call);
}

Result<Types> infer_abs(const OperatorCall& call) {
  const TensorType& type = call.operands[0];
  return Types{with_dtype(type, real_part(type.dtype))};
}

Result<Types> infer_is_finite(const OperatorCall& call) {
  return Types{with_dtype(call.operands[0], DType::pred)};
}

Result<Types> infer_convert(const OperatorCall& call) {
  AUTOSHARD_TRY(const TensorType given, given_result(call));
  return Types{with_dtype(call.operands[0], given.dtype)};
}

Result<Types> infer_bitcast_convert(const OperatorCall& call) {
  AUTOSHARD_TRY(const TensorType given, given_result(call));
  AUTOSHARD_TRY(TensorType type, recast(call.operands[0], given.dtype));
  return Types{std::move(type)};
}

Result<Types> infer_same_types(const OperatorCall& call) {
  return Types(call.operands.begin(), call.operands.end());
}

Result<Types> infer_binary(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_operand(call, 1, call.operands[0]));
  return Types{call.operands[0]};
}

Result<Types> infer_bitwise_binary(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_bitwise(call));
  return infer_binary(call);
}

Result<Types> infer_compare(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_operand(call, 1, call.operands[0]));
  AUTOSHARD_CHECK_OK(
      required_word(call, "comparison_direction", {"EQ", "NE", "LT", "LE", "GT", "GE"}));
  return Types{with_dtype(call.operands[0], DType::pred)};
}

Result<Types> infer_select(const OperatorCall& call) {
  const TensorType& type = call.operands[1];
  AUTOSHARD_CHECK_OK(check_or_scalar(call, 0, with_dtype(type, DType::pred)));
  AUTOSHARD_CHECK_OK(check_operand(call, 2, type));
  return Types{type};
}

Result<Types> infer_clamp(const OperatorCall& call) {
  const TensorType& type = call.operands[1];
  AUTOSHARD_CHECK_OK(check_or_scalar(call, 0, type));
  AUTOSHARD_CHECK_OK(check_or_scalar(call, 2, type));
  return Types{type};
}

}  // namespace autoshard::internal
