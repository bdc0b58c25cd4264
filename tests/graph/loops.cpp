// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

GraphBuilder with_argument(TensorId& x) {
  GraphBuilder b;
  x = b.argument("x", f32({2}));
  return b;
}

}  // namespace

TEST_CASE("a loop has a body whose arguments have the types of the carried values") {
  const Graph graph = test::built(test::power_loop());
  REQUIRE(graph.regions().size() == 2);
  const Region& body = graph.regions()[1];
  const Operator& loop = graph[*body.owner];
  CHECK(loop.body == RegionId(1));
  CHECK(loop.integer("trip_count") == 3);
  CHECK(graph[body.arguments[0]].type == f32({8, 16}));
  CHECK(graph[body.arguments[0]].name == "loop/arg:0");
  CHECK(body.operators.size() == 2);
  CHECK(graph.main().operators.size() == 1);
  CHECK(graph[loop.results[0]].type == f32({8, 16}));
}

TEST_CASE("a loop may carry nothing") {
  GraphBuilder b;
  b.begin_loop({"loop", "while", {}, {}});
  CHECK(b.end_loop({}).empty());
  CHECK(test::built(std::move(b)).regions().size() == 2);
}

TEST_CASE("a body cannot be used once it is closed") {
  TensorId x;
  GraphBuilder b = with_argument(x);
  const LoopBody body = b.begin_loop({"loop", "while", {x}, {}});
  const TensorId inside = test::op(b, "inside", "tanh", {body.arguments[0]}, f32({2}));
  b.end_loop({inside});
  SUBCASE("by an operator") {
    test::op(b, "late", "tanh", {inside}, f32({2}));
    CHECK(test::error_of(std::move(b)) ==
          "operator 'late': operand 0 is 'inside', which exists only in the body of 'loop'");
  }
  SUBCASE("by a result") {
    b.result(inside);
    CHECK(test::error_of(std::move(b)) ==
          "result 0 of 'main' is 'inside', which exists only in the body of 'loop'");
  }
  SUBCASE("by another loop") {
    b.begin_loop({"next", "while", {x}, {}});
    b.end_loop({body.arguments[0]});
    CHECK(
        test::error_of(std::move(b)) ==
        "operator 'next': body result 0 is 'loop/arg:0', which exists only in the body of 'loop'");
  }
}

TEST_CASE("the results of a body are the carried values of the next iteration") {
  TensorId x;
  GraphBuilder b = with_argument(x);
  b.begin_loop({"loop", "while", {x}, {}});
  SUBCASE("as many") {
    b.end_loop({x, x});
    CHECK(test::error_of(std::move(b)) == "operator 'loop': the body has 2 results, expected 1");
  }
  SUBCASE("of the same type") {
    b.end_loop({test::constant(b, "c", f32({3}), 0)});
    CHECK(test::error_of(std::move(b)) ==
          "operator 'loop': body result 0 has type f32[3], expected f32[2]");
  }
}

TEST_CASE("every loop is opened and closed once") {
  TensorId x;
  GraphBuilder b = with_argument(x);
  SUBCASE("closed too often") {
    CHECK(b.end_loop({x}).size() == 1);
    CHECK(test::error_of(std::move(b)) == "end_loop: no loop is open");
  }
  SUBCASE("never closed") {
    b.begin_loop({"loop", "while", {x}, {}});
    CHECK(test::error_of(std::move(b)) == "operator 'loop': the loop is not closed");
  }
}

TEST_CASE("a loop is a while with a body") {
  TensorId x;
  GraphBuilder b = with_argument(x);
  SUBCASE("added without a body") {
    b.add({"loop", "while", {x}, {f32({2})}});
    CHECK(test::error_of(std::move(b)) == "operator 'loop': a while needs a body; use begin_loop");
  }
  SUBCASE("of another kind") {
    b.begin_loop({"loop", "tanh", {x}, {f32({2})}});
    CHECK(test::error_of(std::move(b)) ==
          "operator 'loop': kind 'tanh' has no body, expected 'while'");
  }
  SUBCASE("with a trip count that is no integer") {
    b.begin_loop({"loop", "while", {x}, {}, {{"trip_count", 2.5}}});
    CHECK(test::error_of(std::move(b)) ==
          "operator 'loop': attribute 'trip_count' must be an integer");
  }
  SUBCASE("with a negative trip count") {
    b.begin_loop({"loop", "while", {x}, {}, {{"trip_count", std::int64_t{-1}}}});
    CHECK(test::error_of(std::move(b)) ==
          "operator 'loop': attribute 'trip_count': -1 is negative");
  }
  SUBCASE("with results of other types than it carries") {
    b.begin_loop({"loop", "while", {x}, {f32({3})}});
    CHECK(test::error_of(std::move(b)) ==
          "operator 'loop': result 0 has type f32[3], expected f32[2]");
  }
}

TEST_CASE("arguments cannot be added inside a loop") {
  TensorId x;
  GraphBuilder b = with_argument(x);
  b.begin_loop({"loop", "while", {x}, {}});
  b.argument("y", f32({2}));
  CHECK(test::error_of(std::move(b)) == "argument 'y': added while the loop 'loop' is open");
}

TEST_CASE("loops nest 32 deep and no deeper") {
  const auto nested = [](int depth) {
    TensorId x;
    GraphBuilder b = with_argument(x);
    std::vector<TensorId> carried = {x};
    for (int i = 0; i < depth; ++i) {
      carried = b.begin_loop({"loop" + std::to_string(i), "while", carried, {}}).arguments;
    }
    for (int i = 0; i < depth; ++i) carried = b.end_loop(carried);
    b.result(carried[0]);
    return b;
  };
  CHECK(test::built(nested(32)).regions().size() == 33);
  CHECK(test::error_of(nested(33)) == "operator 'loop32': loops are nested deeper than 32");
}
