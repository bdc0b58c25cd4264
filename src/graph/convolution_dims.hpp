// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the dimensions of a convolution's operands and result mean, read from an operator that the
// graph's builder has checked.
//
// Groups: with feature_group_count the input's features, with batch_group_count its batch, falls
// into groups of neighbours. The kernel's and the result's output features do so in either case,
// and group g of the result is made of group g of both operands.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

struct ConvolutionDims {
  struct Image {
    std::int64_t batch = 0;
    std::int64_t feature = 0;
    std::vector<std::int64_t> spatial;
  };
  struct Kernel {
    std::int64_t input_feature = 0;
    std::int64_t output_feature = 0;
    std::vector<std::int64_t> spatial;
  };

  Image input;
  Kernel kernel;
  Image output;
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;

  /// One of the two counts is 1.
  std::int64_t groups() const { return feature_groups * batch_groups; }
};

ConvolutionDims convolution_dims(const Operator& op);

/// shape[dims[0]], shape[dims[1]], ...
std::vector<std::int64_t> sizes_of(const std::vector<std::int64_t>& shape,
                                   const std::vector<std::int64_t>& dims);

}  // namespace autoshard::internal
