// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/convolution_dims.hpp"

#include <string_view>

namespace autoshard::internal {
namespace {

std::vector<std::int64_t> list(const Operator& op, std::string_view name) {
  const std::vector<std::int64_t>* found = op.ints(name);
  return found == nullptr ? std::vector<std::int64_t>{} : *found;
}

std::int64_t dim(const Operator& op, std::string_view name) { return op.integer(name).value_or(0); }

}  // namespace

ConvolutionDims convolution_dims(const Operator& op) {
  return {
      .input = {dim(op, "input_batch_dimension"), dim(op, "input_feature_dimension"),
                list(op, "input_spatial_dimensions")},
      .kernel = {dim(op, "kernel_input_feature_dimension"),
                 dim(op, "kernel_output_feature_dimension"), list(op, "kernel_spatial_dimensions")},
      .output = {dim(op, "output_batch_dimension"), dim(op, "output_feature_dimension"),
                 list(op, "output_spatial_dimensions")},
      .feature_groups = op.integer("feature_group_count").value_or(1),
      .batch_groups = op.integer("batch_group_count").value_or(1)};
}

std::vector<std::int64_t> sizes_of(const std::vector<std::int64_t>& shape,
                                   const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(dims.size());
  for (const std::int64_t d : dims) sizes.push_back(shape[static_cast<std::size_t>(d)]);
  return sizes;
}

}  // namespace autoshard::internal
