// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "autoshard/sharding_rule.hpp"

namespace autoshard {
namespace {

using Types = std::vector<TensorType>;

TensorType f32(std::vector<std::int64_t> shape) { return {DType::f32, std::move(shape)}; }

const Types kDotOperands = {f32({2, 3, 5}), f32({2, 5, 7})};
const Types kDotResults = {f32({2, 3, 7})};

ShardingRule parsed(const std::string& text, const Types& operands, const Types& results) {
  const Result<ShardingRule> rule = parse_sharding_rule(text, operands, results);
  if (!rule.ok()) FAIL(rule.error().message);
  return *rule;
}

std::string error_of(const std::string& text, const Types& operands, const Types& results) {
  const Result<ShardingRule> rule = parse_sharding_rule(text, operands, results);
  return rule.ok() ? "no error" : rule.error().message;
}

std::string dot_error(const std::string& text) { return error_of(text, kDotOperands, kDotResults); }

/// Printed form of what the text means.
std::string normal_form(const std::string& text, const Types& operands, const Types& results) {
  const ShardingRule rule = parsed(text, operands, results);
  const std::string printed = to_string(rule);
  CHECK(parsed(printed, operands, results) == rule);
  CHECK(validate(rule, operands, results).ok());
  return printed;
}

TEST_CASE("a rule is read as its factors, kinds and groups") {
  const ShardingRule rule = parsed("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} linear={0},{1}",
                                   kDotOperands, kDotResults);
  REQUIRE(rule.factors.size() == 4);  // b, i, j, k
  CHECK(rule.factors[0] == Factor{.size = 2});
  CHECK(rule.factors[3] == Factor{.size = 5, .kind = FactorKind::reduction});
  CHECK(rule.operands[0] == std::vector<DimFactors>{{0}, {1}, {3}});
  CHECK(rule.operands[1] == std::vector<DimFactors>{{0}, {3}, {2}});
  CHECK(rule.results[0] == std::vector<DimFactors>{{0}, {1}, {2}});
  CHECK(rule.linear == std::vector<LinearGroup>{{{0}}, {{1}}});
}

TEST_CASE("factors are printed in the order of their numbers") {
  CHECK(normal_form("([b,i,k],[b,k,j])->([b,i,j]) reduction={k}", kDotOperands, kDotResults) ==
        "([a,b,d],[a,d,c])->([a,b,c]) reduction={d}");
}

TEST_CASE("a dimension may be made of several factors, whose sizes follow from other dimensions") {
  CHECK(normal_form("([(i j)])->([i,j])", {f32({12})}, {f32({3, 4})}) == "([(ab)])->([a,b])");
  CHECK(normal_form("([(ij),k])->([i,(jk)])", {f32({12, 5})}, {f32({3, 20})}) ==
        "([(ab),c])->([a,(bc)])"
        " sizes={b=4}");
}

TEST_CASE("sizes that no dimension tells are written") {
  const std::string text = "([(ab),c])->([(ad),e]) replicate={b,c,d,e} sizes={a=2,b=3,d=2}";
  CHECK(normal_form(text, {f32({6, 4})}, {f32({4, 6})}) == text);
  CHECK(error_of("([(ab),c])->([(ad),e]) replicate={b,c,d,e}", {f32({6, 4})}, {f32({4, 6})}) ==
        "sharding rule: factor 'a': its size is not told, write sizes={a=...}");
}

TEST_CASE("all kinds of factor have a word") {
  const std::string text =
      "([a,b,c,d,e,f,g],[])->([]) reduction={a} product={b} max={c} min={d} and={e} or={f} "
      "replicate={g} partial_operands={a:1}";
  CHECK(normal_form(text, {f32({2, 3, 4, 5, 6, 7, 8}), f32({})}, {f32({})}) == text);
}

TEST_CASE("no groups, an empty group and several groups differ in print") {
  const Types none;
  const Types one = {f32({4})};
  CHECK(normal_form("()->([a])", none, one) == "()->([a])");
  CHECK(normal_form("()->([a]) linear={}", none, one) == "()->([a]) linear={}");
  CHECK(normal_form("([a],[a])->([a]) linear={0,1},{0}", {one[0], one[0]}, one) ==
        "([a],[a])->([a]) linear={0,1},{0}");
}

TEST_CASE("a dimension of size one has no factor, whatever it was called") {
  CHECK(normal_form("([i,j])->([i,j])", {f32({1, 5})}, {f32({1, 5})}) == "([1,a])->([1,a])");
  CHECK(normal_form("([1,j])->([1,j])", {f32({1, 5})}, {f32({1, 5})}) == "([1,a])->([1,a])");
}

TEST_CASE("a rule with more factors than letters is printed with numbers") {
  const std::int64_t rank = 30;
  ShardingRule rule{{}, {}, {std::vector<DimFactors>(rank)}, {}};
  for (std::int32_t f = 0; f < rank; ++f) {
    rule.factors.push_back({.size = f + 2});
    rule.results[0][static_cast<std::size_t>(f)] = {f};
  }
  Types results = {f32({})};
  for (const Factor& factor : rule.factors) results[0].shape.push_back(factor.size);
  const std::string text = to_string(rule);
  CHECK(text.ends_with(",y,z,a1,b1,c1,d1])"));
  CHECK(parsed(text, {}, results) == rule);
}

TEST_CASE("a mistake in the text is named by its place") {
  CHECK(dot_error("") == "sharding rule: at character 1: expected '('");
  CHECK(dot_error("([b,i,k],[b,k,j])") == "sharding rule: at character 18: expected '->'");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,J])") ==
        "sharding rule: at character 26: expected a factor such as 'k' or 'k2'");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) sum={x}") ==
        "sharding rule: factor 'x': stands in no dimension");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduce={k}") ==
        "sharding rule: at character 36: expected reduction, replicate, linear, partial_operands "
        "or sizes before");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} replicate={k}") ==
        "sharding rule: factor 'k': has two kinds");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) linear={0") ==
        "sharding rule: at character 39: expected '}'");
  CHECK(dot_error("([b,i,k99999999999999999999],[b,k,j])->([b,i,j])") ==
        "sharding rule: at character 8: expected a number");
}

