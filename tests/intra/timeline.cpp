// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/timeline.hpp"

#include <doctest/doctest.h>

#include "autoshard/graph_builder.hpp"

using namespace autoshard;
using internal::Timeline;
using internal::Use;
using internal::UseKind;

namespace {

const TensorType kVector{DType::f32, {8}};

TensorId unary(GraphBuilder& builder, const std::string& name, TensorId operand) {
  return builder.add_one({name, "tanh", {operand}, {kVector}});
}

/// before; outer: 3 x (inner: 5 x (step = carried * w), tail); after. `w` is made before both.
Graph nested_loops() {
  GraphBuilder b("nested");
  const TensorId x = b.argument("x", kVector);
  const TensorId w = unary(b, "before", x);
  const LoopBody outer =
      b.begin_loop({"outer", "while", {x}, {}, {{"trip_count", std::int64_t{3}}}});
  const LoopBody inner =
      b.begin_loop({"inner", "while", {outer.arguments[0]}, {}, {{"trip_count", std::int64_t{5}}}});
  const TensorId step = b.add_one({"step", "multiply", {inner.arguments[0], w}, {kVector}});
  const TensorId swept = b.end_loop({step})[0];
  const TensorId done = b.end_loop({unary(b, "tail", swept)})[0];
  b.result(unary(b, "after", done));
  auto graph = std::move(b).build();
  REQUIRE_MESSAGE(graph.ok(), graph.error().message);
  return std::move(graph).value();
}

std::size_t op(const Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    if (graph.operators()[i].name == name) return i;
  }
  FAIL("no operator ", name);
  return 0;
}

TensorId result_of(const Graph& graph, std::string_view name) {
  return graph.operators()[op(graph, name)].results[0];
}

}  // namespace

TEST_CASE("operators without loops take one unit of time each, in order") {
  GraphBuilder b("chain");
  const TensorId x = b.argument("x", kVector);
  b.result(unary(b, "c", unary(b, "b", unary(b, "a", x))));
  const Graph graph = std::move(b).build().value();
  const Timeline timeline = internal::make_timeline(graph);
  CHECK(timeline.length == 3);
  CHECK(timeline.start == std::vector<std::int64_t>{0, 1, 2});
  CHECK(timeline.end == timeline.start);
  CHECK(timeline.runs == std::vector<std::int64_t>{1});
}

TEST_CASE("a loop's body lies between the start and the end of the loop") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  const auto span = [&](std::string_view name) {
    return std::pair(timeline.start[op(graph, name)], timeline.end[op(graph, name)]);
  };
  CHECK(span("before") == std::pair<std::int64_t, std::int64_t>{0, 0});
  CHECK(span("outer") == std::pair<std::int64_t, std::int64_t>{1, 6});
  CHECK(span("inner") == std::pair<std::int64_t, std::int64_t>{2, 4});
  CHECK(span("step") == std::pair<std::int64_t, std::int64_t>{3, 3});
  CHECK(span("tail") == std::pair<std::int64_t, std::int64_t>{5, 5});
  CHECK(span("after") == std::pair<std::int64_t, std::int64_t>{7, 7});
  CHECK(timeline.length == 8);
}

TEST_CASE("a nested body runs as often as both loops together") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  CHECK(timeline.runs[0] == 1);
  CHECK(timeline.runs[graph.operators()[op(graph, "outer")].body->index()] == 3);
  CHECK(timeline.runs[graph.operators()[op(graph, "inner")].body->index()] == 15);
}

TEST_CASE("what a loop reads from outside is used through all of the loop") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  const auto uses = internal::collect_uses(graph, timeline);
  const auto& reads = uses[result_of(graph, "before").index()];
  REQUIRE(reads.size() == 1);
  CHECK(reads[0].kind == UseKind::operand);
  CHECK(reads[0].op.index() == op(graph, "step"));
  CHECK(reads[0].index == 1);
  CHECK(reads[0].begin == 1);
  CHECK(reads[0].end == 6);
}

TEST_CASE("a value enters a loop at its start and leaves the body at its end") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  const auto uses = internal::collect_uses(graph, timeline);
  const auto& of_x = uses[graph.main().arguments[0].index()];
  REQUIRE(of_x.size() == 2);
  CHECK(of_x[0].kind == UseKind::operand);
  CHECK(of_x[1].kind == UseKind::carry_in);
  CHECK(of_x[1].begin == 1);
  CHECK(of_x[1].end == 1);
  const auto& of_step = uses[result_of(graph, "step").index()];
  REQUIRE(of_step.size() == 1);
  CHECK(of_step[0].kind == UseKind::carry_out);
  CHECK(of_step[0].op.index() == op(graph, "inner"));
  CHECK(of_step[0].begin == 4);
}

TEST_CASE("results of main are used at the end of the step") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  const auto uses = internal::collect_uses(graph, timeline);
  const auto& of_after = uses[result_of(graph, "after").index()];
  REQUIRE(of_after.size() == 1);
  CHECK(of_after[0].kind == UseKind::result);
  CHECK(of_after[0].begin == timeline.length);
}

TEST_CASE("an operand that stands twice is used twice") {
  GraphBuilder b("square");
  const TensorId x = b.argument("x", kVector);
  b.result(b.add_one({"square", "multiply", {x, x}, {kVector}}));
  const Graph graph = std::move(b).build().value();
  const auto uses = internal::collect_uses(graph, internal::make_timeline(graph));
  REQUIRE(uses[x.index()].size() == 2);
  CHECK(uses[x.index()][0].index == 0);
  CHECK(uses[x.index()][1].index == 1);
}

TEST_CASE(
    "arguments are born at 0, carried values with their loop, others at their producer's end") {
  const Graph graph = nested_loops();
  const Timeline timeline = internal::make_timeline(graph);
  const auto born = [&](TensorId tensor) { return internal::birth(graph, timeline, tensor); };
  CHECK(born(graph.main().arguments[0]) == 0);
  CHECK(born(graph.regions()[1].arguments[0]) == 1);
  CHECK(born(graph.regions()[2].arguments[0]) == 2);
  CHECK(born(result_of(graph, "inner")) == 4);
  CHECK(born(result_of(graph, "outer")) == 6);
  CHECK(born(result_of(graph, "step")) == 3);
}
