// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/checks/table.hpp"
#include "graph/operator_case.hpp"
#include "support/convolutions.hpp"

using namespace autoshard;
using test::check_inferred;
using test::f32;
using test::integer;
using test::Ints;
using test::OperatorCase;
using test::s32;

namespace {

Attributes with(Attributes attributes, const std::string& name, Attribute value) {
  attributes[name] = std::move(value);
  return attributes;
}

OperatorCase one_row(std::int64_t input, std::int64_t kernel, const Attributes& window,
                     std::int64_t expected) {
  Attributes attributes = test::convolution_dims(1);
  attributes.insert(window.begin(), window.end());
  return {"convolution",
          {f32({1, input, 1}), f32({kernel, 1, 1})},
          {f32({1, expected, 1})},
          attributes};
}

}  // namespace

TEST_CASE("a convolution has the input's batch, the kernel's features and its windows' places") {
  check_inferred({
      {"convolution",
       {f32({8, 16, 16, 3}), f32({3, 3, 3, 32})},
       {f32({8, 14, 14, 32})},
       test::convolution_dims(2)},
      {"convolution", {f32({8, 3}), f32({3, 5})}, {f32({8, 5})}, test::convolution_dims(0)},
      {"convolution",
       {f32({2, 4, 5, 6, 3}), f32({2, 2, 2, 3, 7})},
       {f32({2, 3, 4, 5, 7})},
       test::convolution_dims(3)},
      {"convolution",
       {f32({3, 8, 16}), f32({5, 3, 3})},
       {f32({14, 8, 5})},
       {{"input_batch_dimension", integer(1)},
        {"input_feature_dimension", integer(0)},
        {"input_spatial_dimensions", Ints{2}},
        {"kernel_input_feature_dimension", integer(2)},
        {"kernel_output_feature_dimension", integer(0)},
        {"kernel_spatial_dimensions", Ints{1}},
        {"output_batch_dimension", integer(1)},
        {"output_feature_dimension", integer(2)},
        {"output_spatial_dimensions", Ints{0}}}},
  });
}

TEST_CASE("strides, padding and dilations decide in how many places a window fits") {
  check_inferred({
      one_row(7, 3, {}, 5),
      one_row(7, 3, {{"window_strides", Ints{}}, {"padding", Ints{}}}, 5),
      one_row(7, 3, {{"window_strides", Ints{2}}}, 3),
      one_row(7, 3, {{"window_strides", Ints{3}}}, 2),
      one_row(7, 3, {{"padding", Ints{1, 2}}}, 8),
      one_row(7, 3, {{"padding", Ints{-1, -2}}}, 2),
      one_row(7, 3, {{"padding", Ints{-4, -5}}}, 0),
      one_row(7, 3, {{"lhs_dilation", Ints{2}}}, 11),
      one_row(7, 3, {{"rhs_dilation", Ints{3}}}, 1),
      one_row(7, 3, {{"rhs_dilation", Ints{4}}}, 0),
      one_row(0, 1, {}, 0),
      one_row(0, 2, {{"padding", Ints{2, 1}}}, 2),
      one_row(7, 3, {{"window_reversal", Ints{1}}}, 5),
  });
}

TEST_CASE("the groups of a convolution are of features or of the batch") {
  const Attributes plain = test::convolution_dims(1);
  check_inferred({
      {"convolution",
       {f32({8, 6, 4}), f32({3, 2, 10})},
       {f32({8, 4, 10})},
       with(plain, "feature_group_count", integer(2))},
      {"convolution",
       {f32({8, 6, 4}), f32({3, 1, 4})},
       {f32({8, 4, 4})},
       with(plain, "feature_group_count", integer(4))},
      {"convolution",
       {f32({8, 6, 4}), f32({3, 4, 10})},
       {f32({4, 4, 10})},
       with(plain, "batch_group_count", integer(2))},
  });
}

TEST_CASE("a convolution may be wider than its operands") {
  const TensorType input{DType::bf16, {8, 3}};
  const TensorType kernel{DType::bf16, {3, 5}};
  const auto graph =
      test::build({"convolution", {input, kernel}, {f32({8, 5})}, test::convolution_dims(0)});
  CHECK(graph.ok());
}

TEST_CASE("windows over every dimension keep what they make of each input") {
  check_inferred({
      {"reduce_window",
       {f32({2, 8, 8, 3}), f32({})},
       {f32({2, 4, 4, 3})},
       {{"window_dimensions", Ints{1, 2, 2, 1}},
        {"window_strides", Ints{1, 2, 2, 1}},
        {"reducer", "max"}}},
      {"reduce_window",
       {f32({7}), s32({7}), f32({}), s32({})},
       {f32({6}), s32({6})},
       {{"window_dimensions", Ints{3}},
        {"padding", Ints{1, 2}},
        {"window_dilations", Ints{2}},
        {"reducer", "custom"}}},
      {"reduce_window",
       {f32({3}), f32({})},
       {f32({4})},
       {{"window_dimensions", Ints{2}}, {"base_dilations", Ints{2}}, {"reducer", "sum"}}},
      {"reduce_window", {f32({}), f32({})}, {f32({})}, {{"reducer", "sum"}}},
  });
}

TEST_CASE("the sources of a selection are as many as its windows, the result is like the operand") {
  check_inferred({
      {"select_and_scatter",
       {f32({2, 8, 8, 3}), f32({2, 4, 4, 3}), f32({})},
       {f32({2, 8, 8, 3})},
       {{"window_dimensions", Ints{1, 2, 2, 1}},
        {"window_strides", Ints{1, 2, 2, 1}},
        {"selector", "max"},
        {"reducer", "sum"}}},
      {"select_and_scatter",
       {f32({5}), f32({3}), f32({})},
       {f32({5})},
       {{"window_dimensions", Ints{3}},
        {"window_strides", Ints{2}},
        {"padding", Ints{1, 1}},
        {"selector", "min"},
        {"reducer", "sum"}}},
  });
}