TEST_CASE("a rule that does not fit its operator names the tensor and the dimension") {
  CHECK(dot_error("([b,i,k])->([b,i,k])") == "sharding rule: has 1 operands, expected 2");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i])") ==
        "sharding rule: result 0 has 2 dimensions, expected 3");
  CHECK(dot_error("([b,i,k],[b,i,j])->([b,i,j]) reduction={k}") ==
        "sharding rule: operand 1 dimension 1: its factors' sizes multiply to 3, expected 5");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j])") ==
        "sharding rule: factor 'k': is parallel, but in no result");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={i,k}") ==
        "sharding rule: result 0 dimension 1: 'i' is a reduction factor");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} linear={2}") ==
        "sharding rule: linear: operand 2 is not in [0, 2)");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} linear={1,1}") ==
        "sharding rule: linear: operand 1 is named twice");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} partial_operands={k:0}") ==
        "sharding rule: factor 'k': operand 0 has it and cannot be partial along it");
  CHECK(dot_error("([b,i,k],[b,k,j])->([b,i,j]) reduction={k} partial_operands={b:0}") ==
        "sharding rule: factor 'b': has partial operands, but is no reduction");
}

TEST_CASE("a factor stands at most once in a tensor") {
  CHECK(error_of("([a,a])->([a,a])", {f32({4, 4})}, {f32({4, 4})}) ==
        "sharding rule: operand 0 dimension 1: factor 'a' stands twice in the tensor");
}

TEST_CASE("a rule made by hand is checked like one that was read") {
  ShardingRule rule{{{.size = 4}}, {{{0}}}, {{{1}}}, {}};
  CHECK(validate(rule, Types{f32({4})}, Types{f32({4})}).error().message ==
        "sharding rule: result 0 dimension 0: factor 1 is not in [0, 1)");
  rule.results = {{{0}}};
  CHECK(validate(rule, Types{f32({4})}, Types{f32({4})}).ok());
  rule.factors.push_back({.size = 3});
  CHECK(validate(rule, Types{f32({4})}, Types{f32({4})}).error().message ==
        "sharding rule: factor 'b': stands in no dimension");
}

}  // namespace
}  // namespace autoshard
