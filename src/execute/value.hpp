// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The values that the interpreter computes with: a box of a tensor, row-major, in f64. The value
// of a whole tensor is the box that covers it, so dense and sharded runs share every operator.
//
// Integers and predicates are kept in f64 too, which is exact up to 2^53; 64-bit integers beyond
// that are rounded. Floating types of any width are computed in f64 without rounding.
#pragma once

#include <cstdint>
#include <vector>

#include "execute/box.hpp"

namespace autoshard::internal {

struct Value {
  Box box;
  std::vector<double> data;  ///< volume(box) elements
};

Value filled(Box box, double element);
Value scalar_value(double element);
/// The part of `value` inside `box`, which must be contained in `value.box`.
Value cut(const Value& value, const Box& box);
/// Copies into `target` what `source` holds of it.
void paste(const Value& source, Value& target);

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& sizes);

/// Where the elements of a walk lie in a buffer: at offset + sum of index times stride.
struct Strided {
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;
};
/// The elements of `box`, contained in `value.box`, as they lie in `value.data`.
Strided part(const Value& value, const Box& box);

/// For every index below `sizes`: target[to] = source[from].
void copy_strided(const std::vector<std::int64_t>& sizes, const double* source, const Strided& from,
                  double* target, const Strided& to);

/// Steps through all indices below `sizes` in row-major order:
/// `for (IndexWalk walk(sizes); !walk.done(); walk.next()) use(walk.index())`.
class IndexWalk {
 public:
  explicit IndexWalk(std::vector<std::int64_t> sizes);
  bool done() const { return done_; }
  void next();
  const std::vector<std::int64_t>& index() const { return index_; }

 private:
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> index_;
  bool done_;
};

/// Position in the row-major order of the whole tensor, or of a box of it.
std::int64_t linear_index(const std::vector<std::int64_t>& index,
                          const std::vector<std::int64_t>& strides);

}  // namespace autoshard::internal
