// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "io/hlo_text.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

using Ints = std::vector<std::int64_t>;

/// The operator named "op" of a module with one computation.
Operator translated(std::string_view instructions) {
  return operator_named(parsed_hlo(hlo_entry(instructions)), "op");
}

Attribute constant_value(std::string_view literal_and_type, const char* attribute) {
  const Operator op = translated("ROOT op = " + std::string(literal_and_type));
  const auto found = op.attributes.find(attribute);
  return found == op.attributes.end() ? Attribute(false) : found->second;
}

}  // namespace

TEST_CASE("a dot becomes a dot_general with all four lists") {
  const Operator op = translated(R"(
    a = f32[2,4,8] parameter(0)
    b = f32[2,8,3] parameter(1)
    ROOT op = f32[2,4,3] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1})");
  CHECK(op.kind == "dot_general");
  CHECK(*op.ints("lhs_batching_dimensions") == Ints{0});
  CHECK(*op.ints("rhs_batching_dimensions") == Ints{0});
  CHECK(*op.ints("lhs_contracting_dimensions") == Ints{2});
  CHECK(*op.ints("rhs_contracting_dimensions") == Ints{1});
}

TEST_CASE("broadcast and transpose name their dimensions as StableHLO does") {
  const Operator broadcast =
      translated("a = f32[3] parameter(0)\n ROOT op = f32[2,3] broadcast(a), dimensions={1}");
  CHECK(broadcast.kind == "broadcast_in_dim");
  CHECK(*broadcast.ints("broadcast_dimensions") == Ints{1});
  const Operator transpose =
      translated("a = f32[3,2] parameter(0)\n ROOT op = f32[2,3] transpose(a), dimensions={1,0}");
  CHECK(*transpose.ints("permutation") == Ints{1, 0});
}

TEST_CASE("slices, dynamic slices and paddings keep their positions") {
  const Operator slice =
      translated("a = f32[8,6] parameter(0)\n ROOT op = f32[2,3] slice(a), slice={[2:4], [0:6:2]}");
  CHECK(*slice.ints("start_indices") == Ints{2, 0});
  CHECK(*slice.ints("limit_indices") == Ints{4, 6});
  CHECK(*slice.ints("strides") == Ints{1, 2});
  const Operator dynamic = translated(R"(
    a = f32[8,6] parameter(0)
    i = s32[] parameter(1)
    ROOT op = f32[1,6] dynamic-slice(a, i, i), dynamic_slice_sizes={1,6})");
  CHECK(dynamic.kind == "dynamic_slice");
  CHECK(*dynamic.ints("slice_sizes") == Ints{1, 6});
  const Operator pad = translated(R"(
    a = f32[4,4] parameter(0)
    z = f32[] constant(0)
    ROOT op = f32[6,10] pad(a, z), padding=-1_3x1_2_1)");
  CHECK(*pad.ints("edge_padding_low") == Ints{-1, 1});
  CHECK(*pad.ints("edge_padding_high") == Ints{3, 2});
  CHECK(*pad.ints("interior_padding") == Ints{0, 1});
}

