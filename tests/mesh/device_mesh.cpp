// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/device_mesh.hpp"

#include <doctest/doctest.h>

using namespace autoshard;

namespace {

Result<DeviceMesh> parse(std::string_view text) {
  return DeviceMesh::parse(text, *find_device("a100"));
}

std::string parse_error(std::string_view text) {
  const auto mesh = parse(text);
  if (mesh.ok()) return "no error";
  CHECK(mesh.error().code == ErrorCode::invalid_argument);
  return mesh.error().message;
}

std::string create_error(std::vector<MeshAxis> axes, std::vector<std::int64_t> ids = {}) {
  const auto mesh = DeviceMesh::create(std::move(axes), Device{}, std::move(ids));
  if (mesh.ok()) return "no error";
  CHECK(mesh.error().code == ErrorCode::invalid_argument);
  return mesh.error().message;
}

}  // namespace

TEST_CASE("a mesh is read from names and sizes, or from sizes alone") {
  struct Case {
    const char* text;
    const char* read_as;
    std::int64_t devices;
  };
  for (const Case& test : {Case{"data=2,model=4", "data=2,model=4", 8},
                           {"2x4", "a0=2,a1=4", 8},
                           {"6", "a0=6", 6},
                           {"7", "a0=7", 7},
                           {"1", "a0=1", 1},
                           {"x=1,y=1", "x=1,y=1", 1},
                           {"2x3x2", "a0=2,a1=3,a2=2", 12},
                           {"_a9=3", "_a9=3", 3}}) {
    CAPTURE(test.text);
    const auto mesh = parse(test.text);
    REQUIRE(mesh.ok());
    CHECK(mesh->to_string() == test.read_as);
    CHECK(mesh->device_count() == test.devices);
    CHECK(parse(mesh->to_string())->to_string() == mesh->to_string());
  }
}

TEST_CASE("the links of a mesh that was read are the device's") {
  const auto mesh = parse("2x4");
  for (const MeshAxis& axis : mesh->axes()) {
    CHECK(axis.link.latency_seconds == find_device("a100")->link.latency_seconds);
    CHECK(axis.link.bytes_per_second == find_device("a100")->link.bytes_per_second);
  }
  CHECK(mesh->device().name == "a100");
}

TEST_CASE("a mesh that cannot be is refused, and the error names the axis") {
  CHECK(parse_error("data=0") == "mesh axis 'data': size 0 is less than 1");
  CHECK(parse_error("0x4") == "mesh axis 'a0': size 0 is less than 1");
  CHECK(parse_error("data=2,model=-4") == "mesh axis 'model': size -4 is less than 1");
  CHECK(parse_error("x=2,x=2") == "mesh axis 'x': the name is used twice");
  CHECK(parse_error("9x=2") == "mesh axis 0: '9x' is not a name");
  CHECK(parse_error("=2") == "mesh axis 0: '' is not a name");
  CHECK(parse_error("a b=2") == "mesh axis 0: 'a b' is not a name");
  CHECK(parse_error("a=4194304,b=2") == "mesh axis 'b': more than 4194304 devices");
  CHECK(parse_error("9223372036854775807") == "mesh axis 'a0': more than 4194304 devices");
}

TEST_CASE("text that is no mesh is refused") {
  for (const char* text :
       {"", "x", "2x", "x2", "2xx4", "2,4", "data=2,4", "data=", "data=2,", "data=two", "data=2=3",
        "data=2 ", " 2x4", "2.5", "0x", "1e3", "99999999999999999999", "2X4", "+2"}) {
    CAPTURE(text);
    const std::string message = parse_error(text);
    CHECK(message.find("mesh") == 0);
  }
  CHECK(parse_error("data=2,4") == "mesh 'data=2,4': '4' is not of the form name=size");
  CHECK(parse_error("2x") == "mesh '2x': '' is not an axis size");
  CHECK(parse_error("data=two") == "mesh 'data=two': 'two' is not an axis size");
}

TEST_CASE("devices are counted row by row, the last axis innermost") {
  const auto mesh = parse("2x3x2");
  REQUIRE(mesh.ok());
  std::int64_t device = 0;
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 2; ++k, ++device) {
        CHECK(mesh->coordinate(device, 0) == i);
        CHECK(mesh->coordinate(device, 1) == j);
        CHECK(mesh->coordinate(device, 2) == k);
      }
    }
  }
}

TEST_CASE("device ids are 0, 1, 2, ... unless they are given") {
  const auto plain = DeviceMesh::create({{"x", 3, {}}}, Device{});
  CHECK(std::vector<std::int64_t>(plain->device_ids().begin(), plain->device_ids().end()) ==
        std::vector<std::int64_t>{0, 1, 2});
  const auto given = DeviceMesh::create({{"x", 2, {}}, {"y", 2, {}}}, Device{}, {7, 5, 3, 1});
  REQUIRE(given.ok());
  CHECK(given->device_ids()[1] == 5);
  CHECK(given->device_count() == 4);
}

TEST_CASE("axes, links and ids that make no mesh are refused") {
  CHECK(create_error({}) == "mesh: it has no axis");
  CHECK(create_error({{"x", 2, {}}}, {0}) == "mesh: 1 device ids for 2 devices");
  CHECK(create_error({{"x", 3, {}}}, {4, 1, 4}) == "mesh: device id 4 appears twice");
  CHECK(create_error({{"x", 2, {1e-6, 0}}}).find("mesh axis 'x': its link") == 0);
  CHECK(create_error({{"x", 2, {-1, 1e9}}}).find("mesh axis 'x': its link") == 0);
}

TEST_CASE("every known device can be found and has no figure missing") {
  CHECK(device_names().size() >= 5);
  for (const std::string& name : device_names()) {
    CAPTURE(name);
    const auto device = find_device(name);
    REQUIRE(device.ok());
    CHECK(device->name == name);
    CHECK(device->matmul_flops_per_second_16 >= device->matmul_flops_per_second_32);
    CHECK(device->matmul_flops_per_second_32 >= device->matmul_flops_per_second_64);
    CHECK(device->matmul_flops_per_second_64 > 0);
    CHECK(device->vector_flops_per_second > 0);
    CHECK(device->memory_bytes_per_second > device->link.bytes_per_second);
    CHECK(device->memory_bytes >= 8'000'000'000);
    CHECK(device->link.latency_seconds > 0);
  }
}

TEST_CASE("an unknown device is answered with the list of known ones") {
  const auto device = find_device("abacus");
  REQUIRE_FALSE(device.ok());
  CHECK(device.error().code == ErrorCode::not_found);
  CHECK(device.error().message.find("'abacus'") != std::string::npos);
  for (const std::string& name : device_names()) {
    CHECK(device.error().message.find(name) != std::string::npos);
  }
}
