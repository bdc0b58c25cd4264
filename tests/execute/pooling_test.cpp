// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "execute/run_alone.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;
using List = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Alone pool(const std::string& reducer, Given input, double initial, Ints result,
           const Attributes& window) {
  Attributes attributes = {{"reducer", reducer}};
  attributes.insert(window.begin(), window.end());
  const DType dtype = input.type.dtype;
  return {"reduce_window",
          {std::move(input), {{dtype, {}}, {initial}}},
          {{dtype, std::move(result)}},
          std::move(attributes)};
}

List pool_row(const std::string& reducer, double initial, std::int64_t result,
              const Attributes& window) {
  return run(pool(reducer, f32({5}, {3, 1, 4, 1, 5}), initial, {result}, window));
}

TEST_CASE("a window reduces what it meets with its reducer") {
  const Attributes two = {{"window_dimensions", Ints{2}}};
  CHECK(pool_row("sum", 0, 4, two) == List{4, 5, 5, 6});
  CHECK(pool_row("product", 1, 4, two) == List{3, 4, 4, 5});
  CHECK(pool_row("max", -kInfinity, 4, two) == List{3, 4, 4, 5});
  CHECK(pool_row("min", kInfinity, 4, two) == List{1, 1, 1, 1});
}

TEST_CASE("windows step, spread and reach into the padding") {
  CHECK(pool_row("sum", 0, 2, {{"window_dimensions", Ints{2}}, {"window_strides", Ints{2}}}) ==
        List{4, 5});
  CHECK(pool_row("sum", 0, 3, {{"window_dimensions", Ints{2}}, {"window_dilations", Ints{2}}}) ==
        List{7, 2, 9});
  CHECK(pool_row("sum", 0, 5, {{"window_dimensions", Ints{3}}, {"padding", Ints{2, 0}}}) ==
        List{3, 4, 8, 6, 10});
  CHECK(pool_row("sum", 0, 3, {{"window_dimensions", Ints{1}}, {"padding", Ints{-1, -1}}}) ==
        List{1, 4, 1});
  // 3 . 1 . 4 . 1 . 5
  CHECK(pool_row("max", -kInfinity, 8,
                 {{"window_dimensions", Ints{2}}, {"base_dilations", Ints{2}}}) ==
        List{3, 1, 1, 4, 4, 1, 1, 5});
}

TEST_CASE("an initial value counts once for every window, not for its padding") {
  CHECK(pool_row("sum", 100, 6, {{"window_dimensions", Ints{2}}, {"padding", Ints{1, 1}}}) ==
        List{103, 104, 105, 105, 106, 105});
}

TEST_CASE("windows of several dimensions slide along each") {
  const Given image = f32({1, 3, 4, 1}, count_up(12));
  const Attributes two = {{"window_dimensions", Ints{1, 2, 2, 1}},
                          {"window_strides", Ints{1, 1, 2, 1}}};
  CHECK(run(pool("max", image, -kInfinity, {1, 2, 2, 1}, two)) == List{5, 7, 9, 11});
  CHECK(run(pool("sum", image, 0, {1, 2, 2, 1}, two)) == List{10, 18, 26, 34});
}

TEST_CASE("several inputs have a result each") {
  const Alone test{"reduce_window",
                   {f32({3}, {1, 2, 3}), s32({3}, {4, 5, 6}), f32({}, {0}), s32({}, {1})},
                   {{DType::f32, {2}}, {DType::s32, {2}}},
                   {{"window_dimensions", Ints{2}}, {"reducer", "sum"}}};
  CHECK(run_all(test) == std::vector<List>{{3, 5}, {10, 12}});
}

TEST_CASE("a piece of a pooling is refused unless it holds what its windows meet") {
  const Alone whole =
      pool("sum", f32({5}, {3, 1, 4, 1, 5}), 0, {4}, {{"window_dimensions", Ints{2}}});
  const auto good = run_piece(whole, {{{1, 4}}, {}}, {{1, 3}});
  REQUIRE(good.ok());
  CHECK((*good)[0].data == List{5, 5});
  const auto bad = run_piece(whole, {{{1, 3}}, {}}, {{1, 3}});
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message ==
        "operator 'op': operand 0 holds rows 1:3 of dimension 0, but 1:4 are needed");
}

