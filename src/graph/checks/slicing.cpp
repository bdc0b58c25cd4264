// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

// Positions come unchecked from the host; only 128 bits hold every sum and product of them.
__extension__ using Wide = __int128;

constexpr Wide kMaximumSize = Wide{1} << 62;

std::int64_t at(Ints list, std::size_t i) { return list[i]; }

Result<std::int64_t> narrow(Wide size, std::size_t dim) {
  if (size < 0) return invalid("result 0: dimension {} would be negative", dim);
  if (size > kMaximumSize) return invalid("result 0: dimension {} passes 2^62", dim);
  return static_cast<std::int64_t>(size);
}

Result<std::int64_t> sliced_size(const OperatorCall& call, std::size_t dim, Ints limits,
                                 Ints strides) {
  AUTOSHARD_TRY(const Ints starts, required_ints(call, "start_indices"));
  const std::int64_t size = call.operands[0].shape[dim];
  const std::int64_t start = at(starts, dim);
  const std::int64_t limit = at(limits, dim);
  const std::int64_t stride = at(strides, dim);
  if (start < 0 || start > limit || limit > size) {
    return invalid("slice [{}, {}) of dimension {} is not inside operand 0 of size {}", start,
                   limit, dim, size);
  }
  if (stride < 1) return invalid("attribute 'strides': {} is not positive", stride);
  return (limit - start) / stride + ((limit - start) % stride == 0 ? 0 : 1);
}

Result<std::int64_t> padded_size(std::int64_t size, Ints padding, std::size_t dim) {
  if (padding[2] < 0) return invalid("attribute 'interior_padding': {} is negative", padding[2]);
  const Wide between = size > 0 ? Wide{size - 1} * padding[2] : 0;
  return narrow(Wide{size} + between + padding[0] + padding[1], dim);
}

Result<void> check_scalar_like(const OperatorCall& call, std::size_t operand) {
  return check_operand(call, operand, {call.operands[0].dtype, {}});
}

/// Operand `first` and all after it are one position for each dimension of operand 0.
Result<void> check_positions(const OperatorCall& call, std::size_t first) {
  const std::size_t expected = first + (call.operands.empty() ? 0 : call.operands[0].shape.size());
  if (call.operands.size() < first || call.operands.size() != expected) {
    return invalid("has {} operands, expected {}: one position per dimension", call.operands.size(),
                   expected);
  }
  return check_scalar_positions(call, first);
}

Result<void> check_window(std::size_t dim, std::int64_t window, std::int64_t size) {
  if (window >= 0 && window <= size) return {};
  return invalid("window of size {} does not fit dimension {} of operand 0 of size {}", window, dim,
                 size);
}

/// All operands agree with the first outside the dimension that is joined.
Result<void> check_joinable(const OperatorCall& call, std::size_t dim) {
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(check_rank(call, i, call.operands[0].rank()));
    TensorType expected = call.operands[0];
    expected.shape[dim] = call.operands[i].shape[dim];
    AUTOSHARD_CHECK_OK(check_operand(call, i, expected));
  }
  return {};
}

}  // namespace

Result<Types> infer_slice(const OperatorCall& call) {
  TensorType type = call.operands[0];
  for (const auto attribute : {"start_indices", "limit_indices", "strides"}) {
    AUTOSHARD_TRY(const Ints list, required_ints(call, attribute));
    AUTOSHARD_CHECK_OK(check_length(attribute, list, type.shape.size()));
  }
  AUTOSHARD_TRY(const Ints limits, required_ints(call, "limit_indices"));
  AUTOSHARD_TRY(const Ints strides, required_ints(call, "strides"));
  for (std::size_t dim = 0; dim < type.shape.size(); ++dim) {
    AUTOSHARD_TRY(type.shape[dim], sliced_size(call, dim, limits, strides));
  }
  return Types{std::move(type)};
}

Result<Types> infer_dynamic_slice(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_positions(call, 1));
  const TensorType& operand = call.operands[0];
  AUTOSHARD_TRY(const Ints sizes, ints_or_empty(call, "slice_sizes"));
  AUTOSHARD_CHECK_OK(check_length("slice_sizes", sizes, operand.shape.size()));
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    AUTOSHARD_CHECK_OK(check_window(dim, sizes[dim], operand.shape[dim]));
  }
  return Types{{operand.dtype, {sizes.begin(), sizes.end()}}};
}

Result<Types> infer_dynamic_update_slice(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(check_positions(call, 2));
  const TensorType& operand = call.operands[0];
  const TensorType& update = call.operands[1];
  AUTOSHARD_CHECK_OK(check_rank(call, 1, operand.rank()));
  AUTOSHARD_CHECK_OK(check_dtype(call, 1, operand.dtype));
  for (std::size_t dim = 0; dim < update.shape.size(); ++dim) {
    AUTOSHARD_CHECK_OK(check_window(dim, update.shape[dim], operand.shape[dim]));
  }
  return Types{operand};
}

Result<Types> infer_pad(const OperatorCall& call) {
  TensorType type = call.operands[0];
  AUTOSHARD_CHECK_OK(check_scalar_like(call, 1));
  std::vector<Ints> padding;
  for (const auto attribute : {"edge_padding_low", "edge_padding_high", "interior_padding"}) {
    AUTOSHARD_TRY(const Ints list, required_ints(call, attribute));
    AUTOSHARD_CHECK_OK(check_length(attribute, list, type.shape.size()));
    padding.push_back(list);
  }
  for (std::size_t dim = 0; dim < type.shape.size(); ++dim) {
    const std::int64_t counts[] = {padding[0][dim], padding[1][dim], padding[2][dim]};
    AUTOSHARD_TRY(type.shape[dim], padded_size(type.shape[dim], counts, dim));
  }
  return Types{std::move(type)};
}

Result<Types> infer_concatenate(const OperatorCall& call) {
  if (call.operands.empty()) return invalid("has 0 operands, expected at least 1");
  TensorType type = call.operands[0];
  AUTOSHARD_TRY(const std::int64_t index, required_dim(call, "dimension", type.rank()));
  const auto dim = static_cast<std::size_t>(index);
  AUTOSHARD_CHECK_OK(check_joinable(call, dim));
  Wide size = 0;
  for (const TensorType& operand : call.operands) size += operand.shape[dim];
  AUTOSHARD_TRY(type.shape[dim], narrow(size, dim));
  return Types{std::move(type)};
}

}  // namespace autoshard::internal
