// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/operator_case.hpp"

using namespace autoshard;
using test::f32;
using test::integer;
using test::Ints;
using test::s32;

TEST_CASE("a bad contraction or reduction is refused with the dimensions at fault") {
  const Attributes matmul = {{"lhs_contracting_dimensions", Ints{1}},
                             {"rhs_contracting_dimensions", Ints{0}}};
  const Attributes rows = {{"dimensions", Ints{0}}, {"reducer", "sum"}};
  test::check_refused({
      {"dot_general",
       {f32({2, 3}), f32({4, 5})},
       {f32({2, 5})},
       matmul,
       "operand 1: contracting dimension 0 has size 4, expected 3"},
      {"dot_general",
       {f32({2, 3}), f32({3, 5})},
       {f32({5, 2})},
       matmul,
       "result 0 has type f32[5,2], expected f32[2,5]"},
      {"dot_general",
       {f32({2, 3}), f32({3})},
       {f32({2})},
       {{"lhs_contracting_dimensions", Ints{1}}},
       "has 1 lhs and 0 rhs contracting dimensions"},
      {"dot_general",
       {f32({2, 3}), f32({3})},
       {f32({2})},
       {{"lhs_batching_dimensions", Ints{2}}},
       "attribute 'lhs_batching_dimensions': dimension 2 is out of range for rank 2"},
      {"dot_general",
       {f32({2, 3}), f32({3})},
       {f32({2})},
       {{"lhs_batching_dimensions", Ints{1}}, {"lhs_contracting_dimensions", Ints{1}}},
       "operand 0: dimension 1 is both batching and contracting"},
      {"dot_general",
       {f32({2, 3}), f32({4, 3})},
       {f32({2, 3, 3})},
       {{"lhs_batching_dimensions", Ints{0}}, {"rhs_batching_dimensions", Ints{0}}},
       "operand 1: batching dimension 0 has size 4, expected 2"},
      {"dot_general",
       {f32({2, 3}), f32({3})},
       {f32({2})},
       {{"lhs_contracting_dimensions", integer(1)}},
       "attribute 'lhs_contracting_dimensions' must be a list of integers"},
      {"reduce",
       {f32({2, 3})},
       {f32({3})},
       rows,
       "has 1 operands, expected inputs and as many initial values"},
      {"reduce", {}, {}, rows, "has 0 operands, expected inputs and as many initial values"},
      {"reduce",
       {f32({2, 3}), f32({3})},
       {f32({3})},
       rows,
       "operand 1 has type f32[3], expected f32[]"},
      {"reduce",
       {f32({2}), s32({3}), f32({}), s32({})},
       {f32({}), s32({})},
       rows,
       "operand 1 has type s32[3], expected s32[2]"},
      {"reduce",
       {f32({2, 3}), f32({})},
       {f32({3})},
       {{"reducer", "sum"}},
       "attribute 'dimensions' is missing"},
      {"reduce",
       {f32({2, 3}), f32({})},
       {f32({3})},
       {{"dimensions", Ints{0}}},
       "attribute 'reducer' is missing"},
      {"reduce",
       {f32({2, 3}), f32({})},
       {f32({3})},
       {{"dimensions", Ints{0}}, {"reducer", "mean"}},
       "attribute 'reducer' is 'mean', expected one of sum product max min and or custom"},
      {"reduce",
       {f32({2, 3}), f32({})},
       {f32({2})},
       rows,
       "result 0 has type f32[2], expected f32[3]"},
      {"reduce", {f32({2, 3}), f32({})}, {f32({3}), f32({3})}, rows, "has 2 results, expected 1"},
  });
}
