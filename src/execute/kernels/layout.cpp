// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// broadcast_in_dim, transpose, reshape and reverse: every element of the result is one element of
// the operand, found by its global index.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

/// The result whose elements are read from operand 0 as `from` says.
Values read_operand(const PieceCall& call, const Strided& from) {
  Value result = filled(call.result_box(), 0.0);
  if (!result.data.empty()) {
    const std::vector<std::int64_t> sizes = extents(result.box);
    copy_strided(sizes, call.operand(0).data.data(), from, result.data.data(),
                 {0, row_major_strides(sizes)});
  }
  Values results;
  results.push_back(std::move(result));
  return results;
}

Result<Values> broadcast_in_dim(const PieceCall& call) {
  const std::vector<std::int64_t>& dims = call.ints("broadcast_dimensions");
  const std::vector<std::int64_t> strides = row_major_strides(extents(call.operand(0).box));
  Strided from{0, std::vector<std::int64_t>(call.result_box().size(), 0)};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const auto target = static_cast<std::size_t>(dims[d]);
    const bool stretched =
        call.operand_type(0).shape[d] == 1 && call.result_type().shape[target] != 1;
    AUTOSHARD_CHECK_OK(
        require_rows(call, 0, d, stretched ? Range{0, 1} : call.result_box()[target]));
    if (!stretched) from.strides[target] = strides[d];
  }
  return read_operand(call, from);
}

Result<Values> transpose(const PieceCall& call) {
  const std::vector<std::int64_t>& permutation = call.ints("permutation");
  const std::vector<std::int64_t> strides = row_major_strides(extents(call.operand(0).box));
  Strided from;
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    const auto source = static_cast<std::size_t>(permutation[d]);
    AUTOSHARD_CHECK_OK(require_rows(call, 0, source, call.result_box()[d]));
    from.strides.push_back(strides[source]);
  }
  return read_operand(call, from);
}

Result<Values> reverse(const PieceCall& call) {
  Strided from{0, row_major_strides(extents(call.operand(0).box))};
  for (const std::int64_t dim : call.ints("dimensions")) {
    const auto d = static_cast<std::size_t>(dim);
    const Range& rows = call.result_box()[d];
    const std::int64_t size = call.result_type().shape[d];
    AUTOSHARD_CHECK_OK(require_rows(call, 0, d, {size - rows.end, size - rows.begin}));
    from.offset += (rows.size() - 1) * from.strides[d];
    from.strides[d] = -from.strides[d];
  }
  for (std::size_t d = 0; d < from.strides.size(); ++d) {
    if (from.strides[d] >= 0) AUTOSHARD_CHECK_OK(require_rows(call, 0, d, call.result_box()[d]));
  }
  return read_operand(call, from);
}

/// Walks the elements of a box and tells where each lies in the whole tensor.
class PositionWalk {
 public:
  PositionWalk(const Box& box, const std::vector<std::int64_t>& shape)
      : walk_(extents(box)), strides_(row_major_strides(shape)) {
    for (std::size_t d = 0; d < box.size(); ++d) first_ += box[d].begin * strides_[d];
  }
  bool done() const { return walk_.done(); }
  void next() { walk_.next(); }
  std::int64_t position() const { return first_ + linear_index(walk_.index(), strides_); }

 private:
  IndexWalk walk_;
  std::vector<std::int64_t> strides_;
  std::int64_t first_ = 0;
};

/// Both pieces are the same elements in the same order, so that reshaping the piece is reshaping
/// the tensor. Compared element by element: this knows nothing of how dimensions factor.
bool same_elements(const PieceCall& call) {
  PositionWalk from(call.operand(0).box, call.operand_type(0).shape);
  PositionWalk to(call.result_box(), call.result_type().shape);
  for (; !from.done() && !to.done(); from.next(), to.next()) {
    if (from.position() != to.position()) return false;
  }
  return from.done() && to.done();
}

Result<Values> reshape(const PieceCall& call) {
  const bool whole = same(call.operand(0).box, whole_box(call.operand_type(0).shape)) &&
                     same(call.result_box(), whole_box(call.result_type().shape));
  if (!whole && !same_elements(call)) {
    return invalid("the piece {} of the result is not the piece {} of operand 0",
                   to_string(call.result_box()), to_string(call.operand(0).box));
  }
  return Values{Value{call.result_box(), call.operand(0).data}};
}

constexpr NamedKernel kKernels[] = {
    {"broadcast_in_dim", broadcast_in_dim},
    {"transpose", transpose},
    {"reshape", reshape},
    {"reverse", reverse},
};

}  // namespace

std::span<const NamedKernel> layout_kernels() { return kKernels; }

}  // namespace autoshard::internal
