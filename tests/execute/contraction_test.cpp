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

struct DotDims {
  Ints lhs_batch;
  Ints rhs_batch;
  Ints lhs_contracted;
  Ints rhs_contracted;
};

Alone dot(Given lhs, Given rhs, Ints result, const DotDims& dims) {
  return {"dot_general",
          {std::move(lhs), std::move(rhs)},
          {{DType::f32, std::move(result)}},
          {{"lhs_batching_dimensions", dims.lhs_batch},
           {"rhs_batching_dimensions", dims.rhs_batch},
           {"lhs_contracting_dimensions", dims.lhs_contracted},
           {"rhs_contracting_dimensions", dims.rhs_contracted}}};
}

Alone reduce(const std::string& reducer, Given input, double initial, TensorType result,
             Ints dims) {
  const DType dtype = input.type.dtype;
  return {"reduce",
          {std::move(input), {{dtype, {}}, {initial}}},
          {std::move(result)},
          {{"reducer", reducer}, {"dimensions", std::move(dims)}}};
}

TEST_CASE("a dot is the matrix product") {
  CHECK(run(dot(f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {5, 6, 7, 8}), {2, 2},
                {{}, {}, {1}, {0}})) == List{19, 22, 43, 50});
}

TEST_CASE("a dot contracts the dimensions it is told, in their order") {
  const Given a = f32({2, 3}, count_up(6));
  const Given b = f32({2, 3}, {1, 1, 1, 2, 2, 2});
  CHECK(run(dot(a, b, {2, 2}, {{}, {}, {1}, {1}})) == List{3, 6, 12, 24});
  CHECK(run(dot(a, b, {3, 3}, {{}, {}, {0}, {0}})) == List{6, 6, 6, 9, 9, 9, 12, 12, 12});
  CHECK(run(dot(a, b, {}, {{}, {}, {0, 1}, {0, 1}})) == List{27});
  // a[i,j] b[j',i'] with (i, j) contracted against dimensions (1, 0) of the transpose.
  CHECK(run(dot(a, f32({3, 2}, {1, 2, 1, 2, 1, 2}), {}, {{}, {}, {0, 1}, {1, 0}})) == List{27});
  CHECK(run(dot(f32({2}, {1, 2}), f32({2}, {3, 4}), {2, 2}, {{}, {}, {}, {}})) == List{3, 4, 6, 8});
}

TEST_CASE("batch dimensions come first in the result of a dot") {
  // lhs[m, b, k], rhs[k, n, b] -> [b, m, n] with m = 1, b = 2, k = 2, n = 1.
  CHECK(run(dot(f32({1, 2, 2}, {1, 2, 3, 4}), f32({2, 1, 2}, {5, 6, 7, 8}), {2, 1, 1},
                {{1}, {2}, {2}, {0}})) == List{1 * 5 + 2 * 7, 3 * 6 + 4 * 8});
}

TEST_CASE("the pieces of a contracted dimension add up to the dot") {
  const Alone whole =
      dot(f32({2, 3}, count_up(6)), f32({3, 1}, {1, 2, 3}), {2, 1}, {{}, {}, {1}, {0}});
  const internal::Box result = {{0, 2}, {0, 1}};
  const auto first = run_piece(whole, {{{0, 2}, {0, 2}}, {{0, 2}, {0, 1}}}, result);
  const auto second = run_piece(whole, {{{0, 2}, {2, 3}}, {{2, 3}, {0, 1}}}, result);
  const auto nothing = run_piece(whole, {{{0, 2}, {3, 3}}, {{3, 3}, {0, 1}}}, result);
  REQUIRE((first.ok() && second.ok() && nothing.ok()));
  const List sum = run(whole);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((*first)[0].data[i] + (*second)[0].data[i] == sum[i]);
  }
  CHECK((*nothing)[0].data == List{0, 0});
}

TEST_CASE("a dot of pieces with different contracted rows is refused") {
  const Alone whole =
      dot(f32({2, 4}, count_up(8)), f32({4, 1}, count_up(4)), {2, 1}, {{}, {}, {1}, {0}});
  const auto piece = run_piece(whole, {{{0, 2}, {0, 2}}, {{2, 4}, {0, 1}}}, {{0, 2}, {0, 1}});
  REQUIRE(!piece.ok());
  CHECK(piece.error().message ==
        "operator 'op': operand 1 holds rows 2:4 of dimension 0, but 0:2 are needed");
}

TEST_CASE("every reducer folds its dimensions into the initial value") {
  const Given x = f32({2, 3}, {1, -2, 3, 4, 5, -6});
  const TensorType rows = {DType::f32, {2}};
  const TensorType columns = {DType::f32, {3}};
  CHECK(run(reduce("sum", x, 10, rows, {1})) == List{12, 13});
  CHECK(run(reduce("sum", x, 0, columns, {0})) == List{5, 3, -3});
  CHECK(run(reduce("product", x, 1, rows, {1})) == List{-6, -120});
  CHECK(run(reduce("max", x, -kInfinity, rows, {1})) == List{3, 5});
  CHECK(run(reduce("min", x, kInfinity, columns, {0})) == List{1, -2, -6});
  CHECK(run(reduce("sum", x, 0, {DType::f32, {}}, {0, 1})) == List{5});
  const Given flags = {{DType::pred, {2, 2}}, {1, 1, 1, 0}};
  CHECK(run(reduce("and", flags, 1, {DType::pred, {2}}, {1})) == List{1, 0});
  CHECK(run(reduce("or", flags, 0, {DType::pred, {2}}, {0})) == List{1, 1});
  CHECK(run(reduce("sum", {{DType::s8, {2}}, {100, 100}}, 0, {DType::s8, {}}, {0})) == List{-56});
}

TEST_CASE("a reduce of several inputs reduces each") {
  const Alone both = {"reduce",
                      {f32({2}, {1, 2}), f32({2}, {3, 4}), f32({}, {0}), f32({}, {10})},
                      {{DType::f32, {}}, {DType::f32, {}}},
                      {{"reducer", std::string("sum")}, {"dimensions", Ints{0}}}};
  CHECK(run_all(both) == std::vector<List>{{3}, {17}});
}

TEST_CASE("a custom reducer is refused and the operator is named") {
  const Error error = run_error(reduce("custom", f32({1}, {1}), 0, {DType::f32, {}}, {0}));
  CHECK(error.code == ErrorCode::not_found);
  CHECK(error.message == "operator 'op': the interpreter does not know the reducer 'custom'");
}

TEST_CASE("a withheld initial value is counted nowhere") {
  const Alone sum = reduce("sum", f32({4}, count_up(4)), 10, {DType::f32, {}}, {0});
  const auto with = run_piece(sum, {{{0, 2}}, {}}, {}, {false, false});
  const auto without = run_piece(sum, {{{2, 4}}, {}}, {}, {false, true});
  REQUIRE((with.ok() && without.ok()));
  CHECK((*with)[0].data == List{11});
  CHECK((*without)[0].data == List{5});
}

}  // namespace
}  // namespace autoshard::test
