// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/operator_case.hpp"
#include "support/convolutions.hpp"

using namespace autoshard;
using test::f32;
using test::integer;
using test::Ints;
using test::OperatorCase;
using test::s32;

namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;

/// Of f32[8,6,4] with f32[3,4,10], one attribute of which is another.
OperatorCase convolution(const std::string& name, Attribute value, std::string message) {
  Attributes attributes = test::convolution_dims(1);
  attributes[name] = std::move(value);
  return {"convolution",
          {f32({8, 6, 4}), f32({3, 4, 10})},
          {f32({8, 4, 10})},
          std::move(attributes),
          std::move(message)};
}

OperatorCase sized(Ints lhs, Ints rhs, Attributes more, std::string message) {
  Attributes attributes = test::convolution_dims(1);
  attributes.insert(more.begin(), more.end());
  return {"convolution",
          {f32(std::move(lhs)), f32(std::move(rhs))},
          {f32({8, 4, 10})},
          std::move(attributes),
          std::move(message)};
}

/// Of f32[7] from f32[], one attribute of which is another.
OperatorCase reduce_window(const std::string& name, Attribute value, std::string message) {
  Attributes attributes = {{"window_dimensions", Ints{3}}, {"reducer", "sum"}};
  attributes[name] = std::move(value);
  return {
      "reduce_window", {f32({7}), f32({})}, {f32({5})}, std::move(attributes), std::move(message)};
}

OperatorCase selection(std::vector<TensorType> operands, Attributes more, std::string message) {
  more.insert({{"window_dimensions", Ints{2}}, {"selector", "max"}, {"reducer", "sum"}});
  return {"select_and_scatter", std::move(operands), {f32({4})}, more, std::move(message)};
}

}  // namespace

TEST_CASE("each dimension of a convolution has one meaning") {
  Attributes incomplete = test::convolution_dims(1);
  incomplete.erase("output_feature_dimension");
  test::check_refused({
      {"convolution",
       {f32({8, 6, 4}), f32({3, 4, 10})},
       {f32({8, 4, 10})},
       incomplete,
       "attribute 'output_feature_dimension' is missing"},
      convolution("input_batch_dimension", integer(3),
                  "attribute 'input_batch_dimension': dimension 3 is out of range for rank 3"),
      convolution("input_batch_dimension", integer(2),
                  "attributes 'input_batch_dimension' and 'input_feature_dimension' both name "
                  "dimension 2"),
      convolution("kernel_spatial_dimensions", Ints{2},
                  "attributes 'kernel_output_feature_dimension' and 'kernel_spatial_dimensions' "
                  "both name dimension 2"),
      convolution("output_spatial_dimensions", Ints{0},
                  "attributes 'output_batch_dimension' and 'output_spatial_dimensions' both name "
                  "dimension 0"),
      convolution("input_spatial_dimensions", Ints{1, 2},
                  "attribute 'input_spatial_dimensions' has 2 entries, expected 1"),
  });
}

TEST_CASE("the operands of a convolution fit each other") {
  test::check_refused({
      sized({8}, {3, 4, 10}, {}, "operand 0 has rank 1, expected at least 2"),
      sized({8, 6, 4}, {4, 10}, {}, "operand 1 has rank 2, expected 3"),
      sized({8, 6, 5}, {3, 4, 10}, {},
            "operand 1: input feature dimension 1 has size 4, expected 5"),
      sized({8, 6, 4}, {0, 4, 10}, {},
            "operand 1: spatial dimension 0 has size 0, expected at least 1"),
      sized({8, 6, 4}, {2, 4, 10}, {}, "result 0 has type f32[8,4,10], expected f32[8,5,10]"),
  });
}

