// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The layout that most convolutions of tests have.
#pragma once

#include "autoshard/graph.hpp"

namespace autoshard::test {

/// Input and result [batch, spatial..., feature], kernel [spatial..., input, output].
inline Attributes convolution_dims(std::int64_t spatial) {
  std::vector<std::int64_t> image;
  std::vector<std::int64_t> kernel;
  for (std::int64_t d = 0; d < spatial; ++d) {
    image.push_back(d + 1);
    kernel.push_back(d);
  }
  return {{"input_batch_dimension", std::int64_t{0}},
          {"input_feature_dimension", spatial + 1},
          {"input_spatial_dimensions", image},
          {"kernel_input_feature_dimension", spatial},
          {"kernel_output_feature_dimension", spatial + 1},
          {"kernel_spatial_dimensions", kernel},
          {"output_batch_dimension", std::int64_t{0}},
          {"output_feature_dimension", spatial + 1},
          {"output_spatial_dimensions", image}};
}

}  // namespace autoshard::test