TEST_CASE("gather keeps every list and the index vector's dimension") {
  const Operator op = translated(R"(
    table = f32[64,32] parameter(0)
    indices = s32[8,16,1] parameter(1)
    ROOT op = f32[8,16,32] gather(table, indices), offset_dims={2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, slice_sizes={1,32})");
  CHECK(*op.ints("offset_dims") == Ints{2});
  CHECK(*op.ints("collapsed_slice_dims") == Ints{0});
  CHECK(*op.ints("start_index_map") == Ints{0});
  CHECK(*op.ints("slice_sizes") == Ints{1, 32});
  CHECK(*op.integer("index_vector_dim") == 2);
}

TEST_CASE("compare, concatenate, iota, reverse, sort and custom calls carry their attribute") {
  CHECK(*translated("a = f32[2] parameter(0)\n ROOT op = pred[2] compare(a, a), direction=GE")
             .text("comparison_direction") == "GE");
  CHECK(*translated("a = f32[2] parameter(0)\n ROOT op = f32[4] concatenate(a, a), dimensions={0}")
             .integer("dimension") == 0);
  CHECK(*translated("ROOT op = s32[2,3] iota(), iota_dimension=1").integer("iota_dimension") == 1);
  CHECK(*translated("a = f32[2] parameter(0)\n ROOT op = f32[2] reverse(a), dimensions={0}")
             .ints("dimensions") == Ints{0});
  CHECK(*translated("a = f32[2] parameter(0)\n ROOT op = f32[2] custom-call(a), "
                    "custom_call_target=\"my, target\"")
             .text("call_target_name") == "my, target");
}

TEST_CASE("a sort's comparator tells keys and direction; one that does not is custom") {
  const auto sorted = [](std::string_view comparator, std::string_view operands) {
    const std::string text = "ROOT op = (s32[4], s32[4]) sort(" + std::string(operands) +
                             "), dimensions={0}, is_stable=true, to_apply=order";
    const std::string inputs = "a = s32[4] parameter(0)\n b = s32[4] parameter(1)\n " + text;
    const std::string parameters =
        "order {\n x = s32[] parameter(0)\n y = s32[] parameter(1)\n"
        " u = s32[] parameter(2)\n v = s32[] parameter(3)\n";
    return operator_named(
        parsed_hlo(hlo_module(parameters + std::string(comparator) + "}\n", inputs)), "op");
  };
  const Operator up = sorted("ROOT c = pred[] compare(x, y), direction=LT\n", "a, b");
  CHECK(up.kind == "sort");
  CHECK(*up.integer("dimension") == 0);
  CHECK(up.attributes.size() == 1);
  const Operator down = sorted("ROOT c = pred[] compare(x, y), direction=GT\n", "a, b");
  CHECK(*down.integer("descending") == 1);
  const Operator both = sorted(
      "l = pred[] compare(x, y), direction=LT\n e = pred[] compare(x, y), direction=EQ\n"
      "m = pred[] compare(u, v), direction=LT\n n = pred[] and(e, m)\n"
      "ROOT c = pred[] or(l, n)\n",
      "a, b");
  CHECK(*both.integer("num_keys") == 2);
  CHECK(both.text("comparator") == nullptr);
  const Operator swapped = sorted("ROOT c = pred[] compare(y, x), direction=LT\n", "a, b");
  CHECK(*swapped.text("comparator") == "custom");
  const Operator mixed = sorted(
      "l = pred[] compare(x, y), direction=LT\n e = pred[] compare(x, y), direction=EQ\n"
      "m = pred[] compare(u, v), direction=GT\n n = pred[] and(e, m)\n"
      "ROOT c = pred[] or(l, n)\n",
      "a, b");
  CHECK(*mixed.text("comparator") == "custom");
}

TEST_CASE("JAX's order of floats, with NaN last and equal zeros, is ascending") {
  const Operator op = operator_named(parsed_hlo(hlo_module(R"(
order {
  x = f32[] parameter(0)
  nan_x = pred[] compare(x, x), direction=NE
  nan = f32[] constant(nan)
  zero = f32[] constant(0)
  zero_x = pred[] compare(x, zero), direction=EQ
  x0 = f32[] select(zero_x, zero, x)
  x1 = f32[] select(nan_x, nan, x0)
  y = f32[] parameter(1)
  nan_y = pred[] compare(y, y), direction=NE
  zero_y = pred[] compare(y, zero), direction=EQ
  y0 = f32[] select(zero_y, zero, y)
  y1 = f32[] select(nan_y, nan, y0)
  ROOT less = pred[] compare(x1, y1), direction=LT, type=TOTALORDER
}
)",
                                                           R"(
    a = f32[4,7] parameter(0)
    ROOT op = f32[4,7] sort(a), dimensions={1}, to_apply=order)")),
                                     "op");
  CHECK(op.attributes.size() == 1);
  CHECK(*op.integer("dimension") == 1);
}

TEST_CASE("topk is top_k, and takes the largest only") {
  const std::string_view text =
      "a = f32[4,7] parameter(0)\n ROOT op = (f32[4,3], s32[4,3]) topk(a), k=3, largest=";
  const Operator op = translated(std::string(text) + "true");
  CHECK(op.kind == "top_k");
  CHECK(*op.integer("k") == 3);
  CHECK(hlo_mistake(hlo_entry(std::string(text) + "false")).find("'op'") != std::string::npos);
}

TEST_CASE("random numbers keep distribution and algorithm") {
  CHECK(*translated("a = f32[] parameter(0)\n ROOT op = f32[2] rng(a, a), distribution=rng_uniform")
             .text("rng_distribution") == "UNIFORM");
  const Operator bits = translated(R"(
    s = u64[2] parameter(0)
    ROOT op = (u64[2], u32[4]) rng-bit-generator(s), algorithm=rng_three_fry)");
  CHECK(*bits.text("rng_algorithm") == "THREE_FRY");
  CHECK(bits.results.size() == 2);
}

TEST_CASE("a convolution's window and labels are taken apart") {
  const Operator op = translated(R"(
    x = f32[8,16,16,3] parameter(0)
    k = f32[3,3,3,32] parameter(1)
    ROOT op = f32[8,8,8,32] convolution(x, k), window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f, feature_group_count=1)");
  CHECK(*op.ints("window_strides") == Ints{2, 2});
  CHECK(*op.ints("padding") == Ints{0, 1, 0, 1});
  CHECK(*op.ints("rhs_dilation") == Ints{1, 1});
  CHECK(*op.ints("input_spatial_dimensions") == Ints{1, 2});
  CHECK(*op.integer("kernel_input_feature_dimension") == 2);
  CHECK(*op.integer("output_feature_dimension") == 3);
}

TEST_CASE("constants keep one number when all their elements are equal") {
  CHECK(constant_value("f32[] constant(1e-05)", "value") == Attribute(1e-05));
  CHECK(constant_value("s32[] constant(-7)", "value") == Attribute(std::int64_t{-7}));
  CHECK(constant_value("pred[] constant(true)", "value") == Attribute(std::int64_t{1}));
  CHECK(constant_value("f32[2,2] constant({ { 2, 2 }, { 2, 2 } })", "value") == Attribute(2.0));
  CHECK(constant_value("f32[] constant(-inf)", "value") == Attribute(-HUGE_VAL));
  CHECK(std::isnan(std::get<double>(constant_value("f32[] constant(nan(0x400))", "value"))));
}

TEST_CASE("small arrays keep their values in row-major order") {
  CHECK(constant_value("s32[2,2] constant({ /*i0=0*/ { 1, 2 }, { 3, 4 } })", "values") ==
        Attribute(Ints{1, 2, 3, 4}));
  CHECK(constant_value("f64[3] constant({0.5, inf, -2})", "values") ==
        Attribute(std::vector<double>{0.5, HUGE_VAL, -2}));
}

TEST_CASE("elided, complex, empty and very large constants have no value") {
  for (const char* text :
       {"f32[4096] constant({...})", "c64[] constant((1, 2))", "f32[0] constant({})"}) {
    CAPTURE(text);
    const Operator op = translated("ROOT op = " + std::string(text));
    CHECK(op.attributes.empty());
  }
  std::string large = "s32[2000] constant({0";
  for (int i = 1; i < 2000; ++i) large += ", " + std::to_string(i);
  CHECK(translated("ROOT op = " + large + "})").attributes.empty());
}

TEST_CASE("an unsigned value past the signed range is a double") {
  CHECK(constant_value("u64[] constant(18446744073709551615)", "value") ==
        Attribute(18446744073709551615.0));
}

TEST_CASE("an opcode nobody knows is kept with its operands and results") {
  const Operator op = translated(R"(
    a = f32[2] parameter(0)
    ROOT op = (f32[2], s32[3]) brand-new-thing(a, a), shape_of_things={to come})");
  CHECK(op.kind == "brand_new_thing");
  CHECK(op.operands.size() == 2);
  CHECK(op.results.size() == 2);
}
