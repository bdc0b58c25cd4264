// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the rules of ordering operators and of custom calls say, as text. That the former are true
// is proven in tests/property.
#include <doctest/doctest.h>

#include "sharding/derive_rule.hpp"
#include "support/operator_case.hpp"

namespace autoshard::test {
namespace {

OperandCase numbers(std::vector<std::int64_t> shape) {
  return operand(DType::f32, std::move(shape));
}

std::string rule_of(const OperatorCase& test) {
  const Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  const auto rule = internal::derive_rule(*graph, tried_operator(*graph));
  return rule ? to_string(*rule) : "none";
}

Attributes along(std::int64_t dimension) { return {{"dimension", dimension}}; }

TEST_CASE("a sort keeps its dimension whole in all operands and results") {
  CHECK(rule_of({"sort", {numbers({4, 7})}, along(1)}) == "([a,b])->([a,b]) replicate={b}");
  CHECK(rule_of({"sort", {numbers({4, 7}), operand(DType::s32, {4, 7})}, along(0)}) ==
        "([a,b],[a,b])->([a,b],[a,b]) replicate={a}");
}

TEST_CASE("top_k, argmax and argmin keep what they look through whole") {
  CHECK(rule_of({"top_k", {numbers({4, 7})}, {{"k", std::int64_t{2}}}}) ==
        "([a,b])->([a,c],[a,d]) replicate={b,c,d}");
  CHECK(rule_of({"argmax", {numbers({4, 7, 5})}, along(1)}) == "([a,c,b])->([a,b]) replicate={c}");
  CHECK(rule_of({"argmin", {numbers({4})}, along(0)}) == "([a])->([]) replicate={a}");
}

TEST_CASE("a cumulative sum is linear, other cumulative reductions are not") {
  for (const std::string reducer : {"sum", "product", "max", "min", "logsumexp"}) {
    Attributes attributes = along(1);
    attributes["reducer"] = reducer;
    const std::string linear = reducer == "sum" ? " linear={0}" : "";
    CHECK(rule_of({"cumulative", {numbers({4, 7})}, attributes}) ==
          "([a,b])->([a,b]) replicate={b}" + linear);
  }
}

TEST_CASE("a custom call is split as it says, and not at all when it says nothing") {
  Attributes attributes = {{"call_target_name", std::string("kernel")}};
  const std::vector<OperandCase> operands = {numbers({4, 7}), numbers({7})};
  const std::vector<TensorType> results = {{DType::f32, {4}}};
  CHECK(rule_of({"custom_call", operands, attributes, results}) == "none");
  attributes["sharding_rule"] = std::string("([i,k],[k])->([i]) reduction={k} linear={0}");
  CHECK(rule_of({"custom_call", operands, attributes, results}) ==
        "([a,b],[b])->([a]) reduction={b} linear={0}");
}

TEST_CASE("the elementwise functions of CHLO split like their result") {
  for (const std::string kind : {"sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh",
                                 "erfc", "erf_inv", "lgamma", "digamma"}) {
    CHECK(rule_of({kind, {numbers({4, 7})}}) == "([a,b])->([a,b])");
  }
  CHECK(rule_of({"nextafter", {numbers({4}), numbers({4})}}) == "([a],[a])->([a])");
}

}  // namespace
}  // namespace autoshard::test