TEST_CASE("a reducer without a name cannot be run") {
  const Alone test = pool("custom", f32({1}, {1}), 0, {1}, {{"window_dimensions", Ints{1}}});
  CHECK(run_error(test).code == ErrorCode::not_found);
}

TEST_CASE("a window larger than any tensor is not walked through") {
  const std::int64_t huge = std::int64_t{1} << 40;
  const Alone test = pool("sum", f32({1}, {1}), 0, {1},
                          {{"window_dimensions", Ints{huge}}, {"padding", Ints{huge - 1, 0}}});
  CHECK(run_error(test).message ==
        "operator 'op': the interpreter runs windows of at most 67108864 elements");
}

Alone selection(const std::string& selector, Given operand, Given source, double initial,
                const Attributes& window) {
  Attributes attributes = {{"selector", selector}, {"reducer", "sum"}};
  attributes.insert(window.begin(), window.end());
  const TensorType type = operand.type;
  return {"select_and_scatter",
          {std::move(operand), std::move(source), f32({}, {initial})},
          {type},
          std::move(attributes)};
}

TEST_CASE("each window adds its source to the element that it selects") {
  const Attributes two = {{"window_dimensions", Ints{2}}};
  const Given operand = f32({5}, {3, 1, 4, 1, 5});
  const Given source = f32({4}, {1, 10, 100, 1000});
  CHECK(run(selection("max", operand, source, 0, two)) == List{1, 0, 110, 0, 1000});
  CHECK(run(selection("min", operand, source, 0, two)) == List{0, 11, 0, 1100, 0});
  CHECK(run(selection("max", operand, source, 0.5, two)) == List{1.5, 0.5, 110.5, 0.5, 1000.5});
}

TEST_CASE("the first of equal elements is selected, and padding never is") {
  const Attributes padded = {
      {"window_dimensions", Ints{2}}, {"window_strides", Ints{2}}, {"padding", Ints{1, 1}}};
  CHECK(run(selection("max", f32({4}, {-1, 2, 2, -1}), f32({3}, {1, 10, 100}), 0, padded)) ==
        List{1, 10, 0, 100});
  CHECK(run(selection("min", f32({4}, {7, 2, 2, 7}), f32({3}, {1, 10, 100}), 0, padded)) ==
        List{1, 10, 0, 100});
  // The second window lies in the padding.
  CHECK(run(selection("max", f32({2}, {1, 2}), f32({2}, {1, 10}), 0,
                      {{"window_dimensions", Ints{2}},
                       {"window_strides", Ints{2}},
                       {"padding", Ints{0, 2}}})) == List{0, 1});
}

TEST_CASE("a selection is the gradient of the pooling of an image") {
  const Attributes window = {{"window_dimensions", Ints{2, 2}}, {"window_strides", Ints{2, 2}}};
  CHECK(run(selection("max", f32({2, 4}, {1, 2, 8, 7, 4, 3, 6, 5}), f32({1, 2}, {10, 20}), 0,
                      window)) == List{0, 0, 20, 0, 10, 0, 0, 0});
}

TEST_CASE("a selection needs all windows along a dimension where they slide") {
  const Alone whole = selection("max", f32({5}, {3, 1, 4, 1, 5}), f32({4}, {1, 10, 100, 1000}), 0,
                                {{"window_dimensions", Ints{2}}});
  const auto good = run_piece(whole, {{{0, 5}}, {{0, 4}}, {}}, {{2, 4}});
  REQUIRE(good.ok());
  CHECK((*good)[0].data == List{110, 0});
  const auto bad = run_piece(whole, {{{0, 5}}, {{0, 2}}, {}}, {{0, 5}});
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().message ==
        "operator 'op': operand 1 holds rows 0:2 of dimension 0, but 0:4 are needed");
}

TEST_CASE("a selector without a name cannot be run") {
  const Alone test =
      selection("custom", f32({1}, {1}), f32({1}, {1}), 0, {{"window_dimensions", Ints{1}}});
  CHECK(run_error(test).code == ErrorCode::not_found);
}

}  // namespace
}  // namespace autoshard::test
