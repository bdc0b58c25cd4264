// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "io/hlo_text.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

/// for (i = start; condition; i = next) with a value that is doubled and one that is handed on.
struct LoopText {
  std::string start = "0";
  std::string condition = "n = s32[] constant(12)\n ROOT c = pred[] compare(i, n), direction=LT";
  std::string next = "one = s32[] constant(1)\n next = s32[] add(i, one)";
  std::string others = "";
  std::string attributes = "";
};

std::string written(const LoopText& loop) {
  const std::string carried = R"(
      t = (s32[], f32[4], s32[]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      x = f32[4] get-tuple-element(t), index=1
      k = s32[] get-tuple-element(t), index=2
)";
  return hlo_module(
      loop.others + "cond {" + carried + loop.condition + "\n}\nbody {" + carried + loop.next + R"(
      y = f32[4] add(x, x)
      ROOT r = (s32[], f32[4], s32[]) tuple(next, y, k)
    })",
      R"(
    start = s32[] constant()" +
          loop.start + R"()
    p = f32[4] parameter(0)
    k = s32[] constant(12)
    t = (s32[], f32[4], s32[]) tuple(start, p, k)
    loop = (s32[], f32[4], s32[]) while(t), condition=cond, body=body)" +
          loop.attributes + R"(
    ROOT result = f32[4] get-tuple-element(loop), index=1)");
}

std::optional<std::int64_t> trips(const LoopText& loop) {
  return operator_named(parsed_hlo(written(loop)), "loop").integer("trip_count");
}

std::string bound(const std::string& value, const std::string& direction) {
  return "n = s32[] constant(" + value +
         ")\n ROOT c = pred[] compare(i, n), direction=" + direction;
}

std::string step(const std::string& opcode, const std::string& value) {
  return "one = s32[] constant(" + value + ")\n next = s32[] " + opcode + "(i, one)";
}

}  // namespace

TEST_CASE("a counter against a bound gives the trip count in every direction") {
  CHECK(trips({}) == 12);
  CHECK(trips({"0", bound("10", "LT"), step("add", "3")}) == 4);
  CHECK(trips({"1", bound("10", "LE"), step("add", "3")}) == 4);
  CHECK(trips({"9", bound("0", "GT"), step("subtract", "2")}) == 5);
  CHECK(trips({"9", bound("0", "GE"), step("add", "-3")}) == 4);
  CHECK(trips({"0", bound("6", "NE"), step("add", "2")}) == 3);
  CHECK(trips({"5", bound("5", "LT"), step("add", "1")}) == 0);
  CHECK(trips({"7", bound("5", "LT"), step("add", "1")}) == 0);
}

TEST_CASE("the bound may stand on the left, and the counter be moved before the test") {
  CHECK(trips({"0", "n = s32[] constant(8)\n ROOT c = pred[] compare(n, i), direction=GT"}) == 8);
  CHECK(trips({"0", R"(n = s32[] constant(8)
      m = s32[] constant(2)
      j = s32[] add(i, m)
      ROOT c = pred[] compare(j, n), direction=LT)"}) == 6);
}

TEST_CASE("a bound that the loop carries unchanged is known from outside") {
  CHECK(trips({"0", "ROOT c = pred[] compare(i, k), direction=LT"}) == 12);
}

TEST_CASE("calls, fusions, copies and converts do not hide the counter") {
  const std::string others = R"(
    less { a = s64[] parameter(0)
      b = s64[] parameter(1)
      ROOT c = pred[] compare(a, b), direction=LT }
    increment { a = s32[] parameter(0)
      one = s32[] constant(1)
      ROOT c = s32[] add(one, a) })";
  CHECK(trips({"0", R"(
      j = s32[] copy(i)
      l = s64[] convert(j)
      n = s64[] constant(5)
      ROOT c = pred[] fusion(l, n), kind=kLoop, calls=less)",
               "next = s32[] call(i), to_apply=increment", others}) == 5);
}

TEST_CASE("the backend's count is used when the loop does not show one") {
  const std::string unknown = "ROOT c = pred[] constant(true)";
  CHECK(trips({"0", unknown, step("add", "1"), "",
               R"(, backend_config={"known_trip_count":{"n":"7"}})"}) == 7);
}

