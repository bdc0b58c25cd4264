// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "execute/run_alone.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;
using List = std::vector<double>;

const Given kMatrix = f32({2, 3}, {0, 1, 2, 3, 4, 5});

TensorType f32_type(Ints shape) { return {DType::f32, std::move(shape)}; }

TEST_CASE("constants are splats, lists, or made up by name") {
  const TensorType type = f32_type({2, 2});
  CHECK(run({"constant", {}, {type}, {{"value", 1.5}}}) == List(4, 1.5));
  CHECK(run({"constant", {}, {type}, {{"value", std::int64_t{3}}}}) == List(4, 3));
  CHECK(run({"constant", {}, {{DType::pred, {2}}}, {{"value", true}}}) == List(2, 1));
  CHECK(run({"constant", {}, {type}, {{"values", List{1, 2, 3, 4}}}}) == List{1, 2, 3, 4});
  CHECK(run({"constant", {}, {type}, {{"values", Ints{1, 2, 3, 4}}}}) == List{1, 2, 3, 4});
  const List elided = run({"constant", {}, {type}});
  CHECK(elided == run({"constant", {}, {type}}));
  CHECK(elided[0] != elided[1]);
}

TEST_CASE("a device makes its piece of constants, iota and random numbers by the global index") {
  const Given zero = f32({}, {0});
  const Given one = f32({}, {1});
  const std::vector<Alone> cases = {
      {"constant", {}, {f32_type({4, 3})}},
      {"constant", {}, {f32_type({4, 3})}, {{"values", count_up(12)}}},
      {"iota", {}, {f32_type({4, 3})}, {{"iota_dimension", std::int64_t{0}}}},
      {"rng", {zero, one}, {f32_type({4, 3})}, {{"rng_distribution", std::string("UNIFORM")}}},
      {"rng", {zero, one}, {f32_type({4, 3})}, {{"rng_distribution", std::string("NORMAL")}}},
  };
  const internal::Box piece = {{1, 3}, {1, 2}};
  for (const Alone& alone : cases) {
    CAPTURE(alone.kind);
    const List whole = run(alone);
    const auto made = run_piece(alone, std::vector<internal::Box>(alone.operands.size()), piece);
    REQUIRE(made.ok());
    CHECK((*made)[0].data == List{whole[4], whole[7]});
  }
}

TEST_CASE("iota counts along its dimension") {
  CHECK(run({"iota", {}, {f32_type({2, 3})}, {{"iota_dimension", std::int64_t{1}}}}) ==
        List{0, 1, 2, 0, 1, 2});
}

TEST_CASE("uniform numbers stay in their range and random bits depend on the state alone") {
  const List numbers = run({"rng",
                            {f32({}, {2}), f32({}, {3})},
                            {f32_type({100})},
                            {{"rng_distribution", std::string("UNIFORM")}}});
  for (const double number : numbers) CHECK((2 <= number && number < 3));
  const Alone bits = {
      "rng_bit_generator", {typed(DType::u64, {1, 2})}, {{DType::u64, {2}}, {DType::u32, {3}}}};
  const auto first = run_all(bits);
  CHECK(first == run_all(bits));
  Alone other = bits;
  other.operands[0].elements = {1, 3};
  CHECK(first[1] != run_all(other)[1]);
}

TEST_CASE("broadcast repeats along new and stretched dimensions") {
  const Given row = f32({3}, {1, 2, 3});
  CHECK(run({"broadcast_in_dim", {row}, {f32_type({2, 3})}, {{"broadcast_dimensions", Ints{1}}}}) ==
        List{1, 2, 3, 1, 2, 3});
  CHECK(run({"broadcast_in_dim", {row}, {f32_type({3, 2})}, {{"broadcast_dimensions", Ints{0}}}}) ==
        List{1, 1, 2, 2, 3, 3});
  CHECK(run({"broadcast_in_dim",
             {f32({1, 2}, {7, 8})},
             {f32_type({2, 2})},
             {{"broadcast_dimensions", Ints{0, 1}}}}) == List{7, 8, 7, 8});
  CHECK(run({"broadcast_in_dim",
             {f32({}, {5})},
             {f32_type({2})},
             {{"broadcast_dimensions", Ints{}}}}) == List{5, 5});
  CHECK(run({"broadcast_in_dim",
             {f32({2, 3}, count_up(6))},
             {f32_type({3, 2})},
             {{"broadcast_dimensions", Ints{1, 0}}}}) == List{0, 3, 1, 4, 2, 5});
}

TEST_CASE("transpose and reverse") {
  CHECK(run({"transpose", {kMatrix}, {f32_type({3, 2})}, {{"permutation", Ints{1, 0}}}}) ==
        List{0, 3, 1, 4, 2, 5});
  CHECK(run({"reverse", {kMatrix}, {kMatrix.type}, {{"dimensions", Ints{1}}}}) ==
        List{2, 1, 0, 5, 4, 3});
  CHECK(run({"reverse", {kMatrix}, {kMatrix.type}, {{"dimensions", Ints{0, 1}}}}) ==
        List{5, 4, 3, 2, 1, 0});
}

TEST_CASE("a piece of a reversed tensor comes from the opposite end") {
  const Alone reverse = {"reverse", {kMatrix}, {kMatrix.type}, {{"dimensions", Ints{0}}}};
  const auto piece = run_piece(reverse, {{{1, 2}, {0, 3}}}, {{0, 1}, {0, 3}});
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{3, 4, 5});
  CHECK(!run_piece(reverse, {{{0, 1}, {0, 3}}}, {{0, 1}, {0, 3}}).ok());
}