TEST_CASE("groups divide what they group, and are of one kind") {
  const auto features = [](std::int64_t count) {
    return Attributes{{"feature_group_count", integer(count)}};
  };
  const auto batch = [](std::int64_t count) {
    return Attributes{{"batch_group_count", integer(count)}};
  };
  test::check_refused({
      sized({8, 6, 4}, {3, 1, 10}, features(0),
            "attribute 'feature_group_count': 0 is not positive"),
      sized({8, 6, 4}, {3, 1, 10}, features(3),
            "operand 0: dimension 2 of size 4 does not fall into 3 groups"),
      sized({8, 6, 4}, {3, 1, 10}, features(4),
            "operand 1: dimension 2 of size 10 does not fall into 4 groups"),
      sized({8, 6, 4}, {3, 1, 10}, features(2),
            "operand 1: input feature dimension 1 has size 1, expected 2"),
      sized({8, 6, 4}, {3, 4, 10}, batch(3),
            "operand 0: dimension 0 of size 8 does not fall into 3 groups"),
      sized({8, 6, 4}, {3, 4, 10}, batch(4),
            "operand 1: dimension 2 of size 10 does not fall into 4 groups"),
      sized({8, 6, 4}, {3, 2, 10},
            {{"feature_group_count", integer(2)}, {"batch_group_count", integer(2)}},
            "has feature_group_count 2 and batch_group_count 2, expected one of them to be 1"),
  });
}

TEST_CASE("the numbers of a convolution's window are refused by name") {
  test::check_refused({
      convolution("window_strides", Ints{1, 1},
                  "attribute 'window_strides' has 2 entries, expected 1"),
      convolution("window_strides", Ints{0},
                  "attribute 'window_strides': 0 is not in [1, 2305843009213693952]"),
      convolution("padding", Ints{1}, "attribute 'padding' has 1 entries, expected 2"),
      convolution("padding", Ints{1, kHuge},
                  "attribute 'padding': 4611686018427387904 is not in [-2305843009213693952, "
                  "2305843009213693952]"),
      convolution("lhs_dilation", Ints{kHuge / 2},
                  "window dimension 0: the padded input passes 2^62 rows"),
      convolution("rhs_dilation", Ints{-1},
                  "attribute 'rhs_dilation': -1 is not in [1, 2305843009213693952]"),
      convolution("window_reversal", Ints{2}, "attribute 'window_reversal': 2 is not in [0, 1]"),
      convolution("window_reversal", integer(1),
                  "attribute 'window_reversal' must be a list of integers"),
  });
}

TEST_CASE("a bad reduce_window is refused with what does not fit") {
  const Attributes sum = {{"window_dimensions", Ints{3}}, {"reducer", "sum"}};
  test::check_refused({
      {"reduce_window",
       {f32({7})},
       {f32({5})},
       sum,
       "has 1 operands, expected inputs and as many initial values"},
      {"reduce_window",
       {f32({7}), f32({1})},
       {f32({5})},
       sum,
       "operand 1 has type f32[1], expected f32[]"},
      {"reduce_window",
       {f32({7}), s32({6}), f32({}), s32({})},
       {f32({5}), s32({5})},
       sum,
       "operand 1 has type s32[6], expected s32[7]"},
      reduce_window("window_dimensions", Ints{3, 1},
                    "attribute 'window_dimensions' has 2 entries, expected 1"),
      reduce_window("window_dimensions", Ints{0},
                    "attribute 'window_dimensions': 0 is not in [1, 2305843009213693952]"),
      reduce_window("window_strides", Ints{2}, "result 0 has type f32[5], expected f32[3]"),
      reduce_window("base_dilations", Ints{0},
                    "attribute 'base_dilations': 0 is not in [1, 2305843009213693952]"),
      reduce_window("window_dilations", Ints{1, 1},
                    "attribute 'window_dilations' has 2 entries, expected 1"),
      reduce_window("reducer", "mean",
                    "attribute 'reducer' is 'mean', expected one of sum product max min and or "
                    "custom"),
  });
}

TEST_CASE("a bad select_and_scatter is refused with what does not fit") {
  test::check_refused({
      selection({f32({4}), f32({4}), f32({})}, {}, "operand 1 has type f32[4], expected f32[3]"),
      selection({f32({4}), s32({3}), f32({})}, {}, "operand 1 has type s32[3], expected f32[3]"),
      selection({f32({4}), f32({3}), f32({1})}, {}, "operand 2 has type f32[1], expected f32[]"),
      selection({f32({5}), f32({4}), f32({})}, {}, "result 0 has type f32[4], expected f32[5]"),
      selection({f32({4}), f32({3}), f32({})}, {{"selector", "first"}},
                "attribute 'selector' is 'first', expected one of max min custom"),
      selection({f32({4}), f32({3}), f32({})}, {{"window_dimensions", Ints{}}},
                "attribute 'window_dimensions' has 0 entries, expected 1"),
  });
}
