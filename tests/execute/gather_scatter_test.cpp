// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "execute/run_alone.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;
using List = std::vector<double>;

/// Rows of a table [rows, 2] by a vector of indices.
Alone take_rows(std::int64_t rows, List indices) {
  const auto n = static_cast<std::int64_t>(indices.size());
  return {"gather",
          {f32({rows, 2}, count_up(2 * rows)), s32({n}, std::move(indices))},
          {{DType::f32, {n, 2}}},
          {{"offset_dims", Ints{1}},
           {"collapsed_slice_dims", Ints{0}},
           {"start_index_map", Ints{0}},
           {"index_vector_dim", std::int64_t{1}},
           {"slice_sizes", Ints{1, 2}}}};
}

/// Adds (or what the reducer is) rows of updates to a table [3, 2] of ones.
Alone put_rows(const std::string& reducer, List indices, List updates) {
  const auto n = static_cast<std::int64_t>(indices.size());
  return {
      "scatter",
      {f32({3, 2}, List(6, 1.0)), s32({n, 1}, std::move(indices)), f32({n, 2}, std::move(updates))},
      {{DType::f32, {3, 2}}},
      {{"reducer", reducer},
       {"update_window_dims", Ints{1}},
       {"inserted_window_dims", Ints{0}},
       {"scatter_dims_to_operand_dims", Ints{0}},
       {"index_vector_dim", std::int64_t{1}}}};
}

TEST_CASE("gather takes rows and clamps indices into the table") {
  CHECK(run(take_rows(3, {2, 0, 2})) == List{4, 5, 0, 1, 4, 5});
  CHECK(run(take_rows(3, {-5, 9})) == List{0, 1, 4, 5});
}

TEST_CASE("gather clamps whole windows") {
  // Windows of three out of five, starting at 1 and at 4, which becomes 2.
  CHECK(run({"gather",
             {f32({5}, count_up(5)), s32({2, 1}, {1, 4})},
             {{DType::f32, {3, 2}}},
             {{"offset_dims", Ints{0}},
              {"start_index_map", Ints{0}},
              {"index_vector_dim", std::int64_t{1}},
              {"slice_sizes", Ints{3}}}}) == List{1, 2, 2, 3, 3, 4});
}

TEST_CASE("gather reads index vectors along any dimension and maps them to any dimensions") {
  // Elements (row, column) = (1, 2) and (0, 1); the index vectors are columns, column first.
  CHECK(run({"gather",
             {f32({2, 3}, count_up(6)), s32({2, 2}, {2, 1, 1, 0})},
             {{DType::f32, {2}}},
             {{"collapsed_slice_dims", Ints{0, 1}},
              {"start_index_map", Ints{1, 0}},
              {"index_vector_dim", std::int64_t{0}},
              {"slice_sizes", Ints{1, 1}}}}) == List{5, 1});
}

TEST_CASE("gather walks batching dimensions together") {
  // operand[b, 3], indices[2, b]: result[i, b] = operand[b, indices[i, b]].
  CHECK(run({"gather",
             {f32({2, 3}, count_up(6)), s32({2, 2}, {0, 1, 2, 0})},
             {{DType::f32, {2, 2}}},
             {{"collapsed_slice_dims", Ints{1}},
              {"operand_batching_dims", Ints{0}},
              {"start_indices_batching_dims", Ints{1}},
              {"start_index_map", Ints{1}},
              {"index_vector_dim", std::int64_t{2}},
              {"slice_sizes", Ints{1, 1}}}}) == List{0, 4, 2, 3});
}

TEST_CASE("the pieces of a split table give partial rows") {
  const Alone take = take_rows(4, {3, 0, 9});
  const internal::Box result = {{0, 3}, {0, 2}};
  const auto low = run_piece(take, {{{0, 2}, {0, 2}}, {{0, 3}}}, result);
  const auto high = run_piece(take, {{{2, 4}, {0, 2}}, {{0, 3}}}, result);
  REQUIRE((low.ok() && high.ok()));
  CHECK((*low)[0].data == List{0, 0, 0, 1, 0, 0});
  CHECK((*high)[0].data == List{6, 7, 0, 0, 6, 7});
}

TEST_CASE("a device gathers with its own indices and its own part of the windows") {
  const Alone take = take_rows(4, {3, 0, 1});
  const auto piece = run_piece(take, {{{0, 4}, {1, 2}}, {{1, 3}}}, {{1, 3}, {1, 2}});
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{1, 3});
  CHECK(!run_piece(take, {{{0, 4}, {0, 2}}, {{0, 2}}}, {{1, 3}, {0, 2}}).ok());
}

TEST_CASE("scatter combines updates as its reducer says") {
  const List indices = {2, 0, 2};
  const List updates = {1, 2, 3, 4, 5, -6};
  CHECK(run(put_rows("sum", indices, updates)) == List{4, 5, 1, 1, 7, -3});
  CHECK(run(put_rows("assign", indices, updates)) == List{3, 4, 1, 1, 5, -6});
  CHECK(run(put_rows("max", indices, updates)) == List{3, 4, 1, 1, 5, 2});
  CHECK(run(put_rows("min", indices, updates)) == List{1, 1, 1, 1, 1, -6});
  CHECK(run(put_rows("product", indices, updates)) == List{3, 4, 1, 1, 5, -12});
  CHECK(run_error(put_rows("custom", indices, updates)).code == ErrorCode::not_found);
}

TEST_CASE("scatter drops updates out of bounds") {
  CHECK(run(put_rows("sum", {3, -1}, {1, 2, 3, 4})) == List(6, 1.0));
}

TEST_CASE("scatter walks batching dimensions together") {
  // input[b, 3], indices[b, 2], updates[b, 2]: input[b, indices[b, i]] += updates[b, i].
  CHECK(run({"scatter",
             {f32({2, 3}, List(6, 0.0)), s32({2, 2}, {0, 2, 1, 1}), f32({2, 2}, {1, 2, 3, 4})},
             {{DType::f32, {2, 3}}},
             {{"reducer", std::string("sum")},
              {"update_window_dims", Ints{}},
              {"inserted_window_dims", Ints{1}},
              {"input_batching_dims", Ints{0}},
              {"scatter_indices_batching_dims", Ints{0}},
              {"scatter_dims_to_operand_dims", Ints{1}},
              {"index_vector_dim", std::int64_t{2}}}}) == List{1, 0, 2, 0, 7, 0});
}

TEST_CASE("a piece of the scattered tensor gets the updates that fall into it") {
  const Alone put = put_rows("sum", {2, 0}, {1, 2, 3, 4});
  const auto piece =
      run_piece(put, {{{2, 3}, {0, 2}}, {{0, 2}, {0, 1}}, {{0, 2}, {0, 2}}}, {{2, 3}, {0, 2}});
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{2, 3});
}

TEST_CASE("split updates scatter into partial tensors that count the input once") {
  const Alone put = put_rows("sum", {2, 0}, {1, 2, 3, 4});
  const internal::Box whole = {{0, 3}, {0, 2}};
  const auto first = run_piece(put, {whole, {{0, 1}, {0, 1}}, {{0, 1}, {0, 2}}}, whole);
  const auto second =
      run_piece(put, {whole, {{1, 2}, {0, 1}}, {{1, 2}, {0, 2}}}, whole, {true, false, false});
  REQUIRE((first.ok() && second.ok()));
  CHECK((*first)[0].data == List{1, 1, 1, 1, 2, 3});
  CHECK((*second)[0].data == List{3, 4, 0, 0, 0, 0});
}

}  // namespace
}  // namespace autoshard::test
