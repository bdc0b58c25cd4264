// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "autoshard/cost_model.hpp"

using namespace autoshard;
using doctest::Approx;

namespace {

constexpr double kLaunch = 2e-6;

Device round_device() {
  Device device;
  device.name = "round";
  device.matmul_flops_per_second_16 = 4e12;
  device.matmul_flops_per_second_32 = 2e12;
  device.matmul_flops_per_second_64 = 1e12;
  device.vector_flops_per_second = 5e11;
  device.memory_bytes_per_second = 1e11;
  device.memory_bytes = 1'000'000'000;
  return device;
}

DeviceMesh round_mesh() {
  return DeviceMesh::create({{"slow", 2, {1e-4, 1e9}}, {"fast", 4, {1e-6, 1e10}}}, round_device())
      .value();
}

Collective collective(CollectiveKind kind, const DeviceMesh& mesh,
                      const std::vector<std::int32_t>& axes, std::int64_t bytes) {
  Collective result;
  result.kind = kind;
  for (std::int32_t axis : axes) {
    result.axes.push_back(whole_axis(mesh, axis));
    result.group_size *= result.axes.back().size;
  }
  result.buffer_bytes = bytes;
  return result;
}

OperatorWork work(DType dtype, bool matmul, double flops, double bytes) {
  OperatorWork result;
  result.kind = matmul ? "dot_general" : "add";
  result.dtype = dtype;
  result.matmul = matmul;
  result.flops = flops;
  result.memory_bytes = bytes;
  return result;
}

}  // namespace

TEST_CASE("a collective costs what the ring formulas say") {
  const DeviceMesh mesh = round_mesh();
  const AnalyticCostModel model(mesh);
  const auto seconds = [&](CollectiveKind kind) {
    return model.collective_seconds(collective(kind, mesh, {1}, 1'000'000));
  };
  // (n-1) a + (n-1)/n S/B = 3e-6 + 0.75 * 1e-4
  CHECK(seconds(CollectiveKind::all_gather) == Approx(78e-6).epsilon(1e-12));
  CHECK(seconds(CollectiveKind::reduce_scatter) == Approx(78e-6).epsilon(1e-12));
  CHECK(seconds(CollectiveKind::all_to_all) == Approx(78e-6).epsilon(1e-12));
  CHECK(seconds(CollectiveKind::all_reduce) == Approx(156e-6).epsilon(1e-12));
  CHECK(seconds(CollectiveKind::collective_permute) == Approx(101e-6).epsilon(1e-12));
  CHECK(seconds(CollectiveKind::slice) == 0);
}

TEST_CASE("a group over two axes goes at the pace of the slower link") {
  const DeviceMesh mesh = round_mesh();
  const AnalyticCostModel model(mesh);
  // n = 8: 7 * 1e-4 + 7/8 * 8e6/1e9
  CHECK(model.collective_seconds(collective(CollectiveKind::all_gather, mesh, {0, 1}, 8'000'000)) ==
        Approx(7.7e-3).epsilon(1e-12));
  CHECK(model.collective_seconds(collective(CollectiveKind::all_gather, mesh, {0}, 8'000'000)) ==
        Approx(4.1e-3).epsilon(1e-12));
}

TEST_CASE("latency and bandwidth are each taken from the worse link") {
  const DeviceMesh mesh =
      DeviceMesh::create({{"late", 2, {1e-3, 1e12}}, {"thin", 2, {0, 1e6}}}, round_device())
          .value();
  const AnalyticCostModel model(mesh);
  CHECK(model.collective_seconds(collective(CollectiveKind::collective_permute, mesh, {0, 1},
                                            1'000'000)) == Approx(1.001).epsilon(1e-12));
}

TEST_CASE("an operator takes the longer of arithmetic and traffic, and a launch") {
  const DeviceMesh mesh = round_mesh();
  const AnalyticCostModel model(mesh);
  CHECK(model.operator_seconds(work(DType::f32, true, 2e12, 1)) ==
        Approx(1 + kLaunch).epsilon(1e-12));
  CHECK(model.operator_seconds(work(DType::f32, true, 2e12, 2e11)) ==
        Approx(2 + kLaunch).epsilon(1e-12));
  CHECK(model.operator_seconds(work(DType::f32, false, 1e9, 1e5)) ==
        Approx(2e-3 + kLaunch).epsilon(1e-12));
}

TEST_CASE("products run at the rate of their element type, other operators at one rate") {
  const DeviceMesh mesh = round_mesh();
  const AnalyticCostModel model(mesh);
  const auto product = [&](DType dtype) {
    return model.operator_seconds(work(dtype, true, 4e12, 0));
  };
  CHECK(product(DType::bf16) == Approx(1).epsilon(1e-12));
  CHECK(product(DType::f16) == Approx(1).epsilon(1e-12));
  CHECK(product(DType::f32) == Approx(2).epsilon(1e-12));
  CHECK(product(DType::f64) == Approx(4).epsilon(1e-12));
  for (DType dtype : {DType::bf16, DType::f32, DType::f64}) {
    CHECK(model.operator_seconds(work(dtype, false, 5e11, 0)) == Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("what does nothing costs nothing, and what touches no memory has no launch") {
  const DeviceMesh mesh = round_mesh();
  const AnalyticCostModel model(mesh);
  CHECK(model.operator_seconds(work(DType::f32, false, 0, 0)) == 0);
  CHECK(model.operator_seconds(work(DType::f32, false, 5e5, 0)) == Approx(1e-6).epsilon(1e-12));
  CHECK(model.operator_seconds(work(DType::f32, false, 0, 1e5)) ==
        Approx(1e-6 + kLaunch).epsilon(1e-12));
}
