// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "io/hlo_text.hpp"
#include "sharding/derive_rule.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

const std::string kScalars = "a = f32[] parameter(0)\n b = f32[] parameter(1)\n ";

std::string computation(const std::string& name, const std::string& root) {
  return name + " { " + kScalars + "ROOT c = " + root + " }\n";
}

/// The operator called "op" of a module with these computations.
Operator translated(const std::string& computations, const std::string& instructions) {
  const Graph graph = parsed_hlo(hlo_module(computations, instructions));
  CHECK(graph.warnings().empty());
  return operator_named(graph, "op");
}

Operator pooled(const std::string& reducer) {
  return translated(computation("r", reducer), R"(
    x = f32[2,7,8,4] parameter(0)
    z = f32[] constant(0)
    ROOT op = f32[2,4,8,4] reduce-window(x, z), window={size=1x2x2x1 stride=1x2x1x1 pad=0_0x1_0x0_1x0_0}, to_apply=r)");
}

Operator selected(const std::string& select, const std::string& scatter) {
  return translated(computation("s", select) + computation("t", scatter), R"(
    x = f32[2,8,8,4] parameter(0)
    y = f32[2,4,4,4] parameter(1)
    z = f32[] constant(0)
    ROOT op = f32[2,8,8,4] select-and-scatter(x, y, z), window={size=1x2x2x1 stride=1x2x2x1}, select=s, scatter=t)");
}

