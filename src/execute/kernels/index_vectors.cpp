// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/kernels/index_vectors.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"

namespace autoshard::internal {
namespace {

bool in(const std::vector<std::int64_t>& dims, std::size_t d) {
  return std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
}

}  // namespace

IndexAttributes gather_attributes(const PieceCall& call) {
  return {call.ints("offset_dims"),           call.ints("collapsed_slice_dims"),
          call.ints("operand_batching_dims"), call.ints("start_indices_batching_dims"),
          call.ints("start_index_map"),       call.op().integer("index_vector_dim").value_or(0)};
}

IndexAttributes scatter_attributes(const PieceCall& call) {
  return {
      call.ints("update_window_dims"),           call.ints("inserted_window_dims"),
      call.ints("input_batching_dims"),          call.ints("scatter_indices_batching_dims"),
      call.ints("scatter_dims_to_operand_dims"), call.op().integer("index_vector_dim").value_or(0)};
}

IndexVectors::IndexVectors(const PieceCall& call, const IndexAttributes& attributes,
                           std::size_t rank)
    : attributes_(attributes),
      indices_(call.operand(1)),
      indices_strides_(row_major_strides(extents(call.operand(1).box))),
      operand_rank_(call.operand(0).box.size()) {
  for (std::size_t d = 0; d < rank; ++d) {
    if (!in(attributes.window_dims, d)) batch_dims_.push_back(d);
  }
  for (std::size_t d = 0; d < operand_rank_; ++d) {
    const bool dropped = in(attributes.dropped_dims, d) || in(attributes.operand_batch_dims, d);
    if (!dropped) window_operand_dims_.push_back(d);
  }
}

Result<IndexVectors> IndexVectors::create(const PieceCall& call, const IndexAttributes& attributes,
                                          const Box& windows) {
  IndexVectors vectors(call, attributes, windows.size());
  AUTOSHARD_CHECK_OK(vectors.check_indices(call, windows));
  return vectors;
}

std::size_t IndexVectors::indices_dim(std::size_t n) const {
  return n < static_cast<std::size_t>(attributes_.index_vector_dim) ? n : n + 1;
}

Result<void> IndexVectors::check_indices(const PieceCall& call, const Box& windows) const {
  for (std::size_t n = 0; n < batch_dims_.size(); ++n) {
    AUTOSHARD_CHECK_OK(require_rows(call, 1, indices_dim(n), windows[batch_dims_[n]]));
  }
  const auto vector_dim = static_cast<std::size_t>(attributes_.index_vector_dim);
  if (vector_dim >= indices_.box.size()) return {};
  return require_rows(call, 1, vector_dim, {0, call.operand_type(1).shape[vector_dim]});
}

std::vector<std::int64_t> IndexVectors::start(const std::vector<std::int64_t>& index) const {
  std::vector<std::int64_t> start(operand_rank_, 0);
  std::int64_t position = 0;
  for (std::size_t n = 0; n < batch_dims_.size(); ++n) {
    const std::size_t d = indices_dim(n);
    position += (index[batch_dims_[n]] - indices_.box[d].begin) * indices_strides_[d];
  }
  const auto vector_dim = static_cast<std::size_t>(attributes_.index_vector_dim);
  const std::int64_t step = vector_dim < indices_strides_.size() ? indices_strides_[vector_dim] : 0;
  for (std::size_t i = 0; i < attributes_.start_index_map.size(); ++i) {
    const double named =
        indices_.data[static_cast<std::size_t>(position + static_cast<std::int64_t>(i) * step)];
    start[static_cast<std::size_t>(attributes_.start_index_map[i])] =
        static_cast<std::int64_t>(named);
  }
  for (std::size_t i = 0; i < attributes_.operand_batch_dims.size(); ++i) {
    const std::int64_t d = attributes_.indices_batch_dims[i];
    const std::int64_t n = d < attributes_.index_vector_dim ? d : d - 1;
    start[static_cast<std::size_t>(attributes_.operand_batch_dims[i])] =
        index[batch_dims_[static_cast<std::size_t>(n)]];
  }
  return start;
}

std::vector<std::int64_t> IndexVectors::offset(const std::vector<std::int64_t>& index) const {
  std::vector<std::int64_t> offset(operand_rank_, 0);
  for (std::size_t n = 0; n < attributes_.window_dims.size(); ++n) {
    offset[window_operand_dims_[n]] = index[static_cast<std::size_t>(attributes_.window_dims[n])];
  }
  return offset;
}

}  // namespace autoshard::internal
