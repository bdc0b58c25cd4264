// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/alpa_cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace autoshard::test {
namespace {

constexpr double kSecondsPerUnit = 1e-6;

/// Stands for Alpa's infinity (1e13): more than any plan here, and still whole picoseconds.
constexpr double kNever = 1e9;

}  // namespace

double alpa_seconds(double units) { return units * kSecondsPerUnit; }

AlpaCostModel::AlpaCostModel(std::vector<AlpaAxis> axes) : axes_(std::move(axes)) {
  // A mesh of one axis is a column of devices to Alpa: the other axis has size one.
  while (axes_.size() < 2) axes_.push_back({});
}

double AlpaCostModel::operator_seconds(const OperatorWork& work) const {
  if (work.matmul) return work.shards < devices() ? alpa_seconds(kNever) : 0;
  const bool weight = work.role == Role::parameter || work.role == Role::optimizer_state;
  const bool replicated = work.kind == "argument" && weight && work.shards == 1;
  return replicated ? alpa_seconds(replicated_penalty()) : 0;
}

std::int64_t AlpaCostModel::devices() const { return axes_[0].size * axes_[1].size; }

double AlpaCostModel::collective_seconds(const Collective& collective) const {
  return alpa_seconds(over_axes(collective));
}

double AlpaCostModel::over_axes(const Collective& collective) const {
  const double bytes = static_cast<double>(collective.buffer_bytes);
  const double group = static_cast<double>(collective.group_size);
  const auto flat =
      std::ranges::count_if(axes_, [](const AlpaAxis& axis) { return axis.size == 1; });
  double units = 0;
  for (const AxisRef& part : collective.axes) {
    const auto axis = static_cast<std::size_t>(part.axis);
    switch (collective.kind) {
      case CollectiveKind::all_reduce:
        units += all_reduce(bytes, axis);
        break;
      case CollectiveKind::all_gather:
        units += all_gather(bytes, axis);
        break;
      case CollectiveKind::all_to_all:
        units += flat == 0 ? kNever : all_to_all(bytes * group, axis);
        break;
      case CollectiveKind::reduce_scatter:
      case CollectiveKind::collective_permute:
        units += kNever;
        break;
      case CollectiveKind::slice:
        break;
    }
  }
  return units;
}

double AlpaCostModel::transfer(double bytes, std::size_t axis) const {
  const double n = static_cast<double>(axes_[axis].size);
  return axes_[axis].beta * (n - 1) / n * bytes;
}

double AlpaCostModel::all_reduce(double bytes, std::size_t axis) const {
  return axes_[axis].alpha + 2 * transfer(bytes, axis) + 0.01;
}

double AlpaCostModel::all_gather(double bytes, std::size_t axis) const {
  return axes_[axis].gathers ? axes_[axis].alpha + transfer(bytes, axis) + 0.1 : kNever;
}

double AlpaCostModel::all_to_all(double bytes, std::size_t axis) const {
  const double n = static_cast<double>(axes_[axis].size);
  if (!axes_[axis].gathers) return kNever;
  return axes_[axis].alpha + transfer(bytes, axis) / n * (n / 2) + 0.001;
}

double AlpaCostModel::replicated_penalty() const {
  return std::floor(all_reduce(1, 0) + all_reduce(1, 1));
}

}  // namespace autoshard::test