TEST_CASE("a loop whose count nobody knows has none") {
  for (const LoopText& loop :
       {LoopText{"0", "ROOT c = pred[] constant(true)"},
        LoopText{"0", bound("5", "LT"), step("multiply", "2")},
        LoopText{"0", bound("5", "LT"), step("add", "-1")},
        LoopText{"0", bound("5", "NE"), step("add", "2")},
        LoopText{"0", bound("5", "LT"), step("add", "0")}, LoopText{"0", bound("5", "EQ")}}) {
    CAPTURE(loop.condition);
    const Graph graph = parsed_hlo(written(loop));
    CHECK_FALSE(operator_named(graph, "loop").integer("trip_count"));
  }
}

TEST_CASE("numbers that would overflow give no trip count") {
  CHECK_FALSE(trips({"-2147483648", R"(n = s32[] constant(9223372036854775807)
      ROOT c = pred[] compare(i, n), direction=LT)"}));
}

TEST_CASE("what the body only hands on is captured, not carried") {
  const Graph graph = parsed_hlo(written({}));
  const Operator& loop = operator_named(graph, "loop");
  CHECK(names_of(graph, loop.operands) == std::vector<std::string>{"start", "p"});
  CHECK(graph[*loop.body].arguments.size() == 2);
  CHECK(graph[*loop.body].results.size() == 2);
}

TEST_CASE("an invariant weight is used from outside and sliced by the counter") {
  const Graph graph = parsed_hlo(hlo_data("gpt2_tiny_scan"));
  std::size_t captured = 0;
  for (const Operator& op : graph.operators()) {
    if (op.kind != "dynamic_slice" || op.region == RegionId{}) continue;
    if (graph[op.operands[0]].region == RegionId{}) ++captured;
  }
  // 12 stacked parameters in the forward loop; the backward one also reads the residuals.
  CHECK(captured >= 24);
}

TEST_CASE("values a body swaps stay carried") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    cond { t = (f32[2], f32[2]) parameter(0)
      ROOT c = pred[] constant(false) }
    body { t = (f32[2], f32[2]) parameter(0)
      a = f32[2] get-tuple-element(t), index=0
      b = f32[2] get-tuple-element(t), index=1
      ROOT r = (f32[2], f32[2]) tuple(b, a) })",
                                            R"(
    x = f32[2] parameter(0)
    y = f32[2] parameter(1)
    t = (f32[2], f32[2]) tuple(x, y)
    ROOT loop = (f32[2], f32[2]) while(t), condition=cond, body=body)"));
  CHECK(operator_named(graph, "loop").operands.size() == 2);
}

TEST_CASE("a loop inside a loop keeps both counts, and a body may serve twice") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    cond { t = (s32[], f32[2]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      n = s32[] constant(3)
      ROOT c = pred[] compare(i, n), direction=LT }
    inner { t = (s32[], f32[2]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      x = f32[2] get-tuple-element(t), index=1
      one = s32[] constant(1)
      j = s32[] add(i, one)
      y = f32[2] negate(x)
      ROOT r = (s32[], f32[2]) tuple(j, y) }
    outer { t = (s32[], f32[2]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      x = f32[2] get-tuple-element(t), index=1
      two = s32[] constant(2)
      zero = s32[] constant(0)
      s = (s32[], f32[2]) tuple(zero, x)
      nested = (s32[], f32[2]) while(s), condition=cond, body=inner
      y = f32[2] get-tuple-element(nested), index=1
      j = s32[] add(i, two)
      ROOT r = (s32[], f32[2]) tuple(j, y) })",
                                            R"(
    p = f32[2] parameter(0)
    zero = s32[] constant(0)
    t = (s32[], f32[2]) tuple(zero, p)
    first = (s32[], f32[2]) while(t), condition=cond, body=outer
    ROOT second = (s32[], f32[2]) while(first), condition=cond, body=inner)"));
  CHECK(*operator_named(graph, "first").integer("trip_count") == 2);
  CHECK(*operator_named(graph, "nested").integer("trip_count") == 3);
  // It starts where the first loop ended, which nobody computes here.
  CHECK_FALSE(operator_named(graph, "second").integer("trip_count"));
  CHECK(graph.regions().size() == 4);
}
