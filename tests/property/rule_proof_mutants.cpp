// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// True rules with one small lie each. Every lie must be refused by at least one assignment.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "sharding/derive_rule.hpp"
#include "support/convolutions.hpp"
#include "support/rule_plan.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;
using Rules = std::vector<ShardingRule>;

/// All dimensions have one size, so that factors can be exchanged.
OperandCase square() { return operand(DType::f32, {4, 4}); }
OperandCase scalar() { return operand(DType::f32, {}); }

Attributes reduce_rows(const std::string& reducer) {
  return {{"dimensions", Ints{0}}, {"reducer", reducer}};
}

/// Windows of two columns.
Attributes columns(const std::string& reducer) {
  return {
      {"window_dimensions", Ints{1, 2}}, {"selector", std::string("max")}, {"reducer", reducer}};
}

std::vector<OperatorCase> tried_cases() {
  return {
      {"negate", {square()}},
      {"add", {square(), square()}},
      {"multiply", {square(), square()}},
      {"select", {operand(DType::pred, {4, 4}), square(), square()}},
      {"optimization_barrier", {square(), square()}},
      {"transpose", {square()}, {{"permutation", Ints{1, 0}}}},
      {"concatenate", {square(), square()}, {{"dimension", std::int64_t{1}}}},
      {"dot_general",
       {square(), square()},
       {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}}},
      {"convolution", {square(), square()}, convolution_dims(0)},
      {"convolution",
       {operand(DType::f32, {2, 4, 4}), operand(DType::f32, {2, 4, 4})},
       convolution_dims(1)},
      {"reduce_window", {square(), scalar()}, columns("max")},
      {"select_and_scatter",
       {square(), operand(DType::f32, {4, 3}), splat(DType::f32, {}, 0)},
       columns("sum")},
      {"reduce", {square(), scalar()}, reduce_rows("sum")},
      {"reduce", {square(), scalar()}, reduce_rows("max")},
      {"reduce", {square(), scalar()}, reduce_rows("min")},
      {"gather",
       {square(), positions({4}, {3, 0, 1, 3})},
       {{"offset_dims", Ints{1}},
        {"collapsed_slice_dims", Ints{0}},
        {"start_index_map", Ints{0}},
        {"index_vector_dim", std::int64_t{1}},
        {"slice_sizes", Ints{1, 4}}}},
  };
}

ShardingRule true_rule(const OperatorCase& test) {
  const Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  return internal::derive_rule(*graph, tried_operator(*graph)).value();
}

bool is_refused(const OperatorCase& test, const ShardingRule& rule) {
  const DeviceMesh mesh = mesh_of("2");
  return std::ranges::any_of(all_assignments(rule, mesh), [&](const Assignment& assignment) {
    const auto report = run_as(test, implied_specs(rule, assignment), mesh);
    return !report.ok() || !report->passed();
  });
}

Rules with_other_reductions(const ShardingRule& rule) {
  Rules lies;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    if (rule.factors[f].kind != FactorKind::reduction) continue;
    const bool sum = rule.factors[f].reduction == ReductionKind::sum;
    ShardingRule& lie = lies.emplace_back(rule);
    lie.factors[f].reduction = sum ? ReductionKind::max : ReductionKind::sum;
    // Only sums can be asked of an operand; the lie is about the result.
    lie.factors[f].partial_operands.clear();
  }
  return lies;
}

bool is_of_operand(const ShardingRule& rule, std::size_t factor) {
  return std::ranges::any_of(rule.operands, [&](const std::vector<DimFactors>& dims) {
    return std::ranges::count(dims, DimFactors{static_cast<std::int32_t>(factor)}) > 0;
  });
}

/// A dimension of an operand that may not be split, split after all. Of a result alone it would be
/// no lie: a device that has all operands may make its piece only.
Rules with_splits(const ShardingRule& rule) {
  Rules lies;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    if (rule.factors[f].kind != FactorKind::replicate || !is_of_operand(rule, f)) continue;
    lies.emplace_back(rule).factors[f].kind = FactorKind::parallel;
  }
  return lies;
}

Rules with_exchanged_factors(const ShardingRule& rule) {
  Rules lies;
  for (std::size_t i = 0; i < rule.operands.size(); ++i) {
    if (rule.operands[i].size() != 2) continue;
    ShardingRule& lie = lies.emplace_back(rule);
    std::swap(lie.operands[i][0], lie.operands[i][1]);
  }
  return lies;
}

/// Groups without one of their operands. Not of reduce: the interpreter counts an initial value
/// that is whole on one device only.
Rules with_smaller_groups(const ShardingRule& rule) {
  Rules lies;
  for (std::size_t g = 0; g < rule.linear.size(); ++g) {
    const std::size_t size = rule.linear[g].operands.size();
    for (std::size_t i = 0; size > 1 && i < size; ++i) {
      auto& operands = lies.emplace_back(rule).linear[g].operands;
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return lies;
}

/// All operands of the result's type together.
ShardingRule with_one_group(const OperatorCase& test, ShardingRule rule) {
  LinearGroup all;
  for (std::size_t i = 0; i < test.operands.size(); ++i) {
    if (test.operands[i].type.dtype == DType::f32) {
      all.operands.push_back(static_cast<std::int32_t>(i));
    }
  }
  rule.linear = {std::move(all)};
  return rule;
}

std::size_t require_refused(const OperatorCase& test, const Rules& lies) {
  for (const ShardingRule& lie : lies) {
    INFO(to_string(test), " as ", to_string(lie));
    CHECK(is_refused(test, lie));
  }
  return lies.size();
}

TEST_CASE("a rule with a wrong reduction, split or order of factors is refused") {
  std::size_t lies = 0;
  for (const OperatorCase& test : tried_cases()) {
    const ShardingRule rule = true_rule(test);
    CHECK_FALSE(is_refused(test, rule));
    lies += require_refused(test, with_other_reductions(rule));
    lies += require_refused(test, with_splits(rule));
    lies += require_refused(test, with_exchanged_factors(rule));
  }
  MESSAGE(lies, " wrong rules");
  REQUIRE(lies >= 25);
}

TEST_CASE("a rule with a wrong linear group is refused") {
  std::size_t lies = 0;
  for (const OperatorCase& test : tried_cases()) {
    const ShardingRule rule = true_rule(test);
    if (test.kind == "reduce") continue;
    lies += require_refused(test, with_smaller_groups(rule));
    const ShardingRule joined = with_one_group(test, rule);
    if (joined.linear != rule.linear) lies += require_refused(test, {joined});
  }
  for (const std::string kind : {"abs", "exponential", "tanh", "sign"}) {
    const OperatorCase test{kind, {square()}};
    lies += require_refused(test, {with_one_group(test, true_rule(test))});
  }
  MESSAGE(lies, " wrong rules");
  REQUIRE(lies >= 12);
}

}  // namespace
}  // namespace autoshard::test
