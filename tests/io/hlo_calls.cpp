// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/hlo_text.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

using Names = std::vector<std::string>;

Names operator_names(const Graph& graph) {
  Names result;
  for (const Operator& op : graph.operators()) result.push_back(op.name);
  return result;
}

Names kinds(const Graph& graph) {
  Names result;
  for (const Operator& op : graph.operators()) result.push_back(op.kind);
  return result;
}

/// What a reduce with this reducer computes.
std::string reducer_of(const std::string& body, const std::string& others = "") {
  const Graph graph = parsed_hlo(hlo_module(others + "r {\n" + body + "\n}\n", R"(
    x = f32[4,8] parameter(0)
    z = f32[] constant(0)
    ROOT op = f32[4] reduce(x, z), dimensions={1}, to_apply=r)"));
  return *operator_named(graph, "op").text("reducer");
}

constexpr const char* kTwoScalars = "a = f32[] parameter(0)\n b = f32[] parameter(1)\n";

}  // namespace

TEST_CASE("a call is inlined and its operators are prefixed by its name") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    f {
      a = f32[2] parameter(0)
      ROOT n = f32[2] negate(a)
    })",
                                            R"(
    p = f32[2] parameter(0)
    first = f32[2] call(p), to_apply=f
    ROOT second = f32[2] call(first), to_apply=f)"));
  CHECK(operator_names(graph) == Names{"first/n", "second/n"});
  CHECK(names_of(graph, graph.main().results) == Names{"second/n"});
}

TEST_CASE("a fusion is inlined, also inside another") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    inner { a = f32[2] parameter(0)
      ROOT n = f32[2] negate(a) }
    outer { b = f32[2] parameter(0)
      ROOT i = f32[2] fusion(b), kind=kLoop, calls=%inner })",
                                            R"(
    p = f32[2] parameter(0)
    ROOT o = f32[2] fusion(p), kind=kLoop, calls=outer)"));
  CHECK(operator_names(graph) == Names{"o/i/n"});
}

TEST_CASE("tuples and their elements leave no operator, nested ones neither") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    a = f32[2] parameter(0)
    b = f32[3] parameter(1)
    inner = (f32[3], f32[2]) tuple(b, a)
    outer = (f32[2], (f32[3], f32[2])) tuple(a, inner)
    again = (f32[3], f32[2]) get-tuple-element(outer), index=1
    c = f32[2] get-tuple-element(again), index=1
    n = f32[2] negate(c)
    ROOT r = (f32[2], (f32[3], f32[2])) tuple(n, again))"));
  CHECK(kinds(graph) == Names{"negate"});
  CHECK(names_of(graph, graph.main().results) == Names{"n", "b", "a"});
}

TEST_CASE("a tuple as an argument of main becomes several arguments") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    p = (f32[2], s32[]) parameter(0)
    x = f32[2] get-tuple-element(p), index=0
    ROOT n = f32[2] negate(x))"));
  CHECK(names_of(graph, graph.main().arguments) == Names{"p:0", "p:1"});
}

TEST_CASE("reducers are recognised by what they do to their two parameters") {
  const auto binary = [](const std::string& opcode) {
    return reducer_of(kTwoScalars + ("ROOT c = f32[] " + opcode + "(b, a)"));
  };
  CHECK(binary("add") == "sum");
  CHECK(binary("multiply") == "product");
  CHECK(binary("maximum") == "max");
  CHECK(binary("minimum") == "min");
  CHECK(binary("and") == "and");
  CHECK(binary("or") == "or");
  CHECK(binary("subtract") == "custom");
  CHECK(reducer_of(kTwoScalars + std::string("ROOT c = f32[] add(a, a)")) == "custom");
}

