// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The families of operators, one file each, and the tables in which they are found.
#pragma once

#include <span>
#include <string_view>

#include "execute/piece_call.hpp"

namespace autoshard::internal {

struct NamedKernel {
  std::string_view kind;
  Kernel kernel;
};

std::span<const NamedKernel> unary_kernels();
std::span<const NamedKernel> binary_kernels();
std::span<const NamedKernel> choice_kernels();     ///< compare, select, clamp
std::span<const NamedKernel> generator_kernels();  ///< constant, iota, rng, ...
std::span<const NamedKernel> layout_kernels();     ///< broadcast_in_dim, transpose, reshape, ...
std::span<const NamedKernel> window_kernels();     ///< slice, pad, concatenate, ...
std::span<const NamedKernel> dot_kernels();
std::span<const NamedKernel> convolution_kernels();
std::span<const NamedKernel> pooling_kernels();  ///< reduce_window, select_and_scatter
std::span<const NamedKernel> reduce_kernels();
std::span<const NamedKernel> ordering_kernels();  ///< sort, top_k, argmax, cumulative, ...
std::span<const NamedKernel> gather_kernels();
std::span<const NamedKernel> scatter_kernels();

}  // namespace autoshard::internal
