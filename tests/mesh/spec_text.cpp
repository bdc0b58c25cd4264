// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "autoshard/sharding_spec.hpp"

using namespace autoshard;

namespace {

DeviceMesh mesh_of(std::string_view text) {
  return DeviceMesh::parse(text, *find_device("a100")).value();
}

/// Each axis is cut into halves or not; each piece splits a dimension, is partial, or is unused.
ShardingSpec random_spec(std::mt19937& random, const DeviceMesh& mesh) {
  const std::size_t rank = random() % 4;
  ShardingSpec spec = ShardingSpec::replicated(static_cast<std::int64_t>(rank));
  const auto put = [&](const AxisRef& part) {
    const std::size_t place = random() % (rank + 2);
    if (place < rank) spec.dims[place].push_back(part);
    if (place == rank) spec.partial.push_back({part, static_cast<ReductionKind>(random() % 6)});
  };
  for (std::int32_t axis = 0; axis < static_cast<std::int32_t>(mesh.axes().size()); ++axis) {
    const AxisRef whole = whole_axis(mesh, axis);
    if (whole.size % 2 == 0 && random() % 2 == 0) {
      put({axis, 1, 2});
      put({axis, 2, whole.size / 2});
    } else {
      put(whole);
    }
  }
  for (auto& dim : spec.dims) std::shuffle(dim.begin(), dim.end(), random);
  return spec;
}

}  // namespace

TEST_CASE("a spec's text is the one in the documentation") {
  const DeviceMesh mesh = mesh_of("x=2,y=4,z=2,w=2");
  const ShardingSpec spec{{{{0, 1, 2}}, {{2, 1, 2}, {1, 2, 2}}}, {{{3, 1, 2}, ReductionKind::sum}}};
  const std::string text = R"([{"x"}, {"z", "y":(2)2}] partial={"w":sum})";
  CHECK(to_string(spec, mesh) == text);
  CHECK(*parse_sharding_spec(text, mesh) == spec);
  CHECK(to_string(ShardingSpec::replicated(0), mesh) == "[]");
  CHECK(to_string(ShardingSpec::replicated(2), mesh) == "[{}, {}]");
  CHECK(to_string({{{}}, {{{0, 1, 2}, ReductionKind::max}, {{3, 1, 2}, ReductionKind::logical_or}}},
                  mesh) == R"([{}] partial={"x":max, "w":or})");
}

TEST_CASE("spaces between the parts of a spec's text do not matter") {
  const DeviceMesh mesh = mesh_of("x=2,y=4");
  const ShardingSpec spec{{{{0, 1, 2}}, {}}, {{{1, 1, 4}, ReductionKind::sum}}};
  for (const char* text :
       {R"([{"x"},{}]partial={"y":sum})", R"(  [ { "x" } , { } ]  partial={ "y" :sum } )"}) {
    CAPTURE(text);
    const auto read = parse_sharding_spec(text, mesh);
    REQUIRE(read.ok());
    CHECK(*read == spec);
  }
}

TEST_CASE("any spec is read back from its text") {
  std::mt19937 random(3);
  for (const char* text : {"x=2,y=4", "x=6", "a=2,b=3,c=8", "d=7"}) {
    const DeviceMesh mesh = mesh_of(text);
    for (int i = 0; i < 100; ++i) {
      const ShardingSpec spec = random_spec(random, mesh);
      const std::string written = to_string(spec, mesh);
      CAPTURE(written);
      const TensorType type{DType::f32, std::vector<std::int64_t>(spec.dims.size(), 64)};
      CHECK(validate(spec, type, mesh).ok());
      const auto read = parse_sharding_spec(written, mesh);
      REQUIRE(read.ok());
      CHECK(*read == spec);
    }
  }
}

TEST_CASE("the ranges of all devices that differ along a dimension's axes cover it once") {
  std::mt19937 random(4);
  const DeviceMesh mesh = mesh_of("x=2,y=4,z=3");
  for (int i = 0; i < 100; ++i) {
    const ShardingSpec spec = random_spec(random, mesh);
    const auto size = static_cast<std::int64_t>(1 + random() % 30);
    const TensorType type{DType::f32, std::vector<std::int64_t>(spec.dims.size(), size)};
    for (std::size_t dim = 0; dim < spec.dims.size(); ++dim) {
      CAPTURE(to_string(spec, mesh));
      std::int64_t rows = 0;
      for (std::int64_t device = 0; device < mesh.device_count(); ++device) {
        const ShardRange range = shard_range(spec, type, dim, mesh, device);
        CHECK(range.end - range.begin <= shard_shape(spec, type)[dim]);
        rows += range.end - range.begin;
      }
      CHECK(rows == size * mesh.device_count() / spec.shards(dim));
    }
  }
}

TEST_CASE("text that is no spec is refused, and the error says where") {
  const DeviceMesh mesh = mesh_of("x=2,y=4");
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& test : {
           Case{"", "sharding '': expected '[' at character 0"},
           {"[", "sharding '[': expected '{' at character 1"},
           {"[{]", "sharding '[{]': expected '\"' at character 2"},
           {"[{}", "sharding '[{}': expected ',' at character 3"},
           {"[{}{}]", "sharding '[{}{}]': expected ',' at character 3"},
           {"[{}] x", "sharding '[{}] x': expected end at character 5"},
           {R"([{"q"}])", R"(sharding '[{"q"}]': the mesh x=2,y=4 has no axis 'q')"},
           {R"([{"y":(2}])", R"(sharding '[{"y":(2}]': expected ')' at character 8)"},
           {R"([{"y":(a)2}])", R"(sharding '[{"y":(a)2}]': expected a number at character 7)"},
           {R"([{"x"} "y"])", R"(sharding '[{"x"} "y"]': expected ',' at character 7)"},
           {R"([{}] partial={"x"})",
            R"(sharding '[{}] partial={"x"}': expected ':' at character 17)"},
           {R"([{}] partial={"x":mean})",
            R"(sharding '[{}] partial={"x":mean}': 'mean' is not a reduction)"},
       }) {
    CAPTURE(test.text);
    const auto spec = parse_sharding_spec(test.text, mesh);
    REQUIRE_FALSE(spec.ok());
    CHECK(spec.error().code == ErrorCode::invalid_argument);
    CHECK(spec.error().message == test.message);
  }
}

TEST_CASE("every beginning of a good text is refused") {
  const DeviceMesh mesh = mesh_of("x=2,y=4");
  const std::string text = R"([{"x", "y":(1)2}, {}] partial={"y":(2)2:sum})";
  REQUIRE(parse_sharding_spec(text, mesh).ok());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    CAPTURE(cut);
    const bool whole_without_partial = cut.size() == 21 || cut.size() == 22;
    CHECK(parse_sharding_spec(cut, mesh).ok() == whole_without_partial);
  }
}