TEST_CASE("reshape keeps the order of the elements") {
  CHECK(run({"reshape", {kMatrix}, {f32_type({3, 2})}}) == count_up(6));
}

TEST_CASE("a reshaped piece must be the same elements") {
  const Alone split = {"reshape", {f32({8, 2}, count_up(16))}, {f32_type({4, 2, 2})}};
  const auto piece = run_piece(split, {{{2, 4}, {0, 2}}}, {{1, 2}, {0, 2}, {0, 2}});
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{4, 5, 6, 7});
  // Half of the inner factor is no contiguous part of the merged dimension.
  CHECK(!run_piece(split, {{{0, 4}, {0, 2}}}, {{0, 4}, {0, 1}, {0, 2}}).ok());
  const Alone merge = {"reshape", {f32({2, 4}, count_up(8))}, {f32_type({8})}};
  CHECK(run_piece(merge, {{{1, 2}, {0, 4}}}, {{4, 8}}).ok());
  CHECK(!run_piece(merge, {{{0, 2}, {0, 2}}}, {{0, 4}}).ok());
}

TEST_CASE("slices step through rows") {
  CHECK(run({"slice",
             {kMatrix},
             {f32_type({2, 1})},
             {{"start_indices", Ints{0, 1}},
              {"limit_indices", Ints{2, 2}},
              {"strides", Ints{1, 1}}}}) == List{1, 4});
  CHECK(run({"slice",
             {f32({7}, count_up(7))},
             {f32_type({3})},
             {{"start_indices", Ints{1}}, {"limit_indices", Ints{7}}, {"strides", Ints{2}}}}) ==
        List{1, 3, 5});
}

TEST_CASE("a device that lacks a sliced row says so") {
  const Alone slice = {
      "slice",
      {f32({8}, count_up(8))},
      {f32_type({4})},
      {{"start_indices", Ints{2}}, {"limit_indices", Ints{6}}, {"strides", Ints{1}}}};
  const auto error = run_piece(slice, {{{0, 4}}}, {{0, 4}});
  REQUIRE(!error.ok());
  CHECK(error.error().message ==
        "operator 'op': operand 0 holds rows 0:4 of dimension 0, but 2:6 are needed");
  CHECK(run_piece(slice, {{{0, 4}}}, {{0, 2}}).ok());
}

TEST_CASE("dynamic slices and updates are clamped into the operand") {
  const Given vector = f32({5}, count_up(5));
  const auto slice_at = [&](double start) {
    return run(
        {"dynamic_slice", {vector, s32({}, {start})}, {f32_type({2})}, {{"slice_sizes", Ints{2}}}});
  };
  CHECK(slice_at(1) == List{1, 2});
  CHECK(slice_at(9) == List{3, 4});
  CHECK(slice_at(-9) == List{0, 1});
  const auto update_at = [&](double start) {
    return run(
        {"dynamic_update_slice", {vector, f32({2}, {70, 80}), s32({}, {start})}, {f32_type({5})}});
  };
  CHECK(update_at(1) == List{0, 70, 80, 3, 4});
  CHECK(update_at(9) == List{0, 1, 2, 70, 80});
}

TEST_CASE("padding may be negative and between rows") {
  const auto pad = [](std::int64_t low, std::int64_t high, std::int64_t between,
                      std::int64_t size) {
    return run({"pad",
                {f32({3}, {1, 2, 3}), f32({}, {9})},
                {f32_type({size})},
                {{"edge_padding_low", Ints{low}},
                 {"edge_padding_high", Ints{high}},
                 {"interior_padding", Ints{between}}}});
  };
  CHECK(pad(1, 2, 0, 6) == List{9, 1, 2, 3, 9, 9});
  CHECK(pad(0, 0, 1, 5) == List{1, 9, 2, 9, 3});
  CHECK(pad(-1, -1, 0, 1) == List{2});
  CHECK(pad(-1, 1, 1, 5) == List{9, 2, 9, 3, 9});
  CHECK(pad(2, -1, 2, 8) == List{9, 9, 1, 9, 9, 2, 9, 9});
}

TEST_CASE("padding gives a piece the rows that land in it") {
  const Alone pad = {"pad",
                     {f32({3}, {1, 2, 3}), f32({}, {9})},
                     {f32_type({6})},
                     {{"edge_padding_low", Ints{1}},
                      {"edge_padding_high", Ints{0}},
                      {"interior_padding", Ints{1}}}};
  CHECK(run(pad) == List{9, 1, 9, 2, 9, 3});
  const auto piece = run_piece(pad, {{{1, 3}}, {}}, {{2, 6}});
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{9, 2, 9, 3});
  CHECK(!run_piece(pad, {{{2, 3}}, {}}, {{2, 6}}).ok());
}

TEST_CASE("concatenation puts operands one after another") {
  CHECK(run({"concatenate",
             {kMatrix, f32({2, 1}, {7, 8})},
             {f32_type({2, 4})},
             {{"dimension", std::int64_t{1}}}}) == List{0, 1, 2, 7, 3, 4, 5, 8});
  CHECK(run({"concatenate",
             {f32({1}, {1}), f32({0}, {}), f32({2}, {2, 3})},
             {f32_type({3})},
             {{"dimension", std::int64_t{0}}}}) == List{1, 2, 3});
}

}  // namespace
}  // namespace autoshard::test
