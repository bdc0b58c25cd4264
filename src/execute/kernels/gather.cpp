// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// gather. What an index names outside of the device's piece of the operand is 0 there, so that
// the pieces of a split operand give partial sums.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/kernels/families.hpp"
#include "execute/kernels/index_vectors.hpp"

namespace autoshard::internal {
namespace {

/// The element of `piece` at a global index; 0 where the piece does not reach.
double element_or_zero(const Value& piece, const std::vector<std::int64_t>& index,
                       const std::vector<std::int64_t>& strides) {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (!piece.box[d].holds(index[d])) return 0;
    position += (index[d] - piece.box[d].begin) * strides[d];
  }
  return piece.data[static_cast<std::size_t>(position)];
}

/// start + offset, with the start clamped so that the whole window is inside the operand. The
/// position along a batching dimension is in range as it is.
void place_window(std::vector<std::int64_t>& start, const std::vector<std::int64_t>& offset,
                  const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& sizes) {
  for (std::size_t d = 0; d < start.size(); ++d) {
    start[d] = std::clamp<std::int64_t>(start[d], 0, shape[d] - sizes[d]) + offset[d];
  }
}

Result<Values> gather(const PieceCall& call) {
  const IndexAttributes attributes = gather_attributes(call);
  AUTOSHARD_TRY(const IndexVectors vectors,
                IndexVectors::create(call, attributes, call.result_box()));
  const std::vector<std::int64_t>& sizes = call.ints("slice_sizes");
  const std::vector<std::int64_t> strides = row_major_strides(extents(call.operand(0).box));
  Value result = filled(call.result_box(), 0.0);
  double* write = result.data.data();
  std::vector<std::int64_t> index(result.box.size());
  for (IndexWalk walk(extents(result.box)); !walk.done(); walk.next()) {
    for (std::size_t d = 0; d < index.size(); ++d) {
      index[d] = result.box[d].begin + walk.index()[d];
    }
    std::vector<std::int64_t> place = vectors.start(index);
    place_window(place, vectors.offset(index), call.operand_type(0).shape, sizes);
    *write++ = element_or_zero(call.operand(0), place, strides);
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {{"gather", gather}};

}  // namespace

std::span<const NamedKernel> gather_kernels() { return kKernels; }

}  // namespace autoshard::internal
