// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "execute/argument_values.hpp"
#include "execute/axis_atoms.hpp"
#include "execute/distribution.hpp"
#include "execute/findings.hpp"
#include "execute/liveness.hpp"
#include "execute/small_graphs.hpp"

namespace autoshard::test {
namespace {

using namespace internal;

constexpr double kTolerance = 1e-9;

Value counted(const TensorType& type) {
  Value value = filled(whole_box(type.shape), 0.0);
  for (std::size_t i = 0; i < value.data.size(); ++i) value.data[i] = static_cast<double>(i);
  return value;
}

TEST_CASE("the pieces of a split tensor are its rows without padding") {
  const DeviceMesh mesh = mesh_of("4");
  const TensorType type = f32_type({6});
  const ShardingSpec spec = spec_of(R"([{"a0"}])", mesh);
  const Values pieces = distribute(counted(type), {spec, type, mesh});
  CHECK(pieces[0].data == std::vector<double>{0, 1});
  CHECK(pieces[2].data == std::vector<double>{4, 5});
  CHECK(pieces[3].data.empty());
}

TEST_CASE("partial values of several kinds reduce axis by axis") {
  const DeviceMesh mesh = mesh_of("2x2");
  const TensorType type = f32_type({});
  const ShardingSpec spec = spec_of(R"([] partial={"a0":sum, "a1":max})", mesh);
  const Values sums_first =
      totals({{{}, {1}}, {{}, {2}}, {{}, {10}}, {{}, {20}}}, {spec, type, mesh});
  for (const Value& value : sums_first) CHECK(value.data[0] == 22);
  const Value dense = scalar_value(5);
  CHECK(!compare(dense, distribute(dense, {spec, type, mesh}), {spec, type, mesh}, kTolerance)
             .mismatch);
}

TEST_CASE("partial values over a part of an axis reduce along that part") {
  const DeviceMesh mesh = mesh_of("4");
  const TensorType type = f32_type({});
  const ShardingSpec outer = spec_of(R"([] partial={"a0":(1)2:sum})", mesh);
  const ShardingSpec inner = spec_of(R"([] partial={"a0":(2)2:sum})", mesh);
  const Values pieces = {{{}, {1}}, {{}, {2}}, {{}, {10}}, {{}, {20}}};
  CHECK(totals(pieces, {outer, type, mesh})[3].data[0] == 22);
  CHECK(totals(pieces, {inner, type, mesh})[3].data[0] == 30);
}

TEST_CASE("a mismatch names the device, the element and both values") {
  const DeviceMesh mesh = mesh_of("2");
  const TensorType type = f32_type({2, 4});
  const ShardingSpec spec = spec_of(R"([{}, {"a0"}])", mesh);
  const Placement placement{spec, type, mesh};
  const Value dense = counted(type);
  Values pieces = distribute(dense, placement);
  pieces[1].data[3] += 0.7;
  const Comparison comparison = compare(dense, pieces, placement, kTolerance);
  CHECK(comparison.mismatch == "device 1 has 7.7 at [1,3], expected 7");
  CHECK(comparison.relative_error == doctest::Approx(0.1));
}

TEST_CASE("noise of what cancels is no mismatch, a missing infinity is one") {
  const DeviceMesh mesh = mesh_of("1");
  const TensorType type = f32_type({});
  const ShardingSpec spec = ShardingSpec::replicated(0);
  const auto mismatch = [&](double expected, double found) {
    return compare(scalar_value(expected), {scalar_value(found)}, {spec, type, mesh}, kTolerance)
        .mismatch.has_value();
  };
  CHECK(!mismatch(1e-18, -2e-18));
  CHECK(mismatch(1e-9, 2e-9));
  CHECK(!mismatch(-INFINITY, -INFINITY));
  CHECK(mismatch(-INFINITY, 0));
  CHECK(!mismatch(NAN, NAN));
  CHECK(mismatch(1, NAN));
}

TEST_CASE("axes are cut where any list cuts them") {
  const DeviceMesh mesh = mesh_of("12x2");
  const std::vector<AxisRef> mentioned = {{0, 1, 2}, {0, 2, 6}, {0, 4, 3}};
  const auto atoms = AxisAtoms::create(mesh, mentioned);
  REQUIRE(atoms.ok());
  CHECK(atoms->refine(AxisRef{0, 1, 12}) == std::vector<AxisRef>{{0, 1, 2}, {0, 2, 2}, {0, 4, 3}});
  CHECK(atoms->refine(AxisRef{1, 1, 2}) == std::vector<AxisRef>{{1, 1, 2}});
  const std::vector<AxisRef> group = {{0, 4, 3}};
  CHECK(atoms->groups(mesh, group).size() == 8);
  CHECK(atoms->groups(mesh, group).front() == std::vector<std::int64_t>{0, 2, 4});
  const std::vector<AxisRef> crossing = {{0, 1, 2}, {0, 1, 3}};
  CHECK(!AxisAtoms::create(mesh, crossing).ok());
}

TEST_CASE("arguments are harmless: indices in range, state positive, counters one") {
  GraphBuilder builder;
  const TensorId table = builder.argument("table", f32_type({3, 2}), Role::parameter);
  const TensorId tokens = builder.argument("tokens", {DType::s32, {50}});
  builder.argument("second_moment", f32_type({50}), Role::optimizer_state);
  builder.argument("count", {DType::s32, {}}, Role::optimizer_state);
  builder.argument("mask", {DType::pred, {50}});
  builder.result(builder.add_one({"rows",
                                  "gather",
                                  {table, tokens},
                                  {f32_type({50, 2})},
                                  {{"offset_dims", std::vector<std::int64_t>{1}},
                                   {"collapsed_slice_dims", std::vector<std::int64_t>{0}},
                                   {"operand_batching_dims", std::vector<std::int64_t>{}},
                                   {"start_indices_batching_dims", std::vector<std::int64_t>{}},
                                   {"start_index_map", std::vector<std::int64_t>{0}},
                                   {"index_vector_dim", std::int64_t{1}},
                                   {"slice_sizes", std::vector<std::int64_t>{1, 2}}}}));
  const Graph graph = finished(std::move(builder));
  const Values values = argument_values(graph, 0);
  const auto range = [](const Value& value) {
    const auto [low, high] = std::minmax_element(value.data.begin(), value.data.end());
    return std::pair(*low, *high);
  };
  CHECK(range(values[1]) == std::pair(0.0, 2.0));
  CHECK(range(values[2]).first >= 0.1);
  CHECK(values[3].data == std::vector<double>{1});
  CHECK(range(values[4]) == std::pair(0.0, 1.0));
  CHECK(argument_values(graph, 1)[0].data != values[0].data);
}

TEST_CASE("a tensor dies at its last use, which may be inside of a loop") {
  const Graph graph = loop();
  const HandPlan names(graph, mesh_of("1"));
  const auto dying = last_uses(graph);
  const auto at = [&](std::string_view op) { return dying[names.op(op).index()]; };
  const std::vector<TensorId> after_loop = at("layers");
  CHECK(std::count(after_loop.begin(), after_loop.end(), names.tensor("w")) == 1);
  CHECK(std::count(after_loop.begin(), after_loop.end(), names.tensor("x")) == 1);
  CHECK(at("next") == std::vector<TensorId>{names.tensor("product")});
}

TEST_CASE("findings keep the first mismatches and count the rest") {
  Findings findings;
  for (int i = 0; i < 30; ++i) {
    findings.wrong_value("place " + std::to_string(i % 25), "off");
  }
  const VerifyReport report = std::move(findings).finish();
  CHECK(!report.values_equal);
  CHECK(report.bytes_equal);
  REQUIRE(report.mismatches.size() == 21);
  CHECK(report.mismatches.front() == "place 0: off");
  CHECK(report.mismatches.back() == "and 5 more");
}

}  // namespace
}  // namespace autoshard::test
