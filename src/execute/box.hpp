// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ranges and boxes of global tensor indices: which part of a tensor a device holds. It knows
// specs and meshes, not values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "autoshard/sharding_spec.hpp"

namespace autoshard::internal {

/// Indices [begin, end) of one dimension, counted in the whole tensor.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool holds(std::int64_t index) const { return begin <= index && index < end; }
  friend bool operator==(const Range&, const Range&) = default;
};

/// One range per dimension; the box of a scalar has no ranges and one element.
using Box = std::vector<Range>;

/// True of equal ranges and of any two empty ones.
bool same(const Range& a, const Range& b);
bool same(const Box& a, const Box& b);
Range intersection(const Range& a, const Range& b);
Box intersection(const Box& a, const Box& b);
/// An empty range is inside every range.
bool contains(const Range& outer, const Range& inner);
bool contains(const Box& outer, const Box& inner);

std::int64_t volume(const Box& box);
std::vector<std::int64_t> extents(const Box& box);
Box whole_box(std::span<const std::int64_t> shape);
/// What `device` holds of a tensor under `spec`, without padding.
Box piece_box(const ShardingSpec& spec, const TensorType& type, const DeviceMesh& mesh,
              std::int64_t device);

std::string to_string(const Range& range);  ///< "0:4"
std::string to_string(const Box& box);      ///< "[0:4, 2:8]"

}  // namespace autoshard::internal
