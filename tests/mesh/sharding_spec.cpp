// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/sharding_spec.hpp"

#include <doctest/doctest.h>

using namespace autoshard;

namespace {

using Shape = std::vector<std::int64_t>;

DeviceMesh mesh_of(std::string_view text) {
  return DeviceMesh::parse(text, *find_device("a100")).value();
}

ShardingSpec spec_of(std::string_view text, const DeviceMesh& mesh) {
  auto spec = parse_sharding_spec(text, mesh);
  if (!spec.ok()) FAIL(spec.error().message);
  return std::move(spec).value();
}

std::string fault(const ShardingSpec& spec, const Shape& shape, const DeviceMesh& mesh) {
  const auto valid = validate(spec, {DType::f32, shape}, mesh);
  if (valid.ok()) return "none";
  CHECK(valid.error().code == ErrorCode::invalid_argument);
  return valid.error().message;
}

/// Rows of every device: "0-3 3-5".
std::string ranges(const ShardingSpec& spec, std::int64_t size, const DeviceMesh& mesh) {
  std::string text;
  for (std::int64_t device = 0; device < mesh.device_count(); ++device) {
    const ShardRange range = shard_range(spec, {DType::f32, {size}}, 0, mesh, device);
    text +=
        (text.empty() ? "" : " ") + std::to_string(range.begin) + "-" + std::to_string(range.end);
  }
  return text;
}

}  // namespace

TEST_CASE("the largest shard has every dimension divided and rounded up") {
  const DeviceMesh mesh = mesh_of("x=2,y=3");
  const TensorType type{DType::f32, {8, 10, 5}};
  const auto shape = [&](std::string_view text) { return shard_shape(spec_of(text, mesh), type); };
  CHECK(shape("[{}, {}, {}]") == Shape{8, 10, 5});
  CHECK(shape(R"([{"x"}, {"y"}, {}])") == Shape{4, 4, 5});
  CHECK(shape(R"([{"x", "y"}, {}, {}])") == Shape{2, 10, 5});
  CHECK(shape(R"([{}, {}, {"y"}] partial={"x":sum})") == Shape{8, 10, 2});
  CHECK(shard_bytes(spec_of(R"([{"x"}, {"y"}, {}])", mesh), type) == 4 * 4 * 5 * 4);
}

TEST_CASE("bytes of a shard are whole bytes of its own type") {
  const DeviceMesh mesh = mesh_of("x=2");
  const ShardingSpec split = spec_of(R"([{"x"}])", mesh);
  CHECK(shard_bytes(split, {DType::s4, {6}}) == 2);
  CHECK(shard_bytes(split, {DType::bf16, {6}}) == 6);
  CHECK(shard_bytes(split, {DType::f32, {0}}) == 0);
  CHECK(shard_bytes(ShardingSpec::replicated(0), {DType::f64, {}}) == 8);
}

TEST_CASE("an uneven split leaves less, or nothing, to the last devices") {
  const DeviceMesh mesh = mesh_of("x=4");
  const ShardingSpec split = spec_of(R"([{"x"}])", mesh);
  CHECK(ranges(split, 8, mesh) == "0-2 2-4 4-6 6-8");
  CHECK(ranges(split, 7, mesh) == "0-2 2-4 4-6 6-7");
  CHECK(ranges(split, 5, mesh) == "0-2 2-4 4-5 5-5");
  CHECK(ranges(split, 2, mesh) == "0-1 1-2 2-2 2-2");
  CHECK(ranges(split, 0, mesh) == "0-0 0-0 0-0 0-0");
}

TEST_CASE("axes of one dimension split it major to minor") {
  const DeviceMesh mesh = mesh_of("x=2,y=2");
  CHECK(ranges(spec_of(R"([{"x", "y"}])", mesh), 8, mesh) == "0-2 2-4 4-6 6-8");
  CHECK(ranges(spec_of(R"([{"y", "x"}])", mesh), 8, mesh) == "0-2 4-6 2-4 6-8");
  CHECK(ranges(spec_of(R"([{"y"}])", mesh), 8, mesh) == "0-4 4-8 0-4 4-8");
}

