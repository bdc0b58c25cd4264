// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/value.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace autoshard::internal {

Value filled(Box box, double element) {
  const auto elements = static_cast<std::size_t>(volume(box));
  return {std::move(box), std::vector<double>(elements, element)};
}

Value scalar_value(double element) { return {{}, {element}}; }

Value cut(const Value& value, const Box& box) {
  if (same(value.box, box)) return {box, value.data};
  Value result = filled(box, 0.0);
  if (result.data.empty()) return result;
  const std::vector<std::int64_t> sizes = extents(box);
  copy_strided(sizes, value.data.data(), part(value, box), result.data.data(),
               {0, row_major_strides(sizes)});
  return result;
}

void paste(const Value& source, Value& target) {
  const Box common = intersection(source.box, target.box);
  if (volume(common) == 0) return;
  copy_strided(extents(common), source.data.data(), part(source, common), target.data.data(),
               part(target, common));
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

Strided part(const Value& value, const Box& box) {
  Strided result{0, row_major_strides(extents(value.box))};
  for (std::size_t d = 0; d < box.size(); ++d) {
    result.offset += (box[d].begin - value.box[d].begin) * result.strides[d];
  }
  return result;
}

void copy_strided(const std::vector<std::int64_t>& sizes, const double* source, const Strided& from,
                  double* target, const Strided& to) {
  if (sizes.empty()) {
    target[to.offset] = source[from.offset];
    return;
  }
  // The innermost dimension is a plain loop; only the outer ones need an index.
  const std::int64_t inner = sizes.back();
  const std::int64_t from_step = from.strides.back();
  const std::int64_t to_step = to.strides.back();
  for (IndexWalk walk({sizes.begin(), sizes.end() - 1}); !walk.done(); walk.next()) {
    const double* read = source + from.offset + linear_index(walk.index(), from.strides);
    double* write = target + to.offset + linear_index(walk.index(), to.strides);
    for (std::int64_t i = 0; i < inner; ++i) write[i * to_step] = read[i * from_step];
  }
}

IndexWalk::IndexWalk(std::vector<std::int64_t> sizes)
    : sizes_(std::move(sizes)),
      index_(sizes_.size(), 0),
      done_(std::any_of(sizes_.begin(), sizes_.end(), [](std::int64_t n) { return n <= 0; })) {}

void IndexWalk::next() {
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    if (++index_[d] < sizes_[d]) return;
    index_[d] = 0;
  }
  done_ = true;
}

std::int64_t linear_index(const std::vector<std::int64_t>& index,
                          const std::vector<std::int64_t>& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
}

}  // namespace autoshard::internal
