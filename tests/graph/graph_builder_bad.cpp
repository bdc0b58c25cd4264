// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mistakes in names, ids, arguments, results and state; operators and loops have their own files.
#include <doctest/doctest.h>

#include <functional>

#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

struct Mistake {
  std::string message;
  std::function<void(GraphBuilder&, TensorId x)> make;  ///< x is the argument "x", f32[2]
};

void tanh(GraphBuilder& b, std::string name, TensorId x) {
  test::op(b, std::move(name), "tanh", {x}, f32({2}));
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = {
      {"operator 'y': the name 'y' is used twice",
       [](GraphBuilder& b, TensorId x) { tanh(b, "y", x), tanh(b, "y", x); }},
      {"operator 'x': the name 'x' is used twice",
       [](GraphBuilder& b, TensorId x) { tanh(b, "x", x); }},
      {"argument 'x': the name 'x' is used twice",
       [](GraphBuilder& b, TensorId) { b.argument("x", f32({2})); }},
      {"operator 'y:1': the name 'y:1' is used twice",
       [](GraphBuilder& b, TensorId x) {
         b.add({"y", "pair", {x}, {f32({2}), f32({2})}});
         tanh(b, "y:1", x);
       }},
      {"argument 'n': type f32[2,-3] has a negative dimension",
       [](GraphBuilder& b, TensorId) {
         b.argument("n", f32({2, -3}));
       }},
      {"argument 'n': type f32[4294967296,4294967296] is larger than 2^62 bytes",
       [](GraphBuilder& b, TensorId) {
         b.argument("n", f32({1LL << 32, 1LL << 32}));
       }},
      {"argument 'n': type f32[0,9223372036854775807] is larger than 2^62 bytes",
       [](GraphBuilder& b, TensorId) {
         b.argument("n", f32({0, INT64_MAX}));
       }},
      {"argument 'n': a type has rank 256, expected at most 255",
       [](GraphBuilder& b, TensorId) { b.argument("n", f32(test::Ints(256, 1))); }},
      {"argument 'n': the role of an argument cannot be intermediate",
       [](GraphBuilder& b, TensorId) { b.argument("n", f32({}), Role::intermediate); }},
      {"operator 'y': operand 0 is not a tensor of this graph: id 17",
       [](GraphBuilder& b, TensorId) { tanh(b, "y", TensorId(std::size_t{17})); }},
      {"operator 'y': operand 0 is not a tensor of this graph: id -1",
       [](GraphBuilder& b, TensorId) { tanh(b, "y", TensorId(SIZE_MAX)); }},
      {"operator 'y': has 2 results, expected 1",
       [](GraphBuilder& b, TensorId x) {
         b.add_one({"y", "pair", {x}, {f32({}), f32({})}});
       }},
      {"operator 'pair': has 0 results, expected 1",
       [](GraphBuilder& b, TensorId x) {
         b.add_one({"", "pair", {x}, {}});
       }},
      {"operator 'loop': operand 0 is not a tensor of this graph: id 9",
       [](GraphBuilder& b, TensorId) {
         b.begin_loop({"loop", "while", {TensorId(std::size_t{9})}, {}});
         b.end_loop({TensorId(std::size_t{9})});
       }},
      {"result 0 of 'main' is not a tensor of this graph: id 5",
       [](GraphBuilder& b, TensorId) { b.result(TensorId(std::size_t{5})); }},
      {"state pair 0: result 0 does not exist, 'main' has 0",
       [](GraphBuilder& b, TensorId x) { b.state_pair(x, 0); }},
      {"state pair 0: result -1 does not exist, 'main' has 1",
       [](GraphBuilder& b, TensorId x) { b.result(x), b.state_pair(x, -1); }},
      {"state pair 0: tensor 12 is not an argument of 'main'",
       [](GraphBuilder& b, TensorId x) {
         b.result(x), b.state_pair(TensorId(std::size_t{12}), 0);
       }},
      {"state pair 0: tensor 1 is not an argument of 'main'",
       [](GraphBuilder& b, TensorId x) {
         tanh(b, "y", x), b.result(x), b.state_pair(TensorId(std::size_t{1}), 0);
       }},
      {"state pair 0: argument 'x' has type f32[2], result 0 has type f32[3]",
       [](GraphBuilder& b, TensorId x) {
         b.result(b.argument("y", f32({3}))), b.state_pair(x, 0);
       }},
      {"state pair 1: argument 'x' is in two pairs",
       [](GraphBuilder& b, TensorId x) {
         b.result(x), b.result(x), b.state_pair(x, 0), b.state_pair(x, 1);
       }},
      {"state pair 1: result 0 is in two pairs",
       [](GraphBuilder& b, TensorId x) {
         const TensorId y = b.argument("y", f32({2}));
         b.result(x), b.state_pair(x, 0), b.state_pair(y, 0);
       }},
      {"tensor 'arg:0': the path is used twice",
       [](GraphBuilder& b, TensorId x) { b.argument("0", f32({})), tanh(b, "arg", x); }},
  };
  return all;
}

}  // namespace

TEST_CASE("a mistake in a name, an id, a type or a state pair names what is wrong") {
  for (const Mistake& mistake : mistakes()) {
    GraphBuilder builder;
    const TensorId x = builder.argument("x", f32({2}));
    mistake.make(builder, x);
    CHECK(test::error_of(std::move(builder)) == mistake.message);
  }
}
