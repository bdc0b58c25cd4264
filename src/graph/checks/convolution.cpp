// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"
#include "graph/checks/windows.hpp"

namespace autoshard::internal {
namespace {

/// Which dimension of one tensor means what.
struct Places {
  std::int64_t first = 0;   ///< batch, or the kernel's input features
  std::int64_t second = 0;  ///< features, or the kernel's output features
  Ints spatial;
};

/// The names of the attributes that say so.
struct PlaceNames {
  std::string first;
  std::string second;
  std::string spatial;
};

const PlaceNames& input_names() {
  static const PlaceNames names{"input_batch_dimension", "input_feature_dimension",
                                "input_spatial_dimensions"};
  return names;
}

const PlaceNames& kernel_names() {
  static const PlaceNames names{"kernel_input_feature_dimension", "kernel_output_feature_dimension",
                                "kernel_spatial_dimensions"};
  return names;
}

const PlaceNames& output_names() {
  static const PlaceNames names{"output_batch_dimension", "output_feature_dimension",
                                "output_spatial_dimensions"};
  return names;
}

/// Each dimension of a tensor of this rank has one meaning.
Result<Places> checked_places(const OperatorCall& call, const PlaceNames& names,
                              std::int64_t rank) {
  Places places;
  AUTOSHARD_TRY(places.first, required_dim(call, names.first, rank));
  AUTOSHARD_TRY(places.second, required_dim(call, names.second, rank));
  AUTOSHARD_TRY(places.spatial, ints_or_empty(call, names.spatial));
  AUTOSHARD_CHECK_OK(
      check_length(names.spatial, places.spatial, static_cast<std::size_t>(rank - 2)));
  AUTOSHARD_CHECK_OK(check_dims(names.spatial, places.spatial, rank));
  if (places.first == places.second) {
    return invalid("attributes '{}' and '{}' both name dimension {}", names.first, names.second,
                   places.first);
  }
  for (const std::int64_t dim : {places.first, places.second}) {
    if (!contains(places.spatial, dim)) continue;
    return invalid("attributes '{}' and '{}' both name dimension {}",
                   dim == places.first ? names.first : names.second, names.spatial, dim);
  }
  return places;
}

std::int64_t size_at(const OperatorCall& call, std::size_t operand, std::int64_t dim) {
  return call.operands[operand].shape[static_cast<std::size_t>(dim)];
}

std::vector<std::int64_t> sizes_at(const OperatorCall& call, std::size_t operand, Ints dims) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t dim : dims) sizes.push_back(size_at(call, operand, dim));
  return sizes;
}

Result<std::int64_t> group_count(const OperatorCall& call, std::string_view attribute) {
  if (!has(call, attribute)) return 1;
  AUTOSHARD_TRY(const std::int64_t count, required_integer(call, attribute));
  if (count < 1) return invalid("attribute '{}': {} is not positive", attribute, count);
  return count;
}

struct Groups {
  std::int64_t feature = 1;
  std::int64_t batch = 1;
};

Result<Groups> checked_groups(const OperatorCall& call) {
  Groups groups;
  AUTOSHARD_TRY(groups.feature, group_count(call, "feature_group_count"));
  AUTOSHARD_TRY(groups.batch, group_count(call, "batch_group_count"));
  if (groups.feature == 1 || groups.batch == 1) return groups;
  return invalid(
      "has feature_group_count {} and batch_group_count {}, expected one of them to be 1",
      groups.feature, groups.batch);
}

/// A dimension of an operand that falls into groups.
Result<void> check_grouped(const OperatorCall& call, std::size_t operand, std::int64_t dim,
                           std::int64_t groups) {
  const std::int64_t size = size_at(call, operand, dim);
  if (size % groups == 0) return {};
  return invalid("operand {}: dimension {} of size {} does not fall into {} groups", operand, dim,
                 size, groups);
}

Result<void> check_features(const OperatorCall& call, const Places& input, const Places& kernel,
                            const Groups& groups) {
  AUTOSHARD_CHECK_OK(check_grouped(call, 0, input.first, groups.batch));
  AUTOSHARD_CHECK_OK(check_grouped(call, 0, input.second, groups.feature));
  AUTOSHARD_CHECK_OK(check_grouped(call, 1, kernel.second, groups.batch));
  AUTOSHARD_CHECK_OK(check_grouped(call, 1, kernel.second, groups.feature));
  const std::int64_t expected = size_at(call, 0, input.second) / groups.feature;
  const std::int64_t size = size_at(call, 1, kernel.first);
  if (size == expected) return {};
  return invalid("operand 1: input feature dimension {} has size {}, expected {}", kernel.first,
                 size, expected);
}

/// In how many places the kernel lies along each spatial dimension.
Result<std::vector<std::int64_t>> spatial_sizes(const OperatorCall& call, const Places& input,
                                                const Places& kernel) {
  const std::vector<std::int64_t> window_sizes = sizes_at(call, 1, kernel.spatial);
  for (std::size_t i = 0; i < window_sizes.size(); ++i) {
    if (window_sizes[i] > 0) continue;
    return invalid("operand 1: spatial dimension {} has size 0, expected at least 1",
                   kernel.spatial[i]);
  }
  AUTOSHARD_TRY(
      const std::vector<WindowDim> window,
      checked_window(call, kConvolutionWindow, window_sizes, sizes_at(call, 0, input.spatial)));
  return window_places(window);
}

}  // namespace

Result<Types> infer_convolution(const OperatorCall& call) {
  const std::int64_t rank = call.operands[0].rank();
  if (rank < 2) return invalid("operand 0 has rank {}, expected at least 2", rank);
  AUTOSHARD_CHECK_OK(check_rank(call, 1, rank));
  AUTOSHARD_TRY(const Places input, checked_places(call, input_names(), rank));
  AUTOSHARD_TRY(const Places kernel, checked_places(call, kernel_names(), rank));
  AUTOSHARD_TRY(const Places output, checked_places(call, output_names(), rank));
  AUTOSHARD_TRY(const Groups groups, checked_groups(call));
  AUTOSHARD_CHECK_OK(check_features(call, input, kernel, groups));
  AUTOSHARD_TRY(const std::vector<std::int64_t> spatial, spatial_sizes(call, input, kernel));
  // As for dot_general, the result may be wider than the operands.
  TensorType type{result_dtype(call, call.operands[0].dtype),
                  std::vector<std::int64_t>(static_cast<std::size_t>(rank))};
  type.shape[static_cast<std::size_t>(output.first)] = size_at(call, 0, input.first) / groups.batch;
  type.shape[static_cast<std::size_t>(output.second)] = size_at(call, 1, kernel.second);
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    type.shape[static_cast<std::size_t>(output.spatial[i])] = spatial[i];
  }
  return Types{std::move(type)};
}

}  // namespace autoshard::internal
