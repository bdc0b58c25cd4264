// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

Result<void> check_same_dtype(const OperatorCall& call, const TensorType& result) {
  return check_dtype(call, 0, result.dtype);
}

/// Every operand dimension is kept or, when it is 1, repeated.
Result<void> check_broadcast_sizes(const TensorType& operand, Ints dims, const TensorType& result) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t size = operand.shape[i];
    const std::int64_t wanted = result.shape[static_cast<std::size_t>(dims[i])];
    if (size == 1 || size == wanted) continue;
    return invalid("operand 0: dimension {} has size {}, expected 1 or {}", i, size, wanted);
  }
  return {};
}

}  // namespace

Result<Types> infer_broadcast_in_dim(const OperatorCall& call) {
  AUTOSHARD_TRY(TensorType type, given_result(call));
  AUTOSHARD_CHECK_OK(check_same_dtype(call, type));
  AUTOSHARD_TRY(const Ints dims, ints_or_empty(call, "broadcast_dimensions"));
  const TensorType& operand = call.operands[0];
  AUTOSHARD_CHECK_OK(check_length("broadcast_dimensions", dims, operand.shape.size()));
  AUTOSHARD_CHECK_OK(check_dims("broadcast_dimensions", dims, type.rank()));
  AUTOSHARD_CHECK_OK(check_broadcast_sizes(operand, dims, type));
  return Types{std::move(type)};
}

Result<Types> infer_reshape(const OperatorCall& call) {
  AUTOSHARD_TRY(TensorType type, given_result(call));
  AUTOSHARD_CHECK_OK(check_same_dtype(call, type));
  const std::int64_t elements = call.operands[0].elements();
  if (elements == type.elements()) return Types{std::move(type)};
  return invalid("operand 0 has {} elements, expected {} as in {}", elements, type.elements(),
                 to_string(type));
}

Result<Types> infer_transpose(const OperatorCall& call) {
  const TensorType& operand = call.operands[0];
  AUTOSHARD_TRY(const Ints permutation, ints_or_empty(call, "permutation"));
  AUTOSHARD_CHECK_OK(check_length("permutation", permutation, operand.shape.size()));
  AUTOSHARD_CHECK_OK(check_dims("permutation", permutation, operand.rank()));
  TensorType type{operand.dtype, {}};
  for (const std::int64_t dim : permutation) {
    type.shape.push_back(operand.shape[static_cast<std::size_t>(dim)]);
  }
  return Types{std::move(type)};
}

Result<Types> infer_reverse(const OperatorCall& call) {
  AUTOSHARD_TRY(const Ints dims, ints_or_empty(call, "dimensions"));
  AUTOSHARD_CHECK_OK(check_dims("dimensions", dims, call.operands[0].rank()));
  return Types{call.operands[0]};
}

}  // namespace autoshard::internal
