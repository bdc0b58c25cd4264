// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph.hpp"

#include <doctest/doctest.h>

#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

/// Two operators after each other, with everything that could change the fingerprint.
struct Variant {
  std::string prefix;
  Attributes attributes = {};
  Phase phase = Phase::forward;
  Role role = Role::input;
  TensorType type = f32({4});
};

std::string fingerprint(const Variant& variant) {
  GraphBuilder b(variant.prefix);
  const TensorId x = b.argument(variant.prefix + "x", variant.type, variant.role);
  const TensorId y = b.add_one(
      {variant.prefix + "y", "custom", {x}, {variant.type}, variant.attributes, variant.phase});
  b.result(test::op(b, "", "tanh", {y}, variant.type));
  return test::built(std::move(b)).fingerprint();
}

}  // namespace

TEST_CASE("a path names the producer, the result and the loops around") {
  const Graph graph = test::built(test::power_loop());
  CHECK(graph.path(graph.main().arguments[1]) == "arg:w");
  CHECK(graph.path(graph.main().results[0]) == "loop:0");
  const Region& body = graph.regions()[1];
  CHECK(graph.path(body.arguments[0]) == "loop/arg:0");
  CHECK(graph.path(body.results[0]) == "loop/act:0");
}

TEST_CASE("paths of nested loops name every loop, the outermost first") {
  GraphBuilder b;
  const TensorId x = b.argument("x", f32({2}));
  const LoopBody outer = b.begin_loop({"outer", "while", {x}, {}});
  const LoopBody inner = b.begin_loop({"inner", "while", {outer.arguments[0]}, {}});
  const TensorId y = test::op(b, "y", "tanh", {inner.arguments[0]}, f32({2}));
  b.result(b.end_loop(b.end_loop({y}))[0]);
  CHECK(test::built(std::move(b)).path(y) == "outer/inner/y:0");
}

TEST_CASE("a fingerprint is 16 hexadecimal digits") {
  const std::string text = test::built(test::mlp_step()).fingerprint();
  CHECK(text.size() == 16);
  CHECK(text.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("a fingerprint does not depend on names") {
  CHECK(fingerprint({"a"}) == fingerprint({"b"}));
}

TEST_CASE("a fingerprint depends on attributes, phases, roles and types") {
  const std::string plain = fingerprint({"a"});
  CHECK(plain != fingerprint({"a", {{"n", std::int64_t{1}}}}));
  CHECK(fingerprint({"a", {{"n", std::int64_t{1}}}}) !=
        fingerprint({"a", {{"n", std::int64_t{2}}}}));
  CHECK(fingerprint({"a", {{"n", std::int64_t{1}}}}) != fingerprint({"a", {{"n", 1.0}}}));
  CHECK(plain != fingerprint({"a", {}, Phase::backward}));
  CHECK(plain != fingerprint({"a", {}, Phase::forward, Role::parameter}));
  CHECK(plain != fingerprint({"a", {}, Phase::forward, Role::input, f32({2, 2})}));
}

TEST_CASE("an absent list of dimensions and an empty one have one fingerprint") {
  CHECK(fingerprint({"a"}) == fingerprint({"a", {{"dims", test::Ints{}}}}));
}

TEST_CASE("a fingerprint does not depend on when an argument was added") {
  GraphBuilder early;
  const TensorId a = early.argument("a", f32({2}));
  const TensorId b = early.argument("b", f32({2}));
  early.result(
      test::op(early, "c", "add", {test::op(early, "t", "tanh", {a}, f32({2})), b}, f32({2})));

  GraphBuilder late;
  const TensorId c = late.argument("a", f32({2}));
  const TensorId t = test::op(late, "t", "tanh", {c}, f32({2}));
  const TensorId d = late.argument("b", f32({2}));
  late.result(test::op(late, "c", "add", {t, d}, f32({2})));
  CHECK(test::built(std::move(early)).fingerprint() == test::built(std::move(late)).fingerprint());
}

TEST_CASE("a fingerprint sees which tensor is used") {
  const auto used = [](std::size_t which) {
    GraphBuilder b;
    const std::vector<TensorId> x = {b.argument("a", f32({2})), b.argument("b", f32({2}))};
    b.result(test::op(b, "t", "tanh", {x[which]}, f32({2})));
    return test::built(std::move(b)).fingerprint();
  };
  CHECK(used(0) != used(1));
}

TEST_CASE("phases and roles are read back from their names") {
  for (const Phase phase : {Phase::forward, Phase::backward, Phase::update}) {
    CHECK(parse_phase(name(phase)) == phase);
  }
  for (const Role role :
       {Role::intermediate, Role::input, Role::parameter, Role::optimizer_state}) {
    CHECK(parse_role(name(role)) == role);
  }
  CHECK_FALSE(parse_phase("sideways").has_value());
  CHECK_FALSE(parse_role("").has_value());
}
