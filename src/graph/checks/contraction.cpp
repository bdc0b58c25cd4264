// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

/// One operand of a dot_general with the dimensions that are not free.
struct DotSide {
  std::size_t operand = 0;
  const TensorType& type;
  Ints batching;
  Ints contracting;
};

Result<DotSide> dot_side(const OperatorCall& call, std::size_t operand) {
  const std::string prefix = operand == 0 ? "lhs_" : "rhs_";
  const TensorType& type = call.operands[operand];
  AUTOSHARD_TRY(const Ints batching, ints_or_empty(call, prefix + "batching_dimensions"));
  AUTOSHARD_TRY(const Ints contracting, ints_or_empty(call, prefix + "contracting_dimensions"));
  AUTOSHARD_CHECK_OK(check_dims(prefix + "batching_dimensions", batching, type.rank()));
  AUTOSHARD_CHECK_OK(check_dims(prefix + "contracting_dimensions", contracting, type.rank()));
  for (const std::int64_t dim : batching) {
    if (!contains(contracting, dim)) continue;
    return invalid("operand {}: dimension {} is both batching and contracting", operand, dim);
  }
  return DotSide{operand, type, batching, contracting};
}

/// The i-th batching (or contracting) dimensions of the two sides have one size.
Result<void> check_paired(const OperatorCall& call, std::string_view what, Ints lhs, Ints rhs) {
  if (lhs.size() != rhs.size()) {
    return invalid("has {} lhs and {} rhs {} dimensions", lhs.size(), rhs.size(), what);
  }
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const std::int64_t left = call.operands[0].shape[static_cast<std::size_t>(lhs[i])];
    const std::int64_t right = call.operands[1].shape[static_cast<std::size_t>(rhs[i])];
    if (left == right) continue;
    return invalid("operand 1: {} dimension {} has size {}, expected {}", what, rhs[i], right,
                   left);
  }
  return {};
}

void append_free_dims(const DotSide& side, std::vector<std::int64_t>& shape) {
  for (std::int64_t dim = 0; dim < side.type.rank(); ++dim) {
    if (contains(side.batching, dim) || contains(side.contracting, dim)) continue;
    shape.push_back(side.type.shape[static_cast<std::size_t>(dim)]);
  }
}

/// Inputs share one shape; each has a scalar initial value of its dtype.
Result<void> check_reduce_operands(const OperatorCall& call) {
  const std::size_t inputs = call.operands.size() / 2;
  if (inputs == 0 || call.operands.size() % 2 != 0) {
    return invalid("has {} operands, expected inputs and as many initial values",
                   call.operands.size());
  }
  for (std::size_t i = 0; i < inputs; ++i) {
    const TensorType& input = call.operands[i];
    AUTOSHARD_CHECK_OK(check_operand(call, i, {input.dtype, call.operands[0].shape}));
    AUTOSHARD_CHECK_OK(check_operand(call, inputs + i, {input.dtype, {}}));
  }
  return {};
}

}  // namespace

Result<Types> infer_dot_general(const OperatorCall& call) {
  AUTOSHARD_TRY(const DotSide lhs, dot_side(call, 0));
  AUTOSHARD_TRY(const DotSide rhs, dot_side(call, 1));
  AUTOSHARD_CHECK_OK(check_paired(call, "batching", lhs.batching, rhs.batching));
  AUTOSHARD_CHECK_OK(check_paired(call, "contracting", lhs.contracting, rhs.contracting));
  // The result may be wider than the operands (f32 of two bf16), so its dtype is the host's.
  TensorType type{result_dtype(call, lhs.type.dtype), {}};
  for (const std::int64_t dim : lhs.batching) {
    type.shape.push_back(lhs.type.shape[static_cast<std::size_t>(dim)]);
  }
  append_free_dims(lhs, type.shape);
  append_free_dims(rhs, type.shape);
  return Types{std::move(type)};
}

Result<Types> infer_reduce(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_reduce_operands(call));
  AUTOSHARD_CHECK_OK(required_reducer(call, {"custom"}));
  AUTOSHARD_TRY(const Ints dims, required_ints(call, "dimensions"));
  AUTOSHARD_CHECK_OK(check_dims("dimensions", dims, call.operands[0].rank()));
  std::vector<std::int64_t> shape;
  for (std::int64_t dim = 0; dim < call.operands[0].rank(); ++dim) {
    if (!contains(dims, dim))
      shape.push_back(call.operands[0].shape[static_cast<std::size_t>(dim)]);
  }
  Types types;
  for (std::size_t i = 0; i < call.operands.size() / 2; ++i) {
    types.push_back({call.operands[i].dtype, shape});
  }
  return types;
}

}  // namespace autoshard::internal