TEST_CASE("a device's place along parts of an axis is its place along the axis, digit by digit") {
  const DeviceMesh mesh = mesh_of("x=12");
  for (std::int64_t device = 0; device < 12; ++device) {
    CAPTURE(device);
    CHECK(coordinate(mesh, device, {0, 1, 12}) == device);
    CHECK(coordinate(mesh, device, {0, 1, 3}) == device / 4);
    CHECK(coordinate(mesh, device, {0, 3, 4}) == device % 4);
    CHECK(coordinate(mesh, device, {0, 3, 2}) == device % 4 / 2);
    CHECK(coordinate(mesh, device, {0, 6, 2}) == device % 2);
  }
}

TEST_CASE("parts of an axis together split as the whole axis does") {
  const DeviceMesh mesh = mesh_of("x=4,y=2");
  const ShardingSpec whole = spec_of(R"([{"x"}])", mesh);
  const ShardingSpec parts{{{{0, 1, 2}, {0, 2, 2}}}, {}};
  for (std::int64_t size : {4, 7, 8, 9, 16})
    CHECK(ranges(parts, size, mesh) == ranges(whole, size, mesh));
  CHECK(ranges(spec_of(R"([{"x":(1)2}])", mesh), 8, mesh) == "0-4 0-4 0-4 0-4 4-8 4-8 4-8 4-8");
}

TEST_CASE("only a spec without splits and partial values is replicated") {
  const DeviceMesh mesh = mesh_of("x=2,y=2");
  CHECK(ShardingSpec::replicated(3).is_replicated());
  CHECK(ShardingSpec::replicated(0).is_replicated());
  CHECK_FALSE(spec_of(R"([{"x"}])", mesh).is_replicated());
  CHECK_FALSE(spec_of(R"([{}] partial={"x":sum})", mesh).is_replicated());
  CHECK(spec_of(R"([{"x", "y"}, {}])", mesh).shards(0) == 4);
  CHECK(spec_of(R"([{"x", "y"}, {}])", mesh).shards(1) == 1);
}

TEST_CASE("a spec that a tensor cannot have is refused, and the error names the axis") {
  const DeviceMesh mesh = mesh_of("x=4,y=6");
  CHECK(fault(spec_of(R"([{"x"}, {"y"}])", mesh), {8, 8}, mesh) == "none");
  CHECK(fault(spec_of(R"([{"x":(1)2}, {"x":(2)2}])", mesh), {8, 8}, mesh) == "none");
  CHECK(fault(spec_of(R"([{"x"}])", mesh), {8, 8}, mesh) ==
        R"(sharding [{"x"}]: rank 1 for a tensor of rank 2)");
  CHECK(fault(spec_of(R"([{"x"}, {"x"}])", mesh), {8, 8}, mesh) ==
        "sharding: axis 'x' is used twice");
  CHECK(fault(spec_of(R"([{"y"}] partial={"y":sum})", mesh), {8}, mesh) ==
        "sharding: axis 'y' is used twice");
  CHECK(fault(spec_of(R"([{"x":(1)2, "x"}])", mesh), {8}, mesh) ==
        "sharding: axis 'x' is used twice");
  CHECK(fault(spec_of(R"([{"y":(1)4}])", mesh), {8}, mesh) ==
        "sharding: axis 'y' of size 6 has no part (1)4");
  CHECK(fault({{{{0, 4, 2}}}, {}}, {8}, mesh) == "sharding: axis 'x' of size 4 has no part (4)2");
  CHECK(fault({{{{0, 0, 2}}}, {}}, {8}, mesh) == "sharding: axis 'x' of size 4 has no part (0)2");
  CHECK(fault({{{{0, 1, -2}}}, {}}, {8}, mesh) == "sharding: axis 'x' of size 4 has no part (1)-2");
  CHECK(fault({{{{2, 1, 2}}}, {}}, {8}, mesh) == "sharding: axis number 2 does not exist");
  CHECK(fault({{{{-1, 1, 2}}}, {}}, {8}, mesh) == "sharding: axis number -1 does not exist");
}

TEST_CASE("parts that overlap are found wherever they stand") {
  const DeviceMesh mesh = mesh_of("x=12");
  CHECK(fault({{{{0, 1, 6}}, {{0, 2, 2}}}, {}}, {8, 8}, mesh) ==
        "sharding: axis 'x' is used twice");
  CHECK(fault({{{{0, 2, 2}}, {{0, 1, 2}}}, {}}, {8, 8}, mesh) == "none");
  CHECK(fault({{{{0, 1, 12}}, {{0, 3, 2}}, {{0, 6, 2}}}, {}}, {8, 8, 8}, mesh) ==
        "sharding: axis 'x' is used twice");
}
