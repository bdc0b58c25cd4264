// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the rules of convolutions and poolings say, as text. That they are true is proven in
// tests/property.
#include <doctest/doctest.h>

#include "sharding/derive_rule.hpp"
#include "support/convolutions.hpp"
#include "support/operator_case.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

OperandCase numbers(Ints shape) { return operand(DType::f32, std::move(shape)); }

std::string rule_of(const OperatorCase& test) {
  const Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  const Operator& op = tried_operator(*graph);
  const auto rule = internal::derive_rule(*graph, op);
  REQUIRE(rule);
  std::vector<TensorType> operands;
  for (const TensorId id : op.operands) operands.push_back((*graph)[id].type);
  std::vector<TensorType> results;
  for (const TensorId id : op.results) results.push_back((*graph)[id].type);
  const Result<void> valid = validate(*rule, operands, results);
  if (!valid.ok()) FAIL(valid.error().message);
  return to_string(*rule);
}

std::string convolution(Ints input, Ints kernel, const Attributes& more = {}) {
  Attributes attributes = convolution_dims(std::ssize(input) - 2);
  attributes.insert(more.begin(), more.end());
  return rule_of(
      {"convolution", {numbers(std::move(input)), numbers(std::move(kernel))}, attributes});
}

TEST_CASE("a convolution splits by images and features, and sums over the input's features") {
  CHECK(convolution({8, 16, 16, 3}, {3, 3, 3, 32}) ==
        "([a,d,e,c],[f,g,c,b])->([a,h,i,b]) reduction={c} replicate={d,e,f,g,h,i} "
        "linear={0},{1}");
  CHECK(convolution({8, 3}, {3, 5}) == "([a,c],[c,b])->([a,b]) reduction={c} linear={0},{1}");
}

TEST_CASE("a pointwise convolution splits along its spatial dimensions too") {
  CHECK(convolution({8, 16, 15, 3}, {1, 1, 3, 32}) ==
        "([a,d,e,c],[1,1,c,b])->([a,d,e,b]) reduction={c} linear={0},{1}");
}

TEST_CASE("a kernel of one row that steps or is padded keeps the dimension whole") {
  const std::string whole =
      "([a,d,c],[1,c,b])->([a,e,b]) reduction={c} replicate={d,e} linear={0},{1}";
  CHECK(convolution({8, 16, 3}, {1, 3, 32}, {{"window_strides", Ints{2}}}) == whole);
  CHECK(convolution({8, 16, 3}, {1, 3, 32}, {{"padding", Ints{1, 0}}}) == whole);
  CHECK(convolution({8, 16, 3}, {1, 3, 32}, {{"padding", Ints{1, -1}}}) == whole);
  CHECK(convolution({8, 16, 3}, {1, 3, 32}, {{"lhs_dilation", Ints{2}}}) == whole);
}

TEST_CASE("a kernel as large as its input contracts the spatial dimension") {
  const std::string contracted = "([a,d,c],[d,c,b])->([a,1,b]) reduction={c,d} linear={0},{1}";
  const std::string whole =
      "([a,d,c],[e,c,b])->([a,1,b]) reduction={c} replicate={d,e} linear={0},{1}";
  CHECK(convolution({8, 16, 3}, {16, 3, 32}) == contracted);
  CHECK(convolution({8, 16, 3}, {16, 3, 32}, {{"window_strides", Ints{4}}}) == contracted);
  CHECK(convolution({8, 16, 3}, {16, 3, 32}, {{"window_reversal", Ints{1}}}) == whole);
  CHECK(convolution({8, 16, 3}, {16, 3, 32}, {{"padding", Ints{1, -1}}}) == whole);
}