TEST_CASE("a convolution's window may be dilated and reversed") {
  const Operator op = translated("", R"(
    x = f32[8,16,3] parameter(0)
    k = f32[3,3,32] parameter(1)
    ROOT op = f32[8,29,32] convolution(x, k), window={size=3 pad=1_1 lhs_dilate=2 rhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f)");
  CHECK(*op.ints("lhs_dilation") == Ints{2});
  CHECK(*op.ints("rhs_dilation") == Ints{2});
  CHECK(*op.ints("window_reversal") == Ints{1});
  CHECK(*op.integer("feature_group_count") == 1);
}

TEST_CASE("a convolution without a window is a contraction") {
  const Operator op = translated("", R"(
    x = f32[8,3] parameter(0)
    k = f32[3,32] parameter(1)
    ROOT op = f32[8,32] convolution(x, k), dim_labels=bf_io->bf)");
  CHECK(op.ints("window_strides")->empty());
  CHECK(op.ints("window_reversal")->empty());
}

TEST_CASE("a reduce-window has its window and its reducer") {
  const Operator op = pooled("f32[] maximum(a, b)");
  CHECK(op.kind == "reduce_window");
  CHECK(*op.ints("window_dimensions") == Ints{1, 2, 2, 1});
  CHECK(*op.ints("window_strides") == Ints{1, 2, 1, 1});
  CHECK(*op.ints("padding") == Ints{0, 0, 1, 0, 0, 1, 0, 0});
  CHECK(*op.ints("base_dilations") == Ints{1, 1, 1, 1});
  CHECK(*op.ints("window_dilations") == Ints{1, 1, 1, 1});
  CHECK(*op.text("reducer") == "max");
  CHECK(*pooled("f32[] add(a, b)").text("reducer") == "sum");
  CHECK(*pooled("f32[] subtract(a, b)").text("reducer") == "custom");
  CHECK(*pooled("f32[] copy(b)").text("reducer") == "custom");
}

TEST_CASE("a select-and-scatter has its window, its selector and its reducer") {
  const Operator op = selected("pred[] compare(a, b), direction=GE", "f32[] add(a, b)");
  CHECK(op.kind == "select_and_scatter");
  CHECK(*op.ints("window_dimensions") == Ints{1, 2, 2, 1});
  CHECK(*op.ints("window_strides") == Ints{1, 2, 2, 1});
  CHECK(*op.text("selector") == "max");
  CHECK(*op.text("reducer") == "sum");
}

TEST_CASE("a selector is known when it keeps the first of equal values") {
  const auto selector = [](const std::string& root) {
    return *selected(root, "f32[] add(b, a)").text("selector");
  };
  CHECK(selector("pred[] compare(a, b), direction=LE") == "min");
  CHECK(selector("pred[] compare(a, b), direction=GT") == "custom");
  CHECK(selector("pred[] compare(b, a), direction=GE") == "custom");
  CHECK(selector("pred[] constant(true)") == "custom");
}

TEST_CASE("a window that does not fit its operator is refused by line") {
  CHECK(hlo_mistake(hlo_entry(R"(
    x = f32[8,16,3] parameter(0)
    k = f32[3,3,32] parameter(1)
    ROOT op = f32[8,14,32] convolution(x, k), window={size=3 pad=1}, dim_labels=b0f_0io->b0f)"))
            .find("instruction 'op': '1' is not a padding") != std::string::npos);
  CHECK(hlo_mistake(hlo_entry(R"(
    x = f32[8,16,3] parameter(0)
    k = f32[3,3,32] parameter(1)
    ROOT op = f32[8,15,32] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f)"))
            .find("result 0 has type f32[8,15,32], expected f32[8,14,32]") != std::string::npos);
}

// As JAX writes the gradients of max_pool(conv(x, w)) with a strided and grouped convolution.
constexpr std::string_view kStep = R"(
    x = f32[2,8,8,4] parameter(0)
    w = f32[3,3,2,8] parameter(1)
    zero = f32[] constant(0)
    low = f32[] constant(-inf)
    y = f32[2,4,4,8] convolution(x, w), window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
    p = f32[2,2,2,8] reduce-window(y, low), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=m
    dy = f32[2,4,4,8] select-and-scatter(y, p, zero), window={size=1x2x2x1 stride=1x2x2x1}, select=s, scatter=t
    dw = f32[3,3,2,8] convolution(x, dy), window={size=4x4 pad=0_1x0_1 rhs_dilate=2x2}, dim_labels=f01b_i01o->01bf, batch_group_count=2
    v = f32[3,3,4,4] parameter(2)
    dx = f32[2,8,8,4] convolution(dy, v), window={size=3x3 pad=2_1x2_1 lhs_dilate=2x2}, dim_labels=b01f_01oi->b01f, feature_group_count=2
    ROOT r = (f32[3,3,2,8], f32[2,8,8,4]) tuple(dw, dx))";

TEST_CASE("the gradients of convolutions and poolings are operators that have a rule") {
  const Graph graph = parsed_hlo(
      hlo_module(computation("m", "f32[] maximum(a, b)") + computation("t", "f32[] add(a, b)") +
                     computation("s", "pred[] compare(a, b), direction=GE"),
                 kStep));
  CHECK(graph.warnings().empty());
  const auto rule = [&](std::string_view name) {
    return to_string(*internal::derive_rule(graph, operator_named(graph, name)));
  };
  CHECK(rule("y") ==
        "([b,e,f,(ad)],[g,h,d,(ac)])->([b,i,j,(ac)]) reduction={d} "
        "replicate={e,f,g,h,i,j} linear={0},{1} sizes={a=2,c=4}");
  CHECK(rule("p") == "([a,c,d,b],[])->([a,e,f,b]) replicate={c,d,e,f}");
  CHECK(rule("dy") == "([a,c,d,b],[a,e,f,b],[])->([a,g,h,b]) replicate={c,d,e,f,g,h} linear={1}");
  // The images are summed over, and the groups are those of the forward convolution.
  CHECK(rule("dw") ==
        "([d,e,f,(ab)],[d,g,h,(ac)])->([i,j,b,(ac)]) reduction={d} "
        "replicate={e,f,g,h,i,j} linear={0},{1} sizes={a=2,c=4}");
}

}  // namespace
}  // namespace autoshard::test
