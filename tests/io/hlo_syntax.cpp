// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "io/hlo_text.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

constexpr std::string_view kAsJaxPrints = R"(HloModule jit_f

region_0.1 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}

ENTRY main.2 {
  x.1 = f32[4,8]{1,0} parameter(0)
  w.1 = f32[8,2]{1,0} parameter(1)
  dot_general.1 = f32[4,2]{1,0} dot(x.1, w.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  constant.3 = f32[] constant(0)
  reduce_sum.7 = f32[2]{0} reduce(dot_general.1, constant.3), dimensions={0}, to_apply=region_0.1
  ROOT tuple.1 = (f32[4,2]{1,0}, f32[2]{0}) tuple(dot_general.1, reduce_sum.7)
}
)";

constexpr std::string_view kAsXlaDumps =
    R"(HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4,8]{1,0}, f32[8,2]{1,0})->(f32[4,2]{1,0}, /*index=1*/f32[2]{0})}, allow_spmd_sharding_propagation_to_output={true,true}

FileNames
1 "/home/user/model {.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}


%region_0.1 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0), metadata={op_name="reduce, sum}" stack_frame_id=1}
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(f32[] %a, f32[] %b)
}, execution_thread="main"

ENTRY %main.2 (x.1: f32[4,8], w.1: f32[8,2]) -> (f32[4,2], f32[2]) {
  %x.1 = f32[4,8]{1,0:T(8,128)S(1)} parameter(0), sharding={devices=[2,1]<=[2]}, metadata={op_name="x \"quoted\""}
  %w.1 = f32[8,2]{1,0} parameter(1), frontend_attributes={a="{",b="}"}
  %dot_general.1 = f32[4,2]{1,0} dot(f32[4,8]{1,0:T(8,128)} %x.1, f32[8,2]{1,0} %w.1), lhs_contracting_dims={1}, rhs_contracting_dims={0}, backend_config={"a":{"b":["}"]}}
  %constant.3 = f32[] constant(0)
  %reduce_sum.7 = f32[2]{0} reduce(%dot_general.1, %constant.3), dimensions={0}, to_apply=%region_0.1
  ROOT %tuple.1 = (f32[4,2]{1,0}, /*index=1*/f32[2]{0}) tuple(%dot_general.1, /*index=1*/%reduce_sum.7)
}
)";

}  // namespace

TEST_CASE("text as JAX prints it and as XLA dumps it is one graph") {
  const Graph graph = parsed_hlo(kAsJaxPrints);
  CHECK(graph.fingerprint() == parsed_hlo(kAsXlaDumps).fingerprint());
  CHECK(graph.name() == "jit_f");
  CHECK(names_of(graph, graph.main().arguments) == std::vector<std::string>{"x.1", "w.1"});
  CHECK(names_of(graph, graph.main().results) ==
        std::vector<std::string>{"dot_general.1", "reduce_sum.7"});
}

TEST_CASE("a whole training step is one graph in both styles") {
  CHECK(parsed_hlo(hlo_data("gpt2_tiny_scan")).fingerprint() ==
        parsed_hlo(hlo_data("gpt2_tiny_scan_xla")).fingerprint());
}

TEST_CASE("names may be quoted and hold dots, dashes and underscores") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    %"a b" = f32[2]{0} parameter(0)
    "n.1-x_y" = f32[2]{0} negate(%"a b")
    ROOT -odd.name- = f32[2] abs("n.1-x_y"))"));
  CHECK(graph[OperatorId(0)].name == "n.1-x_y");
  CHECK(names_of(graph, graph.main().arguments) == std::vector<std::string>{"a b"});
}

TEST_CASE("the last instruction is the result when none is marked") {
  const Graph graph = parsed_hlo(hlo_entry("p = f32[2] parameter(0)\n n = f32[2] negate(p)"));
  CHECK(names_of(graph, graph.main().results) == std::vector<std::string>{"n"});
}

TEST_CASE("the root need not stand last") {
  const Graph graph = parsed_hlo(
      hlo_entry("p = f32[2] parameter(0)\n ROOT n = f32[2] negate(p)\n a = f32[2] abs(p)"));
  CHECK(names_of(graph, graph.main().results) == std::vector<std::string>{"n"});
}

TEST_CASE("parameters keep their numbers in whatever order they are written") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    b = f32[3] parameter(1)
    a = f32[2] parameter(0)
    ROOT t = (f32[2], f32[3]) tuple(a, b))"));
  CHECK(names_of(graph, graph.main().arguments) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a dimension with a bound is taken at its bound") {
  const Graph graph = parsed_hlo(hlo_entry("ROOT p = f32[<=8,4]{1,0} parameter(0)"));
  CHECK(to_string(graph.tensors()[0].type) == "f32[8,4]");
}

TEST_CASE("a scalar, an empty array and a token are types") {
  const Graph graph = parsed_hlo(hlo_entry(R"(
    a = pred[] parameter(0)
    b = bf16[0,4] parameter(1)
    c = token[] parameter(2)
    ROOT t = () tuple())"));
  CHECK(graph.tensors().size() == 3);
  CHECK(graph.main().results.empty());
}

TEST_CASE("computations may stand in any order") {
  const Graph graph = parsed_hlo(R"(HloModule m
    ENTRY main { p = f32[2] parameter(0)
      ROOT c = f32[2] call(p), to_apply=later }
    later { q = f32[2] parameter(0)
      ROOT n = f32[2] negate(q) })");
  CHECK(graph[OperatorId(0)].name == "c/n");
}
