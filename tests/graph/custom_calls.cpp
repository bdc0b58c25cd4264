// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "graph/operator_case.hpp"

using namespace autoshard;
using test::f32;
using test::integer;
using test::OperatorCase;

namespace {

Attributes called(const std::string& attribute, Attribute value) {
  return {{"call_target_name", "kernel"}, {attribute, std::move(value)}};
}

}  // namespace

TEST_CASE("a custom call has the results that it states, and may say how it splits") {
  const std::vector<OperatorCase> cases = {
      {"custom_call", {f32({2, 3})}, {f32({7})}, {{"call_target_name", "kernel"}}},
      {"custom_call", {f32({2, 3})}, {}, {{"call_target_name", "kernel"}}},
      {"custom_call", {}, {f32({2}), f32({})}, called("flops", 1e12)},
      {"custom_call", {f32({2})}, {f32({2})}, called("flops", integer(64))},
      {"custom_call",
       {f32({2, 3}), f32({3})},
       {f32({2})},
       called("sharding_rule", "([a,b],[b])->([a]) reduction={b}")},
  };
  for (const OperatorCase& example : cases) {
    const Result<Graph> graph = test::build(example);
    CHECK_MESSAGE(graph.ok(), (graph.ok() ? "" : graph.error().message));
  }
}

TEST_CASE("a bad custom call is refused, and so is a rule that does not fit its types") {
  const std::vector<TensorType> x = {f32({2, 3})};
  test::check_refused({
      {"custom_call", x, x, {}, "attribute 'call_target_name' is missing"},
      {"custom_call",
       x,
       x,
       {{"call_target_name", integer(1)}},
       "attribute 'call_target_name' must be a text"},
      {"custom_call", x, x, called("flops", -1.0),
       "attribute 'flops' is -1, expected a number of at least 0"},
      {"custom_call", x, x, called("flops", std::numeric_limits<double>::infinity()),
       "attribute 'flops' is inf, expected a number of at least 0"},
      {"custom_call", x, x, called("flops", "many"), "attribute 'flops' must be a number"},
      {"custom_call", x, x, called("sharding_rule", integer(1)),
       "attribute 'sharding_rule' must be a text"},
      {"custom_call", x, x, called("sharding_rule", "([a])->([a])"),
       "sharding rule: operand 0 has 1 dimensions, expected 2"},
      {"custom_call", x, x, called("sharding_rule", "([a,b])->([b,a])"),
       "sharding rule: result 0 dimension 0: its factors' sizes multiply to 3, expected 2"},
  });
  const Result<Graph> graph =
      test::build({"custom_call", x, x, called("sharding_rule", "nonsense")});
  REQUIRE_FALSE(graph.ok());
  CHECK(graph.error().message.find("operator 'op': sharding rule") == 0);
}
