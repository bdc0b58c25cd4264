// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_shape_parser.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace autoshard::internal {
namespace {

/// Real modules nest tuples two or three deep; this only bounds the recursion.
constexpr int kMaximumTupleDepth = 64;

bool is_default_layout(const std::vector<std::int64_t>& minor_to_major) {
  for (std::size_t i = 0; i < minor_to_major.size(); ++i) {
    if (minor_to_major[i] != static_cast<std::int64_t>(minor_to_major.size() - 1 - i)) return false;
  }
  return true;
}

bool is_permutation(const std::vector<std::int64_t>& order, std::size_t rank) {
  std::vector<bool> seen(rank);
  for (const std::int64_t dimension : order) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(rank)) return false;
    if (seen[static_cast<std::size_t>(dimension)]) return false;
    seen[static_cast<std::size_t>(dimension)] = true;
  }
  return order.size() == rank;
}

class ShapeParser {
 public:
  explicit ShapeParser(HloCursor& cursor) : cursor_(cursor) {}

  HloShape shape(int depth) { return cursor_.peek() == '(' ? tuple(depth) : array(); }

 private:
  HloShape tuple(int depth) {
    HloShape result;
    result.is_tuple = true;
    result.element_offsets.push_back(0);
    if (depth >= kMaximumTupleDepth) {
      cursor_.fail(fmt::format("tuples are nested deeper than {}", kMaximumTupleDepth));
      return result;
    }
    cursor_.expect('(');
    if (cursor_.accept(')')) return result;
    do {
      HloShape element = shape(depth + 1);
      for (TensorType& leaf : element.leaves) result.leaves.push_back(std::move(leaf));
      result.element_offsets.push_back(static_cast<std::int32_t>(result.leaves.size()));
    } while (cursor_.accept(','));
    cursor_.expect(')');
    return result;
  }

  HloShape array() {
    HloShape result;
    const std::string_view word = cursor_.identifier();
    const std::optional<DType> dtype = parse_dtype(word);
    if (!dtype) cursor_.fail(fmt::format("unknown element type '{}'", word));
    if (cursor_.failed()) return result;
    result.leaves.push_back({*dtype, dimensions(*dtype)});
    if (cursor_.peek_raw() == '{') layout(result);
    return result;
  }

  std::vector<std::int64_t> dimensions(DType dtype) {
    std::vector<std::int64_t> sizes;
    cursor_.expect('[');
    if (cursor_.accept(']')) return sizes;
    do {
      if (cursor_.accept('<')) cursor_.expect('=');
      sizes.push_back(cursor_.integer());
      if (sizes.back() < 0) cursor_.fail(fmt::format("negative size {}", sizes.back()));
    } while (cursor_.accept(','));
    cursor_.expect(']');
    check_size(dtype, sizes);
    return sizes;
  }

  /// So that no product of sizes further on can overflow.
  void check_size(DType dtype, const std::vector<std::int64_t>& sizes) {
    std::int64_t room = std::numeric_limits<std::int64_t>::max() / (bits(dtype) + 1);
    for (const std::int64_t size : sizes) {
      if (size > room) return cursor_.fail("array is too large");
      if (size > 0) room /= size;
    }
  }

  void layout(HloShape& shape) {
    HloCursor inner(cursor_.bracketed());
    std::vector<std::int64_t> order;
    while (!inner.failed() && inner.peek() >= '0' && inner.peek() <= '9') {
      order.push_back(inner.integer());
      if (!inner.accept(',')) break;
    }
    if (order.empty() || is_default_layout(order)) return;
    if (!is_permutation(order, shape.leaves.front().shape.size())) {
      return cursor_.fail("layout is not an order of the dimensions");
    }
    shape.minor_to_major = std::move(order);
  }

  HloCursor& cursor_;
};

}  // namespace

HloShape parse_hlo_shape(HloCursor& cursor) { return ShapeParser(cursor).shape(0); }

}  // namespace autoshard::internal