TEST_CASE("groups of features are a factor of both operands and the result") {
  const auto features = [](std::int64_t groups) {
    return Attributes{{"feature_group_count", groups}};
  };
  CHECK(convolution({8, 6}, {3, 10}, features(2)) ==
        "([b,(ad)],[d,(ac)])->([b,(ac)]) reduction={d} linear={0},{1} sizes={a=2,c=5}");
  CHECK(convolution({8, 6}, {1, 6}, features(6)) == "([b,a],[1,a])->([b,a]) linear={0},{1}");
  CHECK(convolution({8, 6}, {1, 12}, features(6)) ==
        "([b,a],[1,(ac)])->([b,(ac)]) linear={0},{1} sizes={c=2}");
}

TEST_CASE("groups of the batch are a factor of both operands and the result's features") {
  const auto batch = [](std::int64_t groups) { return Attributes{{"batch_group_count", groups}}; };
  CHECK(convolution({8, 3}, {3, 10}, batch(2)) ==
        "([(ab),d],[d,(ac)])->([b,(ac)]) reduction={d} linear={0},{1} sizes={a=2,c=5}");
  CHECK(convolution({8, 3}, {3, 8}, batch(8)) ==
        "([a,b],[b,a])->([1,a]) reduction={b} linear={0},{1}");
}

TEST_CASE("a convolution of predicates sums nothing that could be partial") {
  Attributes attributes = convolution_dims(0);
  CHECK(rule_of({"convolution",
                 {operand(DType::pred, {8, 3}), operand(DType::pred, {3, 5})},
                 attributes}) == "([a,c],[c,b])->([a,b]) replicate={c}");
}

const Attributes kTwoByTwo = {{"window_dimensions", Ints{1, 2, 2, 1}},
                              {"window_strides", Ints{1, 2, 2, 1}}};

Attributes pooling(const std::string& reducer) {
  Attributes attributes = kTwoByTwo;
  attributes["reducer"] = reducer;
  return attributes;
}

TEST_CASE("a pooling splits by images and features, and its sum is linear") {
  const OperandCase x = numbers({8, 16, 16, 3});
  CHECK(rule_of({"reduce_window", {x, numbers({})}, pooling("max")}) ==
        "([a,c,d,b],[])->([a,e,f,b]) replicate={c,d,e,f}");
  CHECK(rule_of({"reduce_window", {x, splat(DType::f32, {}, 0)}, pooling("sum")}) ==
        "([a,c,d,b],[])->([a,e,f,b]) replicate={c,d,e,f} linear={0}");
  CHECK(rule_of({"reduce_window", {x, numbers({})}, pooling("sum")}) ==
        "([a,c,d,b],[])->([a,e,f,b]) replicate={c,d,e,f} linear={0,1}");
}

TEST_CASE("several inputs of a pooling split alike") {
  const OperandCase x = numbers({4, 6});
  const OperandCase n = operand(DType::s32, {4, 6});
  CHECK(rule_of({"reduce_window",
                 {x, n, numbers({}), operand(DType::s32, {})},
                 {{"window_dimensions", Ints{1, 2}}, {"reducer", std::string("custom")}}}) ==
        "([a,b],[a,c],[],[])->([a,d],[a,e]) replicate={b,c,d,e}");
}

TEST_CASE("the gradient of a pooling is linear in what it adds up, never in what it selects by") {
  const OperandCase x = numbers({8, 16, 16, 3});
  const OperandCase y = numbers({8, 8, 8, 3});
  Attributes attributes = pooling("sum");
  attributes["selector"] = std::string("max");
  CHECK(rule_of({"select_and_scatter", {x, y, splat(DType::f32, {}, 0)}, attributes}) ==
        "([a,c,d,b],[a,e,f,b],[])->([a,g,h,b]) replicate={c,d,e,f,g,h} linear={1}");
  CHECK(rule_of({"select_and_scatter", {x, y, numbers({})}, attributes}) ==
        "([a,c,d,b],[a,e,f,b],[])->([a,g,h,b]) replicate={c,d,e,f,g,h} linear={1,2}");
}

}  // namespace
}  // namespace autoshard::test
