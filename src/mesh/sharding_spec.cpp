// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/sharding_spec.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using internal::invalid;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Result<void> check_part(const AxisRef& part, const DeviceMesh& mesh) {
  if (part.axis < 0 || part.axis >= static_cast<std::int32_t>(mesh.axes().size())) {
    return invalid("sharding: axis number {} does not exist", part.axis);
  }
  const MeshAxis& axis = mesh.axes()[static_cast<std::size_t>(part.axis)];
  const bool divides = part.pre_size >= 1 && part.size >= 1 && part.pre_size <= axis.size &&
                       part.size <= axis.size && axis.size % (part.pre_size * part.size) == 0;
  if (!divides) {
    return invalid("sharding: axis '{}' of size {} has no part ({}){}", axis.name, axis.size,
                   part.pre_size, part.size);
  }
  return {};
}

bool overlap(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.pre_size < b.pre_size * b.size && b.pre_size < a.pre_size * a.size;
}

Result<void> check_overlaps(std::vector<AxisRef> parts, const DeviceMesh& mesh) {
  std::sort(parts.begin(), parts.end());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (overlap(parts[i - 1], parts[i])) {
      return invalid("sharding: axis '{}' is used twice",
                     mesh.axes()[static_cast<std::size_t>(parts[i].axis)].name);
    }
  }
  return {};
}

}  // namespace

std::int64_t ShardingSpec::shards(std::size_t dim) const {
  std::int64_t count = 1;
  for (const AxisRef& part : dims[dim]) count *= part.size;
  return count;
}

bool ShardingSpec::is_replicated() const {
  return partial.empty() &&
         std::all_of(dims.begin(), dims.end(), [](const auto& axes) { return axes.empty(); });
}

AxisRef whole_axis(const DeviceMesh& mesh, std::int32_t axis) {
  return {axis, 1, mesh.axes()[static_cast<std::size_t>(axis)].size};
}

std::int64_t coordinate(const DeviceMesh& mesh, std::int64_t device, const AxisRef& part) {
  const std::int64_t axis_size = mesh.axes()[static_cast<std::size_t>(part.axis)].size;
  const std::int64_t after = axis_size / (part.pre_size * part.size);
  return mesh.coordinate(device, part.axis) / after % part.size;
}

Result<void> validate(const ShardingSpec& spec, const TensorType& type, const DeviceMesh& mesh) {
  if (spec.dims.size() != type.shape.size()) {
    return invalid("sharding {}: rank {} for a tensor of rank {}", to_string(spec, mesh),
                   spec.dims.size(), type.shape.size());
  }
  std::vector<AxisRef> parts;
  for (const auto& axes : spec.dims) parts.insert(parts.end(), axes.begin(), axes.end());
  for (const PartialAxis& partial : spec.partial) parts.push_back(partial.axis);
  for (const AxisRef& part : parts) AUTOSHARD_CHECK_OK(check_part(part, mesh));
  return check_overlaps(std::move(parts), mesh);
}

std::vector<std::int64_t> shard_shape(const ShardingSpec& spec, const TensorType& type) {
  std::vector<std::int64_t> shape = type.shape;
  for (std::size_t dim = 0; dim < shape.size(); ++dim) {
    shape[dim] = ceil_divide(shape[dim], spec.shards(dim));
  }
  return shape;
}

std::int64_t shard_bytes(const ShardingSpec& spec, const TensorType& type) {
  return TensorType{type.dtype, shard_shape(spec, type)}.bytes();
}

ShardRange shard_range(const ShardingSpec& spec, const TensorType& type, std::size_t dim,
                       const DeviceMesh& mesh, std::int64_t device) {
  std::int64_t index = 0;
  for (const AxisRef& part : spec.dims[dim]) {
    index = index * part.size + coordinate(mesh, device, part);
  }
  const std::int64_t size = type.shape[dim];
  const std::int64_t rows = ceil_divide(size, spec.shards(dim));
  return {std::min(size, index * rows), std::min(size, (index + 1) * rows)};
}

}  // namespace autoshard
