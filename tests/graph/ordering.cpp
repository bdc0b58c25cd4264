// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/checks/table.hpp"
#include "graph/operator_case.hpp"

using namespace autoshard;
using test::check_inferred;
using test::f32;
using test::integer;
using test::OperatorCase;
using test::pred;
using test::s32;

namespace {

Attributes along(std::int64_t dimension) { return {{"dimension", dimension}}; }

Attributes along(std::int64_t dimension, const std::string& attribute, Attribute value) {
  return {{"dimension", dimension}, {attribute, std::move(value)}};
}

}  // namespace

TEST_CASE("the shapes of what is ordered along a dimension follow from the operands") {
  check_inferred({
      {"sort", {f32({2, 3})}, {f32({2, 3})}, along(1)},
      {"sort", {f32({4}), s32({4})}, {f32({4}), s32({4})}, along(0, "num_keys", integer(2))},
      {"sort", {s32({0}), pred({0})}, {s32({0}), pred({0})}, along(0, "descending", integer(1))},
      {"sort", {f32({4})}, {f32({4})}, along(0, "comparator", "custom")},
      {"top_k", {f32({2, 7})}, {f32({2, 3}), s32({2, 3})}, {{"k", integer(3)}}},
      {"top_k", {s32({7})}, {s32({0}), s32({0})}, {{"k", integer(0)}}},
      {"cumulative", {f32({2, 3})}, {f32({2, 3})}, along(0, "reducer", "logsumexp")},
      {"argmax", {f32({2, 3, 4})}, {s32({2, 4})}, along(1)},
      {"argmin", {pred({3})}, {s32({})}, along(0)},
  });
  const TensorType wide{DType::s64, {2}};
  CHECK(test::build({"argmax", {f32({2, 3})}, {wide}, along(1)}).ok());
}

TEST_CASE("a bad sort is refused with the attribute or operand at fault") {
  test::check_refused({
      {"sort", {}, {}, along(0), "has no operands, expected at least one"},
      {"sort", {f32({4})}, {f32({4})}, {}, "attribute 'dimension' is missing"},
      {"sort",
       {f32({4})},
       {f32({4})},
       along(1),
       "attribute 'dimension': dimension 1 is out of range for rank 1"},
      {"sort",
       {f32({4}), s32({5})},
       {f32({4}), s32({5})},
       along(0),
       "operand 1 has type s32[5], expected s32[4]"},
      {"sort",
       {f32({4})},
       {f32({4})},
       along(0, "num_keys", integer(2)),
       "attribute 'num_keys' is 2, expected 1 to 1"},
      {"sort",
       {f32({4})},
       {f32({4})},
       along(0, "descending", integer(2)),
       "attribute 'descending' is 2, expected 0 to 1"},
      {"sort",
       {f32({4})},
       {f32({4})},
       along(0, "comparator", "mine"),
       "attribute 'comparator' is 'mine', expected one of custom"},
      {"sort",
       {{DType::c64, {4}}},
       {{DType::c64, {4}}},
       along(0),
       "operand 0 has element type c64, whose elements have no order"},
      {"sort", {f32({4})}, {f32({4}), f32({4})}, along(0), "has 2 results, expected 1"},
  });
}

TEST_CASE("a bad top_k, cumulative or argmax is refused with what is wrong") {
  test::check_refused({
      {"top_k",
       {f32({})},
       {f32({}), s32({})},
       {{"k", integer(1)}},
       "operand 0 has rank 0, expected at least 1"},
      {"top_k", {f32({7})}, {f32({3}), s32({3})}, {}, "attribute 'k' is missing"},
      {"top_k",
       {f32({7})},
       {f32({8}), s32({8})},
       {{"k", integer(8)}},
       "attribute 'k' is 8, expected 0 to 7"},
      {"top_k",
       {f32({7})},
       {f32({3}), f32({3})},
       {{"k", integer(3)}},
       "result 1 has type f32[3], expected s32[3]"},
      {"cumulative",
       {f32({7})},
       {f32({7})},
       along(0, "reducer", "mean"),
       "attribute 'reducer' is 'mean', expected one of sum product max min logsumexp"},
      {"cumulative", {f32({7})}, {f32({7})}, along(0), "attribute 'reducer' is missing"},
      {"cumulative",
       {f32({7})},
       {f32({7})},
       {{"dimension", integer(0)}, {"reducer", "sum"}, {"reverse", "yes"}},
       "attribute 'reverse' must be an integer"},
      {"argmax",
       {f32({2, 0})},
       {s32({2})},
       along(1),
       "operand 0: dimension 1 is empty and has no extreme"},
      {"argmin",
       {f32({2, 3})},
       {f32({2})},
       along(1),
       "result 0 has element type f32, expected an integer"},
      {"argmax", {f32({2, 3})}, {s32({3})}, along(1), "result 0 has type s32[3], expected s32[2]"},
  });
}
