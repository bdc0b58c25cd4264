// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the rules say, as text. That they are true is proven in tests/property.
#include <doctest/doctest.h>

#include "sharding/derive_rule.hpp"
#include "support/operator_case.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

OperandCase numbers(Ints shape) { return operand(DType::f32, std::move(shape)); }
OperandCase truths(Ints shape) { return operand(DType::pred, std::move(shape)); }

Graph built(const OperatorCase& test) {
  Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

std::vector<TensorType> types(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::vector<TensorType> list;
  for (const TensorId id : tensors) list.push_back(graph[id].type);
  return list;
}

/// The rule as text, once it is found valid and the text to say the same.
std::string rule_of(const OperatorCase& test) {
  const Graph graph = built(test);
  const Operator& op = tried_operator(graph);
  const auto rule = internal::derive_rule(graph, op);
  if (!rule) return "none";
  const auto operands = types(graph, op.operands);
  const auto results = types(graph, op.results);
  const std::string text = to_string(*rule);
  const Result<void> valid = validate(*rule, operands, results);
  if (!valid.ok()) FAIL(valid.error().message);
  const Result<ShardingRule> again = parse_sharding_rule(text, operands, results);
  if (!again.ok()) FAIL(again.error().message);
  CHECK(*again == *rule);
  return text;
}

std::string reshape_of(const Ints& from, const Ints& to) {
  return rule_of({"reshape", {numbers(from)}, {}, {{DType::f32, to}}});
}

TEST_CASE("elementwise operators have a factor per dimension and are linear where sums are kept") {
  const OperandCase x = numbers({4, 1, 7});
  CHECK(rule_of({"tanh", {x}}) == "([a,1,b])->([a,1,b])");
  CHECK(rule_of({"negate", {x}}) == "([a,1,b])->([a,1,b]) linear={0}");
  CHECK(rule_of({"add", {x, x}}) == "([a,1,b],[a,1,b])->([a,1,b]) linear={0,1}");
  CHECK(rule_of({"multiply", {x, x}}) == "([a,1,b],[a,1,b])->([a,1,b]) linear={0},{1}");
  CHECK(rule_of({"divide", {x, x}}) == "([a,1,b],[a,1,b])->([a,1,b]) linear={0}");
  CHECK(rule_of({"maximum", {x, x}}) == "([a,1,b],[a,1,b])->([a,1,b])");
}

TEST_CASE("integer division and conversions to or from integers are not linear") {
  const OperandCase n = operand(DType::s32, {4});
  CHECK(rule_of({"divide", {n, n}}) == "([a],[a])->([a])");
  CHECK(rule_of({"convert", {n}, {}, {{DType::f32, {4}}}}) == "([a])->([a])");
  CHECK(rule_of({"convert", {numbers({4})}, {}, {{DType::s32, {4}}}}) == "([a])->([a])");
  CHECK(rule_of({"convert", {numbers({4})}, {}, {{DType::bf16, {4}}}}) ==
        "([a])->([a]) linear={0}");
}

TEST_CASE("the scalars of select and clamp have no factors") {
  const OperandCase x = numbers({4, 7});
  CHECK(rule_of({"select", {truths({4, 7}), x, x}}) == "([a,b],[a,b],[a,b])->([a,b]) linear={1,2}");
  CHECK(rule_of({"select", {truths({}), x, x}}) == "([],[a,b],[a,b])->([a,b]) linear={1,2}");
  CHECK(rule_of({"clamp", {numbers({}), x, numbers({})}}) == "([],[a,b],[])->([a,b])");
}

TEST_CASE("nothing that makes predicates is linear") {
  CHECK(rule_of({"select", {truths({4}), truths({4}), truths({4})}}) == "([a],[a],[a])->([a])");
  CHECK(rule_of({"constant", {}, {{"value", 0.0}}, {{DType::pred, {4}}}}) == "()->([a])");
}

TEST_CASE("an optimization barrier splits its tensors apart, and is linear in all together") {
  CHECK(rule_of({"optimization_barrier", {numbers({4}), numbers({4, 7})}}) ==
        "([a],[b,c])->([a],[b,c]) linear={0,1}");
}

TEST_CASE("what is made from nothing splits along every dimension, and zeros may be partial") {
  const TensorType type{DType::f32, {4, 7}};
  CHECK(rule_of({"constant", {}, {{"value", 2.0}}, {type}}) == "()->([a,b])");
  CHECK(rule_of({"constant", {}, {}, {type}}) == "()->([a,b])");
  CHECK(rule_of({"constant", {}, {{"value", 0.0}}, {type}}) == "()->([a,b]) linear={}");
  CHECK(rule_of({"constant", {}, {{"values", Ints{0, 0}}}, {{DType::s32, {2}}}}) ==
        "()->([a]) linear={}");
  CHECK(rule_of({"iota", {}, {{"iota_dimension", std::int64_t{1}}}, {type}}) == "()->([a,b])");
}

TEST_CASE("the state and the bits of a bit generator are not split") {
  CHECK(rule_of({"rng_bit_generator",
                 {operand(DType::u64, {2})},
                 {{"rng_algorithm", std::string("PHILOX")}},
                 {{DType::u64, {2}}, {DType::u32, {8}}}}) == "([a])->([b],[c]) replicate={a,b,c}");
}

TEST_CASE("a reshape shares the factors of both shapes") {
  CHECK(reshape_of({8, 1024, 768}, {8192, 768}) == "([a,b,c])->([(ab),c]) linear={0}");
  CHECK(reshape_of({768}, {12, 64}) == "([(ab)])->([a,b]) linear={0}");
  CHECK(reshape_of({4, 1, 6}, {4, 6, 1}) == "([a,1,b])->([a,b,1]) linear={0}");
  CHECK(reshape_of({6, 4}, {4, 6}) ==
        "([(ab),e])->([(ac),d]) replicate={b,c,d,e} linear={0} sizes={a=2,b=3,c=2}");
  CHECK(reshape_of({2, 6, 5}, {3, 4, 5}) == "([a,c,e])->([b,d,e]) replicate={a,b,c,d} linear={0}");
  CHECK(reshape_of({1, 1}, {1}) == "([1,1])->([1]) linear={0}");
  CHECK(reshape_of({0, 3}, {5, 0}) == "([a,b])->([c,d]) replicate={a,b,c,d} linear={0}");
}

TEST_CASE("a broadcast shares the dimensions that it does not repeat") {
  CHECK(rule_of({"broadcast_in_dim",
                 {numbers({1, 7})},
                 {{"broadcast_dimensions", Ints{0, 2}}},
                 {{DType::f32, {4, 3, 7}}}}) == "([1,c])->([a,b,c]) linear={0}");
}

TEST_CASE("movements keep the factors of the dimensions that they keep") {
  const OperandCase x = numbers({4, 7});
  CHECK(rule_of({"transpose", {x}, {{"permutation", Ints{1, 0}}}}) ==
        "([b,a])->([a,b]) linear={0}");
  CHECK(rule_of({"reverse", {x}, {{"dimensions", Ints{1}}}}) ==
        "([a,b])->([a,c]) replicate={b,c} linear={0}");
  CHECK(rule_of({"concatenate", {x, numbers({4, 2})}, {{"dimension", std::int64_t{1}}}}) ==
        "([a,b],[a,c])->([a,d]) replicate={b,c,d} linear={0,1}");
  CHECK(rule_of({"slice",
                 {x},
                 {{"start_indices", Ints{0, 1}},
                  {"limit_indices", Ints{4, 6}},
                  {"strides", Ints{1, 1}}}}) == "([a,b])->([a,c]) replicate={b,c} linear={0}");
}

TEST_CASE("a padding of zero need not be partial with the operand") {
  const Attributes padding = {{"edge_padding_low", Ints{0, 1}},
                              {"edge_padding_high", Ints{0, 0}},
                              {"interior_padding", Ints{0, 0}}};
  CHECK(rule_of({"pad", {numbers({4, 7}), numbers({})}, padding}) ==
        "([a,b],[])->([a,c]) replicate={b,c} linear={0,1}");
  CHECK(rule_of({"pad", {numbers({4, 7}), splat(DType::f32, {}, 0)}, padding}) ==
        "([a,b],[])->([a,c]) replicate={b,c} linear={0}");
}

TEST_CASE(
    "a dynamic slice shares the dimensions that it takes whole, an update splits with its target") {
  const OperandCase at = operand(DType::s32, {});
  CHECK(rule_of({"dynamic_slice", {numbers({4, 7}), at, at}, {{"slice_sizes", Ints{1, 7}}}}) ==
        "([b,a],[],[])->([1,a]) replicate={b} linear={0}");
  CHECK(rule_of({"dynamic_update_slice", {numbers({4, 7}), numbers({1, 7}), at, at}}) ==
        "([a,b],[1,b],[],[])->([a,b]) linear={0,1}");
}

TEST_CASE("a dot sums over what it contracts") {
  CHECK(rule_of({"dot_general",
                 {numbers({2, 4, 5}), numbers({2, 5, 7})},
                 {{"lhs_batching_dimensions", Ints{0}},
                  {"rhs_batching_dimensions", Ints{0}},
                  {"lhs_contracting_dimensions", Ints{2}},
                  {"rhs_contracting_dimensions", Ints{1}}}}) ==
        "([a,b,d],[a,d,c])->([a,b,c]) reduction={d} linear={0},{1}");
}

TEST_CASE("a sum from zero is linear in its input; another start must be partial too") {
  const Attributes sum = {{"dimensions", Ints{1}}, {"reducer", std::string("sum")}};
  CHECK(rule_of({"reduce", {numbers({4, 7}), splat(DType::f32, {}, 0)}, sum}) ==
        "([a,b],[])->([a]) reduction={b} linear={0}");
  CHECK(rule_of({"reduce", {numbers({4, 7}), numbers({})}, sum}) ==
        "([a,b],[])->([a]) reduction={b} partial_operands={b:1} linear={0,1}");
}

TEST_CASE("other reductions leave partial values of their kind, or cannot be split") {
  const auto reduced_by = [](const std::string& reducer) {
    return Attributes{{"dimensions", Ints{1}}, {"reducer", reducer}};
  };
  const std::vector<OperandCase> operands = {numbers({4, 7}), numbers({})};
  CHECK(rule_of({"reduce", operands, reduced_by("max")}) == "([a,b],[])->([a]) max={b}");
  CHECK(rule_of({"reduce", operands, reduced_by("product")}) == "([a,b],[])->([a]) replicate={b}");
  CHECK(rule_of({"reduce", {numbers({4, 7}), splat(DType::f32, {}, 1)}, reduced_by("product")}) ==
        "([a,b],[])->([a]) product={b}");
  CHECK(rule_of({"reduce", {truths({4, 7}), truths({})}, reduced_by("or")}) ==
        "([a,b],[])->([a]) or={b}");
}

TEST_CASE("a custom reducer of several inputs keeps what it reduces whole") {
  const OperandCase x = numbers({4, 7});
  const OperandCase n = operand(DType::s32, {4, 7});
  CHECK(rule_of({"reduce",
                 {x, n, numbers({}), operand(DType::s32, {})},
                 {{"dimensions", Ints{1}}, {"reducer", std::string("custom")}},
                 {{DType::f32, {4}}, {DType::s32, {4}}}}) ==
        "([a,b],[a,b],[],[])->([a],[a]) replicate={b}");
}

Attributes embedding_gather() {
  return {{"offset_dims", Ints{2}},
          {"collapsed_slice_dims", Ints{0}},
          {"start_index_map", Ints{0}},
          {"index_vector_dim", std::int64_t{2}},
          {"slice_sizes", Ints{1, 768}},
          {"operand_batching_dims", Ints{}},
          {"start_indices_batching_dims", Ints{}}};
}

TEST_CASE("the rows of an embedding may be split: each device finds some, the others are zero") {
  const OperandCase tokens = operand(DType::s32, {8, 128});
  CHECK(rule_of({"gather", {numbers({1000, 768}), tokens}, embedding_gather()}) ==
        "([d,c],[a,b])->([a,b,c]) reduction={d} linear={0}");
  CHECK(rule_of({"gather", {truths({1000, 768}), tokens}, embedding_gather()}) ==
        "([d,c],[a,b])->([a,b,c]) replicate={d}");
}

Attributes embedding_scatter(const std::string& reducer) {
  return {{"update_window_dims", Ints{2}},
          {"inserted_window_dims", Ints{0}},
          {"scatter_dims_to_operand_dims", Ints{0}},
          {"index_vector_dim", std::int64_t{2}},
          {"reducer", reducer}};
}

TEST_CASE("the gradient of an embedding is partial when its tokens are split") {
  const OperandCase zeros = splat(DType::f32, {1000, 768}, 0);
  const OperandCase tokens = operand(DType::s32, {8, 128});
  const OperandCase updates = numbers({8, 128, 768});
  CHECK(rule_of({"scatter", {zeros, tokens, updates}, embedding_scatter("sum")}) ==
        "([a,b],[c,d],[c,d,b])->([a,b]) reduction={c,d} linear={0,2},{2}");
  CHECK(rule_of({"scatter", {numbers({1000, 768}), tokens, updates}, embedding_scatter("sum")}) ==
        "([a,b],[c,d],[c,d,b])->([a,b]) reduction={c,d} partial_operands={c:0,d:0} linear={0,2}");
  CHECK(rule_of({"scatter", {zeros, tokens, updates}, embedding_scatter("max")}) ==
        "([a,b],[c,d],[c,d,b])->([a,b]) max={c,d}");
  CHECK(rule_of({"scatter", {zeros, tokens, updates}, embedding_scatter("assign")}) ==
        "([a,b],[c,d],[c,d,b])->([a,b]) replicate={c,d} linear={0,2},{2}");
}

TEST_CASE("an unknown operator has no rule, and the one that keeps it whole fits it") {
  const OperatorCase test{"mystery", {numbers({4, 1})}, {}, {{DType::f32, {7}}}};
  CHECK(rule_of(test) == "none");
  const Graph graph = built(test);
  CHECK(to_string(internal::replicated_rule(graph, tried_operator(graph))) ==
        "([a,1])->([b]) replicate={a,b}");
}

TEST_CASE("an argument splits along every dimension") {
  CHECK(to_string(internal::argument_rule({DType::f32, {4, 1, 7}})) == "()->([a,1,b])");
}

}  // namespace
}  // namespace autoshard::test
