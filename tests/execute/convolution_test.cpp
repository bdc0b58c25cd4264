// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "execute/run_alone.hpp"
#include "support/convolutions.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;
using List = std::vector<double>;

Alone convolution(Given input, Given kernel, Ints result, const Attributes& more = {}) {
  Attributes attributes = convolution_dims(std::ssize(result) - 2);
  attributes.insert(more.begin(), more.end());
  return {"convolution",
          {std::move(input), std::move(kernel)},
          {{DType::f32, std::move(result)}},
          std::move(attributes)};
}

/// One image with one feature, in one spatial dimension.
List row(List input, List kernel, std::int64_t result, const Attributes& window = {}) {
  const std::int64_t inputs = std::ssize(input);
  const std::int64_t rows = std::ssize(kernel);
  return run(convolution(f32({1, inputs, 1}, std::move(input)),
                         f32({rows, 1, 1}, std::move(kernel)), {1, result, 1}, window));
}

TEST_CASE("a kernel slides over its input without being turned around") {
  CHECK(row({1, 2, 3, 4}, {1, 10}, 3) == List{21, 32, 43});
  CHECK(row({1, 2, 3, 4}, {1, 10}, 3, {{"window_reversal", Ints{1}}}) == List{12, 23, 34});
}

TEST_CASE("strides, dilations and padding place the kernel") {
  CHECK(row({1, 2, 3, 4}, {1, 10}, 2, {{"window_strides", Ints{2}}}) == List{21, 43});
  CHECK(row({1, 2, 3, 4}, {1, 10}, 5, {{"padding", Ints{1, 1}}}) == List{10, 21, 32, 43, 4});
  CHECK(row({1, 2, 3, 4}, {1, 10}, 1, {{"padding", Ints{-1, -1}}}) == List{32});
  CHECK(row({1, 2, 3, 4}, {1, 10}, 2, {{"rhs_dilation", Ints{2}}}) == List{31, 42});
  // 1 0 2 0 3
  CHECK(row({1, 2, 3}, {1, 10}, 4, {{"lhs_dilation", Ints{2}}}) == List{1, 20, 2, 30});
  CHECK(row({1, 2, 3}, {1, 10}, 2,
            {{"lhs_dilation", Ints{2}}, {"padding", Ints{-1, 1}}, {"window_strides", Ints{2}}}) ==
        List{20, 30});
}

TEST_CASE("a convolution sums over the kernel and the input features") {
  // Two features, kernel [2,2,2,1] over [1,2,3,2].
  const Given input = f32({1, 2, 3, 2}, count_up(12));
  const Given kernel = f32({2, 2, 2, 1}, {1, 0, 0, 1, 2, 0, 0, 2});
  // Place 0: 0*1 + 3*1 + 6*2 + 9*2, place 1: 2 + 5 + 8*2 + 11*2.
  CHECK(run(convolution(input, kernel, {1, 1, 2, 1})) == List{33, 45});
}

TEST_CASE("without spatial dimensions a convolution is a matrix product") {
  CHECK(run(convolution(f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {5, 6, 7, 8}), {2, 2})) ==
        List{19, 22, 43, 50});
}

TEST_CASE("the dimensions of a convolution lie in any order") {
  // input [feature, spatial, batch], kernel [output, input, spatial], result [spatial, feature,
  // batch]: features 2, one image, kernel of 2 rows and one output feature.
  const Alone test{"convolution",
                   {f32({2, 3, 1}, {1, 2, 3, 4, 5, 6}), f32({1, 2, 2}, {1, 10, 100, 1000})},
                   {{DType::f32, {2, 1, 1}}},
                   {{"input_batch_dimension", std::int64_t{2}},
                    {"input_feature_dimension", std::int64_t{0}},
                    {"input_spatial_dimensions", Ints{1}},
                    {"kernel_input_feature_dimension", std::int64_t{1}},
                    {"kernel_output_feature_dimension", std::int64_t{0}},
                    {"kernel_spatial_dimensions", Ints{2}},
                    {"output_batch_dimension", std::int64_t{2}},
                    {"output_feature_dimension", std::int64_t{1}},
                    {"output_spatial_dimensions", Ints{0}}}};
  CHECK(run(test) == List{1 + 20 + 400 + 5000, 2 + 30 + 500 + 6000});
}

