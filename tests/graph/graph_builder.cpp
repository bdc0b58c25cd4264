// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph_builder.hpp"

#include <doctest/doctest.h>

#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

TEST_CASE("a graph keeps arguments, operators, results and their order") {
  GraphBuilder builder("two");
  const TensorId x = builder.argument("x", f32({8, 4}));
  const TensorId w = builder.argument("w", f32({4, 2}), Role::parameter);
  const TensorId y = test::matmul(builder, "dot", {x, w}, f32({8, 2}));
  builder.result(y);
  const Graph graph = test::built(std::move(builder));

  CHECK(graph.name() == "two");
  REQUIRE(graph.operators().size() == 1);
  CHECK(graph[OperatorId(0)].operands == std::vector{x, w});
  CHECK(graph[OperatorId(0)].results == std::vector{y});
  CHECK(graph.main().arguments == std::vector{x, w});
  CHECK(graph.main().results == std::vector{y});
  CHECK(graph[w].role == Role::parameter);
  CHECK(graph[y].producer == OperatorId(0));
}

TEST_CASE("an operator without a name is named by its kind and a free number") {
  GraphBuilder builder;
  const TensorId x = builder.argument("tanh.1", f32({2}));
  const TensorId y = builder.add_one({"", "tanh", {x}, {f32({2})}});
  const TensorId z = builder.add_one({"", "tanh", {y}, {f32({2})}});
  builder.result(z);
  const Graph graph = test::built(std::move(builder));
  CHECK(graph[y].name == "tanh.2");
  CHECK(graph[z].name == "tanh.3");
}

TEST_CASE("an argument without a name gets one") {
  GraphBuilder builder;
  const TensorId x = builder.argument("", f32({2}));
  CHECK(test::built(std::move(builder))[x].name == "arg.1");
}

TEST_CASE("the results of an operator with several are numbered") {
  GraphBuilder builder;
  const TensorId x = builder.argument("x", f32({2}));
  const auto both = builder.add({"fence", "optimization_barrier", {x, x}, {f32({2}), f32({2})}});
  const Graph graph = test::built(std::move(builder));
  CHECK(graph[both[0]].name == "fence:0");
  CHECK(graph[both[1]].name == "fence:1");
  CHECK(graph[both[1]].index == 1);
}

TEST_CASE("the first mistake is the one reported, and later calls are harmless") {
  GraphBuilder builder;
  const TensorId x = builder.argument("x", f32({2}));
  const TensorId bad = builder.add_one({"first", "tanh", {x}, {f32({3})}});
  const auto pair = builder.add({"second", "rng_bit_generator", {bad}, {f32({2}), f32({2})}});
  REQUIRE(pair.size() == 2);
  const LoopBody body = builder.begin_loop({"third", "while", {pair[0], pair[1]}, {}});
  REQUIRE(body.arguments.size() == 2);
  const auto carried = builder.end_loop({body.arguments[0]});
  REQUIRE(carried.size() == 2);
  builder.result(carried[1]);
  builder.state_pair(x, 7);
  CHECK(builder.failed());
  CHECK(test::error_of(std::move(builder)) ==
        "operator 'first': result 0 has type f32[3], expected f32[2]");
}

TEST_CASE("a mistake that an importer reports is kept unless there was one before") {
  GraphBuilder builder;
  builder.fail({ErrorCode::invalid_argument, "line 3: no"});
  builder.fail({ErrorCode::invalid_argument, "line 4: no"});
  CHECK(test::error_of(std::move(builder)) == "line 3: no");
}

TEST_CASE("an operator of an unknown kind is accepted with the types it states") {
  GraphBuilder builder;
  const TensorId x = builder.argument("x", f32({2}));
  const TensorId y = builder.add_one({"fft", "fft", {x}, {f32({5, 7})}});
  builder.result(y);
  CHECK(test::built(std::move(builder))[y].type == f32({5, 7}));
}

TEST_CASE("a state pair joins an argument with a result of its type") {
  GraphBuilder builder;
  const TensorId w = builder.argument("w", f32({2}), Role::parameter);
  builder.result(builder.add_one({"step", "negate", {w}, {f32({2})}}));
  builder.state_pair(w, 0);
  const Graph graph = test::built(std::move(builder));
  REQUIRE(graph.state_pairs().size() == 1);
  CHECK(graph.state_pairs()[0].input == w);
  CHECK(graph.state_pairs()[0].output == 0);
}

TEST_CASE("warnings of an importer stay with the graph") {
  GraphBuilder builder;
  builder.warn("'while.3' has no trip count");
  CHECK(test::built(std::move(builder)).warnings().front() == "'while.3' has no trip count");
}

TEST_CASE("an attribute is found by its name and type") {
  GraphBuilder builder;
  const TensorId x = builder.argument("x", f32({2}));
  builder.add({"op",
               "custom",
               {x},
               {},
               {{"count", std::int64_t{3}},
                {"rate", 0.5},
                {"mode", "fast"},
                {"dims", std::vector<std::int64_t>{1, 0}}}});
  const Graph graph = test::built(std::move(builder));
  const Operator& op = graph.operators().front();
  CHECK(op.integer("count") == 3);
  CHECK(op.number("count") == 3.0);
  CHECK(op.number("rate") == 0.5);
  CHECK_FALSE(op.integer("rate").has_value());
  CHECK(*op.text("mode") == "fast");
  CHECK(*op.ints("dims") == std::vector<std::int64_t>{1, 0});
  CHECK(op.ints("absent") == nullptr);
}
