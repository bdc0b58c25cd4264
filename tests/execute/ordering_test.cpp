// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "execute/run_alone.hpp"

namespace autoshard::test {
namespace {

using List = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::int64_t integer(std::int64_t value) { return value; }

Alone sort(std::vector<Given> operands, Attributes attributes) {
  std::vector<TensorType> results;
  for (const Given& operand : operands) results.push_back(operand.type);
  return {"sort", std::move(operands), std::move(results), std::move(attributes)};
}

Alone cumulative(const Given& x, const std::string& reducer, std::int64_t dimension,
                 std::int64_t reverse = 0) {
  return {"cumulative",
          {x},
          {x.type},
          {{"dimension", dimension}, {"reducer", reducer}, {"reverse", reverse}}};
}

Alone position(const std::string& kind, const Given& x, std::int64_t dimension, TensorType result) {
  return {kind, {x}, {std::move(result)}, {{"dimension", dimension}}};
}

TEST_CASE("a sort orders each line along its dimension") {
  const Given x = f32({2, 3}, {3, 1, 2, -1, 5, 0});
  CHECK(run(sort({x}, {{"dimension", integer(1)}})) == List{1, 2, 3, -1, 0, 5});
  CHECK(run(sort({x}, {{"dimension", integer(0)}})) == List{-1, 1, 0, 3, 5, 2});
  CHECK(run(sort({x}, {{"dimension", integer(1)}, {"descending", integer(1)}})) ==
        List{3, 2, 1, 5, 0, -1});
}

TEST_CASE("what is sorted along goes where its key goes, and equal keys keep their order") {
  const Given keys = s32({5}, {2, 1, 2, 1, 2});
  const Given more = s32({5}, {0, 5, 9, 4, 0});
  const Given along = f32({5}, {10, 11, 12, 13, 14});
  CHECK(run_all(sort({keys, along}, {{"dimension", integer(0)}})) ==
        std::vector<List>{{1, 1, 2, 2, 2}, {11, 13, 10, 12, 14}});
  CHECK(run_all(sort({keys, more, along}, {{"dimension", integer(0)}, {"num_keys", integer(2)}})) ==
        std::vector<List>{{1, 1, 2, 2, 2}, {4, 5, 0, 0, 9}, {13, 11, 10, 14, 12}});
  CHECK(run_all(sort(
            {keys, more, along},
            {{"dimension", integer(0)}, {"num_keys", integer(2)}, {"descending", integer(1)}})) ==
        std::vector<List>{{2, 2, 2, 1, 1}, {9, 0, 0, 5, 4}, {12, 10, 14, 11, 13}});
}

TEST_CASE("NaN sorts behind every number, and zeros are equal") {
  const List sorted = run(sort({f32({4}, {kNan, kInfinity, -1, 2})}, {{"dimension", integer(0)}}));
  CHECK(List(sorted.begin(), sorted.end() - 1) == List{-1, 2, kInfinity});
  CHECK(std::isnan(sorted.back()));
  const Given zeros = f32({2}, {0.0, -0.0});
  CHECK(run_all(sort({zeros, s32({2}, {7, 8})}, {{"dimension", integer(0)}}))[1] == List{7, 8});
}

TEST_CASE("a sort by a comparator of its own is refused") {
  const Error error = run_error(
      sort({f32({1}, {1})}, {{"dimension", integer(0)}, {"comparator", std::string("custom")}}));
  CHECK(error.code == ErrorCode::not_found);
  CHECK(error.message == "operator 'op': the interpreter does not know the comparator");
}

TEST_CASE("a sorted dimension must be whole, the others may be pieces") {
  const Alone whole = sort({f32({2, 2}, {4, 3, 2, 1})}, {{"dimension", integer(1)}});
  const auto row = run_piece(whole, {{{1, 2}, {0, 2}}}, {{1, 2}, {0, 2}});
  REQUIRE(row.ok());
  CHECK((*row)[0].data == List{1, 2});
  const auto column = run_piece(whole, {{{0, 2}, {0, 1}}}, {{0, 2}, {0, 1}});
  REQUIRE_FALSE(column.ok());
  CHECK(column.error().message ==
        "operator 'op': operand 0 holds rows 0:1 of dimension 1, but 0:2 are needed");
}

TEST_CASE("top_k takes the largest first, and of equal ones the earlier") {
  const Alone two = {"top_k",
                     {f32({2, 4}, {1, 3, 3, 2, 0, -1, kNan, 5})},
                     {{DType::f32, {2, 2}}, {DType::s32, {2, 2}}},
                     {{"k", integer(2)}}};
  const std::vector<List> found = run_all(two);
  CHECK(List(found[0].begin(), found[0].begin() + 2) == List{3, 3});
  CHECK(std::isnan(found[0][2]));
  CHECK(found[0][3] == 5);
  CHECK(found[1] == List{1, 2, 2, 3});
}

TEST_CASE("argmax and argmin give the first extreme, and NaN wins") {
  const Given x = f32({2, 3}, {1, 5, 5, -2, -2, 4});
  CHECK(run(position("argmax", x, 1, {DType::s32, {2}})) == List{1, 2});
  CHECK(run(position("argmin", x, 1, {DType::s32, {2}})) == List{0, 0});
  CHECK(run(position("argmax", x, 0, {DType::s32, {3}})) == List{0, 0, 0});
  CHECK(run(position("argmin", x, 0, {DType::s64, {3}})) == List{1, 1, 1});
  const Given with_nan = f32({4}, {9, kNan, -9, kNan});
  CHECK(run(position("argmax", with_nan, 0, {DType::s32, {}})) == List{1});
  CHECK(run(position("argmin", with_nan, 0, {DType::s32, {}})) == List{1});
}

TEST_CASE("cumulative reductions run from either end") {
  const Given x = f32({2, 3}, {1, 2, 3, 4, -5, 6});
  CHECK(run(cumulative(x, "sum", 1)) == List{1, 3, 6, 4, -1, 5});
  CHECK(run(cumulative(x, "sum", 1, 1)) == List{6, 5, 3, 5, 1, 6});
  CHECK(run(cumulative(x, "sum", 0)) == List{1, 2, 3, 5, -3, 9});
  CHECK(run(cumulative(x, "product", 1)) == List{1, 2, 6, 4, -20, -120});
  CHECK(run(cumulative(x, "max", 1)) == List{1, 2, 3, 4, 4, 6});
  CHECK(run(cumulative(x, "min", 1, 1)) == List{1, 2, 3, -5, -5, 6});
  CHECK(run(cumulative({{DType::s8, {2}}, {100, 100}}, "sum", 0)) == List{100, -56});
  CHECK(run(cumulative(f32({0}, {}), "sum", 0)).empty());
}

TEST_CASE("a cumulative logsumexp is exact far from zero") {
  const List found = run(cumulative(f32({4}, {-kInfinity, 1000, 1000, kInfinity}), "logsumexp", 0));
  CHECK(found[0] == -kInfinity);
  CHECK(found[1] == 1000);
  CHECK(found[2] == doctest::Approx(1000 + std::log(2.0)).epsilon(1e-15));
  CHECK(found[3] == kInfinity);
}

}  // namespace
}  // namespace autoshard::test