TEST_CASE("a group of features is made from its own group of the input") {
  const Given input = f32({1, 1, 4}, {1, 2, 3, 4});
  const Attributes two = {{"feature_group_count", std::int64_t{2}}};
  // Kernel [1, 2, 2]: output feature o of group o.
  CHECK(run(convolution(input, f32({1, 2, 2}, {1, 10, 100, 1000}), {1, 1, 2}, two)) ==
        List{1 + 200, 30 + 4000});
  const Attributes four = {{"feature_group_count", std::int64_t{4}}};
  CHECK(run(convolution(input, f32({1, 1, 8}, count_up(8)), {1, 1, 8}, four)) ==
        List{0, 1, 4, 6, 12, 15, 24, 28});
}

TEST_CASE("a group of the batch makes its own output features") {
  const Given input = f32({4, 1, 1}, {1, 2, 3, 4});
  const Attributes two = {{"batch_group_count", std::int64_t{2}}};
  // Images 0 and 1 make feature 0, images 2 and 3 feature 1.
  CHECK(run(convolution(input, f32({1, 1, 2}, {1, 10}), {2, 1, 2}, two)) == List{1, 30, 2, 40});
}

TEST_CASE("integers wrap and an empty input feature adds nothing") {
  const Alone test{"convolution",
                   {{{DType::s8, {1, 1}}, {100}}, {{DType::s8, {1, 1}}, {2}}},
                   {{DType::s8, {1, 1}}},
                   convolution_dims(0)};
  CHECK(run(test) == List{-56});
  CHECK(run(convolution(f32({1, 0}, {}), f32({0, 2}, {}), {1, 2})) == List{0, 0});
  CHECK(row({}, {1}, 3, {{"padding", Ints{1, 2}}}) == List{0, 0, 0});
}

TEST_CASE("the pieces of the input features add up to the convolution") {
  const Alone whole =
      convolution(f32({1, 2, 3}, count_up(6)), f32({2, 3, 2}, count_up(12)), {1, 1, 2});
  const internal::Box result = {{0, 1}, {0, 1}, {0, 2}};
  const auto part = [&](internal::Range features) {
    return run_piece(whole, {{{0, 1}, {0, 2}, features}, {{0, 2}, features, {0, 2}}}, result);
  };
  const auto first = part({0, 2});
  const auto second = part({2, 3});
  const auto nothing = part({3, 3});
  REQUIRE((first.ok() && second.ok() && nothing.ok()));
  const List sum = run(whole);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((*first)[0].data[i] + (*second)[0].data[i] == sum[i]);
  }
  CHECK((*nothing)[0].data == List{0, 0});
}

TEST_CASE("a piece of a grouped convolution reads the rows of its own group") {
  const Alone whole = convolution(f32({1, 1, 4}, {1, 2, 3, 4}), f32({1, 2, 2}, {1, 10, 100, 1000}),
                                  {1, 1, 2}, {{"feature_group_count", std::int64_t{2}}});
  const internal::Box kernel = {{0, 1}, {0, 2}, {1, 2}};
  const internal::Box result = {{0, 1}, {0, 1}, {1, 2}};
  const auto good = run_piece(whole, {{{0, 1}, {0, 1}, {2, 4}}, kernel}, result);
  REQUIRE(good.ok());
  CHECK((*good)[0].data == List{4030});
  const auto bad = run_piece(whole, {{{0, 1}, {0, 1}, {0, 2}}, kernel}, result);
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message ==
        "operator 'op': operand 0 holds rows 0:2 of dimension 2, but 2:4 are needed");
}

TEST_CASE("a convolution whose windows reach past the piece is refused") {
  const Alone whole = convolution(f32({1, 4, 1}, count_up(4)), f32({2, 1, 1}, {1, 10}), {1, 3, 1});
  const internal::Box kernel = {{0, 2}, {0, 1}, {0, 1}};
  const auto bad = run_piece(whole, {{{0, 1}, {0, 2}, {0, 1}}, kernel}, {{0, 1}, {0, 2}, {0, 1}});
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message ==
        "operator 'op': operand 0 holds rows 0:2 of dimension 1, but 0:3 are needed");
}

}  // namespace
}  // namespace autoshard::test
