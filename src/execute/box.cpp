// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/box.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace autoshard::internal {

bool same(const Range& a, const Range& b) { return a == b || (a.empty() && b.empty()); }

bool same(const Box& a, const Box& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Range& x, const Range& y) { return same(x, y); });
}

Range intersection(const Range& a, const Range& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

Box intersection(const Box& a, const Box& b) {
  Box common(a.size());
  for (std::size_t d = 0; d < a.size(); ++d) common[d] = intersection(a[d], b[d]);
  return common;
}

bool contains(const Range& outer, const Range& inner) {
  return inner.empty() || (outer.begin <= inner.begin && inner.end <= outer.end);
}

bool contains(const Box& outer, const Box& inner) {
  if (volume(inner) == 0) return true;
  return std::equal(outer.begin(), outer.end(), inner.begin(), inner.end(),
                    [](const Range& x, const Range& y) { return contains(x, y); });
}

std::int64_t volume(const Box& box) {
  std::int64_t product = 1;
  for (const Range& range : box) product *= std::max<std::int64_t>(range.size(), 0);
  return product;
}

std::vector<std::int64_t> extents(const Box& box) {
  std::vector<std::int64_t> sizes(box.size());
  std::transform(box.begin(), box.end(), sizes.begin(),
                 [](const Range& range) { return std::max<std::int64_t>(range.size(), 0); });
  return sizes;
}

Box whole_box(std::span<const std::int64_t> shape) {
  Box box(shape.size());
  std::transform(shape.begin(), shape.end(), box.begin(), [](std::int64_t size) {
    return Range{0, size};
  });
  return box;
}

Box piece_box(const ShardingSpec& spec, const TensorType& type, const DeviceMesh& mesh,
              std::int64_t device) {
  Box box(type.shape.size());
  for (std::size_t d = 0; d < box.size(); ++d) {
    const ShardRange range = shard_range(spec, type, d, mesh, device);
    box[d] = {range.begin, range.end};
  }
  return box;
}

std::string to_string(const Range& range) { return fmt::format("{}:{}", range.begin, range.end); }

std::string to_string(const Box& box) {
  std::string text = "[";
  for (const Range& range : box) text += (text.size() > 1 ? ", " : "") + to_string(range);
  return text + "]";
}

}  // namespace autoshard::internal
