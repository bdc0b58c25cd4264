// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "autoshard/cost_model.hpp"

namespace autoshard {
namespace {

/// Time to start one kernel; what a device spends on an operator that touches almost nothing.
constexpr double kLaunchSeconds = 2e-6;

double matmul_rate(const Device& device, DType dtype) {
  switch (bits(dtype)) {
    case 64:
      return device.matmul_flops_per_second_64;
    case 32:
      return device.matmul_flops_per_second_32;
    default:
      return device.matmul_flops_per_second_16;
  }
}

/// The slowest link that a group of these axes has to cross.
Link slowest(const DeviceMesh& mesh, const std::vector<AxisRef>& axes) {
  Link slow{0, 1e300};
  for (const AxisRef& part : axes) {
    const Link& link = mesh.axes()[static_cast<std::size_t>(part.axis)].link;
    slow.latency_seconds = std::max(slow.latency_seconds, link.latency_seconds);
    slow.bytes_per_second = std::min(slow.bytes_per_second, link.bytes_per_second);
  }
  return slow;
}

}  // namespace

double AnalyticCostModel::operator_seconds(const OperatorWork& work) const {
  const double bandwidth = mesh_.device().memory_bytes_per_second;
  if (work.kind == "argument") return work.role == Role::input ? work.memory_bytes / bandwidth : 0;
  if (work.flops <= 0 && work.memory_bytes <= 0) return 0;
  const Device& device = mesh_.device();
  const double rate =
      work.matmul ? matmul_rate(device, work.dtype) : device.vector_flops_per_second;
  const double arithmetic = work.flops / rate;
  const double traffic = work.memory_bytes / bandwidth;
  const double launch = work.memory_bytes > 0 ? kLaunchSeconds : 0;
  return std::max(arithmetic, traffic) + launch;
}

double AnalyticCostModel::collective_seconds(const Collective& collective) const {
  const Link link = slowest(mesh_, collective.axes);
  const double n = static_cast<double>(collective.group_size);
  const double full = static_cast<double>(collective.buffer_bytes) / link.bytes_per_second;
  const double ring = (n - 1) * link.latency_seconds + (n - 1) / n * full;
  switch (collective.kind) {
    case CollectiveKind::all_reduce:
      return 2 * ring;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return ring;
    case CollectiveKind::collective_permute:
      return link.latency_seconds + full;
    case CollectiveKind::slice:
      return 0;
  }
  return 0;
}

}  // namespace autoshard
