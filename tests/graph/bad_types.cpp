// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/operator_case.hpp"

using namespace autoshard;
using test::f32;
using test::Ints;

namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 62;
constexpr std::int64_t kMaximum = INT64_MAX;

}  // namespace

TEST_CASE("a result type that no memory holds is refused, also of an unknown kind") {
  test::check_refused({
      {"mystery", {}, {f32({-1})}, {}, "result 0: type f32[-1] has a negative dimension"},
      {"mystery",
       {},
       {f32({kHuge})},
       {},
       "result 0: type f32[4611686018427387904] is larger than 2^62 bytes"},
      {"mystery",
       {},
       {f32({kMaximum, kMaximum})},
       {},
       "result 0: type f32[9223372036854775807,9223372036854775807] is larger than 2^62 bytes"},
      {"dot_general",
       {f32({1 << 30, 1}), f32({1, 1 << 30})},
       {f32({1})},
       {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}},
       "result 0 has type f32[1], expected f32[1073741824,1073741824]"},
      {"", {}, {f32({})}, {}, "the kind is empty"},
  });
}