TEST_CASE("converts and calls inside a reducer do not hide it") {
  CHECK(reducer_of(kTwoScalars + std::string(R"(
    x = f64[] convert(a)
    y = f64[] convert(b)
    s = f64[] add(x, y)
    ROOT c = f32[] convert(s))")) == "sum");
  CHECK(reducer_of(kTwoScalars + std::string("ROOT c = f32[] call(a, b), to_apply=s"),
                   std::string("s {\n") + kTwoScalars + "ROOT c = f32[] maximum(a, b)\n}\n") ==
        "max");
}

TEST_CASE("a scatter whose second value wins assigns") {
  const Graph graph =
      parsed_hlo(hlo_module("r { a = f32[] parameter(0)\n ROOT b = f32[] parameter(1) }",
                            R"(
    x = f32[64,8] parameter(0)
    i = s32[4,1] parameter(1)
    u = f32[4,8] parameter(2)
    ROOT op = f32[64,8] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=r)"));
  CHECK(*operator_named(graph, "op").text("reducer") == "assign");
}

TEST_CASE("a reduce over several arrays has several results and a reducer of its own") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    r { a = f32[] parameter(0)
      i = s32[] parameter(1)
      b = f32[] parameter(2)
      j = s32[] parameter(3)
      ROOT t = (f32[], s32[]) tuple(a, i) })",
                                            R"(
    x = f32[4,8] parameter(0)
    y = s32[4,8] iota(), iota_dimension=1
    z = f32[] constant(0)
    w = s32[] constant(0)
    ROOT op = (f32[4], s32[4]) reduce(x, y, z, w), dimensions={1}, to_apply=r)"));
  CHECK(*operator_named(graph, "op").text("reducer") == "custom");
  CHECK(operator_named(graph, "op").results.size() == 2);
}

TEST_CASE("a bitcast that only changes the shape is a reshape, one that changes nothing is gone") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    p = f32[2,3]{1,0} parameter(0)
    same = f32[2,3]{1,0} bitcast(p)
    ROOT flat = f32[6]{0} bitcast(same))"));
  CHECK(kinds(graph) == Names{"reshape"});
}

TEST_CASE("a bitcast between layouts is the transpose it stands for") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    p = f32[2,3]{0,1} parameter(0)
    ROOT t = f32[3,2]{1,0} bitcast(p))"));
  REQUIRE(kinds(graph) == Names{"transpose"});
  CHECK(*graph[OperatorId(0)].ints("permutation") == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("a bitcast to another element type is a bitcast_convert") {
  const Graph graph = parsed_hlo(hlo_entry("p = f32[2] parameter(0)\n ROOT t = s32[2] bitcast(p)"));
  CHECK(kinds(graph) == Names{"bitcast_convert"});
}

TEST_CASE("a barrier holds each of its values") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    a = f32[2] parameter(0)
    b = f32[3] parameter(1)
    t = (f32[2], f32[3]) tuple(a, b)
    ROOT op = (f32[2], f32[3]) opt-barrier(t))"));
  CHECK(kinds(graph) == Names{"optimization_barrier", "optimization_barrier"});
}

TEST_CASE("a conditional stays whole and is named in a warning") {
  const Graph graph = parsed_hlo(hlo_module(R"(
    yes { a = f32[2] parameter(0)
      ROOT n = f32[2] negate(a) }
    no { ROOT b = f32[2] parameter(0) })",
                                            R"(
    p = pred[] parameter(0)
    x = f32[2] parameter(1)
    ROOT op = f32[2] conditional(p, x, x), true_computation=yes, false_computation=no)"));
  CHECK(kinds(graph) == Names{"case"});
  REQUIRE(graph.warnings().size() >= 1);
  CHECK(graph.warnings()[0] == "conditional 'op': its branches are not looked into");
}

TEST_CASE("aliases of whole arguments become state pairs") {
  const Graph graph = parsed_hlo(
      R"(HloModule m, input_output_alias={ {1}: (0, {}, may-alias), {0}: (1, {1}, must-alias) }
    ENTRY main {
      w = f32[2] parameter(0)
      t = (f32[3], f32[4]) parameter(1)
      v = f32[4] get-tuple-element(t), index=1
      n = f32[2] negate(w)
      u = f32[4] negate(v)
      ROOT r = (f32[4], f32[2]) tuple(u, n) })");
  REQUIRE(graph.state_pairs().size() == 2);
  CHECK(graph[graph.state_pairs()[0].input].name == "w");
  CHECK(graph.state_pairs()[0].output == 1);
  CHECK(graph[graph.state_pairs()[1].input].name == "t:1");
  CHECK(graph.state_pairs()[1].output == 0);
}

TEST_CASE("without state pairs what JAX transposed is backward") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    p = f32[2] parameter(0)
    a = f32[2] negate(p), metadata={op_name="jit(f)/jvp()/neg"}
    ROOT b = f32[2] negate(a), metadata={op_name="jit(f)/transpose(jvp())/neg"})"));
  CHECK(operator_named(graph, "a").phase == Phase::forward);
  CHECK(operator_named(graph, "b").phase == Phase::backward);
}
