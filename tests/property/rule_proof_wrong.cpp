// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rules that are wrong on purpose: a proof that cannot fail proves nothing.
#include <doctest/doctest.h>

#include <span>

#include "support/rule_plan.hpp"

namespace autoshard::test {
namespace {

OperandCase numbers(std::vector<std::int64_t> shape) {
  return operand(DType::f32, std::move(shape));
}

ShardingRule rule_of(const OperatorCase& test, const std::string& text) {
  const Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  const auto types = [&](const std::vector<TensorId>& ids) {
    std::vector<TensorType> list;
    for (const TensorId id : ids) list.push_back((*graph)[id].type);
    return list;
  };
  const Operator& op = tried_operator(*graph);
  const Result<ShardingRule> rule =
      parse_sharding_rule(text, types(op.operands), types(op.results));
  if (!rule.ok()) FAIL(rule.error().message);
  return *rule;
}

/// How many of the rule's assignments on two devices verify refuses, as an error or a mismatch.
std::int64_t refused(const OperatorCase& test, const std::string& text) {
  const ShardingRule rule = rule_of(test, text);
  const DeviceMesh mesh = mesh_of("2");
  std::int64_t count = 0;
  for (const Assignment& assignment : all_assignments(rule, mesh)) {
    const auto report = run_as(test, implied_specs(rule, assignment), mesh);
    if (!report.ok() || !report->passed()) ++count;
  }
  return count;
}

Attributes reduce_rows(const std::string& reducer) {
  return {{"dimensions", std::vector<std::int64_t>{0}}, {"reducer", reducer}};
}

TEST_CASE("a right rule written by hand is not refused") {
  CHECK(refused({"add", {numbers({7}), numbers({7})}}, "([a],[a])->([a]) linear={0,1}") == 0);
  CHECK(refused({"reduce", {numbers({7, 3}), splat(DType::f32, {}, 0)}, reduce_rows("sum")},
                "([a,b],[])->([b]) reduction={a} linear={0}") == 0);
}

TEST_CASE("a maximum whose parts are called a sum is refused") {
  const OperatorCase test{"reduce", {numbers({7, 3}), numbers({})}, reduce_rows("max")};
  CHECK(refused(test, "([a,b],[])->([b]) max={a}") == 0);
  CHECK(refused(test, "([a,b],[])->([b]) reduction={a}") == 1);
}

TEST_CASE("a multiplication called linear in both operands together is refused") {
  CHECK(refused({"multiply", {numbers({4}), numbers({4})}}, "([a],[a])->([a]) linear={0,1}") == 1);
}

TEST_CASE("an addition called linear in one operand alone is refused") {
  CHECK(refused({"add", {numbers({4}), numbers({4})}}, "([a],[a])->([a]) linear={0}") == 1);
}

TEST_CASE("an exponential called linear is refused") {
  CHECK(refused({"exponential", {numbers({4})}}, "([a])->([a]) linear={0}") == 1);
}

TEST_CASE("a transposition that forgets to swap its factors is refused") {
  const OperatorCase test{
      "transpose", {numbers({4, 4})}, {{"permutation", std::vector<std::int64_t>{1, 0}}}};
  CHECK(refused(test, "([a,b])->([b,a])") == 0);
  CHECK(refused(test, "([a,b])->([a,b])") == 2);
}

TEST_CASE("a reshape whose factors do not lie on each other is refused") {
  const OperatorCase test{"reshape", {numbers({6, 4})}, {}, {{DType::f32, {4, 6}}}};
  CHECK(refused(test, "([(ab),c])->([(ad),e]) replicate={b,c,d,e} sizes={a=2}") == 0);
  CHECK(refused(test, "([a,b])->([b,a])") == 2);
}

TEST_CASE("a contraction called parallel in the operand only is no rule") {
  const OperatorCase test{"reduce", {numbers({7, 3}), numbers({})}, reduce_rows("sum")};
  const std::vector<TensorType> operands{test.operands[0].type, test.operands[1].type};
  const std::vector<TensorType> results{{DType::f32, {3}}};
  CHECK_FALSE(parse_sharding_rule("([a,b],[])->([b])", operands, results).ok());
}

TEST_CASE("a reversal split along the dimension that it reverses is refused") {
  CHECK(refused({"reverse", {numbers({4})}, {{"dimensions", std::vector<std::int64_t>{0}}}},
                "([a])->([a])") == 1);
}

TEST_CASE("an initial value counts once when it is partial with the inputs") {
  const OperatorCase test{"reduce", {numbers({7, 3}), numbers({})}, reduce_rows("sum")};
  CHECK(refused(test, "([a,b],[])->([b]) reduction={a} partial_operands={a:1}") == 0);
  CHECK(refused(test, "([a,b],[])->([b]) replicate={a} linear={0,1}") == 0);
}

TEST_CASE("a clamp called linear is refused") {
  const OperatorCase test{"clamp", {numbers({}), numbers({4}), numbers({})}};
  CHECK(refused(test, "([],[a],[])->([a]) linear={1}") == 1);
}

}  // namespace
}  // namespace autoshard::test
