// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// How one tensor lies on a mesh: for each dimension the axes (or parts of axes) that split it,
// major to minor, and the axes on which every device holds only a partial value. Axes named
// nowhere replicate. Uneven splits put ceil(size / shards) on each device but the last ones.
//
// Text form, Shardy's: `[{"x"}, {"z", "y"}] partial={"w":sum}`; `"x":(2)4` is the part of axis x
// with 2 before it and size 4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/device_mesh.hpp"
#include "autoshard/error.hpp"
#include "autoshard/types.hpp"

namespace autoshard {

/// A part of a mesh axis: the axis of size n is seen as pre_size x size x rest.
struct AxisRef {
  std::int32_t axis = 0;
  std::int64_t pre_size = 1;
  std::int64_t size = 1;
  friend auto operator<=>(const AxisRef&, const AxisRef&) = default;
};

struct PartialAxis {
  AxisRef axis;
  ReductionKind kind = ReductionKind::sum;
  friend auto operator<=>(const PartialAxis&, const PartialAxis&) = default;
};

struct ShardingSpec {
  std::vector<std::vector<AxisRef>> dims;  ///< one list per tensor dimension, major to minor
  std::vector<PartialAxis> partial;        ///< sorted by axis

  static ShardingSpec replicated(std::int64_t rank) {
    return {std::vector<std::vector<AxisRef>>(static_cast<std::size_t>(rank)), {}};
  }
  std::int64_t shards(std::size_t dim) const;  ///< into how many parts a dimension is split
  bool is_replicated() const;                  ///< no dimension split, nothing partial
  friend auto operator<=>(const ShardingSpec&, const ShardingSpec&) = default;
};

/// The whole of a mesh axis.
AxisRef whole_axis(const DeviceMesh& mesh, std::int32_t axis);
/// Coordinate of a device along a part of an axis: 0 .. size-1.
std::int64_t coordinate(const DeviceMesh& mesh, std::int64_t device, const AxisRef& part);

/// Ranks agree, every part of an axis exists and is used at most once. Names the offending axis.
Result<void> validate(const ShardingSpec& spec, const TensorType& type, const DeviceMesh& mesh);

/// The largest shard: every dimension ceil-divided.
std::vector<std::int64_t> shard_shape(const ShardingSpec& spec, const TensorType& type);
std::int64_t shard_bytes(const ShardingSpec& spec, const TensorType& type);

/// Rows [begin, end) of one dimension that a device holds; empty (begin == end) for the tail of
/// an uneven split.
struct ShardRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
ShardRange shard_range(const ShardingSpec& spec, const TensorType& type, std::size_t dim,
                       const DeviceMesh& mesh, std::int64_t device);

std::string to_string(const ShardingSpec& spec, const DeviceMesh& mesh);
Result<ShardingSpec> parse_sharding_spec(std::string_view text, const DeviceMesh& mesh);

}  // namespace autoshard
