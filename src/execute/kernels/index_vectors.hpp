// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What gather and scatter share: for a batch index, the position in the operand that the index
// tensor names, by the names and formulas of the StableHLO specification.
#pragma once

#include "execute/piece_call.hpp"

namespace autoshard::internal {

/// The attributes of gather, or those of scatter under gather's names.
struct IndexAttributes {
  std::vector<std::int64_t> window_dims;   ///< offset_dims, update_window_dims
  std::vector<std::int64_t> dropped_dims;  ///< collapsed_slice_dims, inserted_window_dims
  std::vector<std::int64_t> operand_batch_dims;
  std::vector<std::int64_t> indices_batch_dims;
  std::vector<std::int64_t> start_index_map;
  std::int64_t index_vector_dim = 0;
};

IndexAttributes gather_attributes(const PieceCall& call);
IndexAttributes scatter_attributes(const PieceCall& call);

/// Splits a full index of the gathered result, or of the updates, into where its window starts
/// and where in the window it is. All indices are global.
class IndexVectors {
 public:
  /// Operand 1 of the call are the indices; `windows` is the box of the gathered result or of the
  /// updates. Errors: the device lacks indices that belong to its windows.
  static Result<IndexVectors> create(const PieceCall& call, const IndexAttributes& attributes,
                                     const Box& windows);

  /// Start of the window along each operand dimension, as the indices say it, not clamped, plus
  /// the position along batching dimensions.
  std::vector<std::int64_t> start(const std::vector<std::int64_t>& index) const;
  /// Position inside the window along each operand dimension.
  std::vector<std::int64_t> offset(const std::vector<std::int64_t>& index) const;

 private:
  IndexVectors(const PieceCall& call, const IndexAttributes& attributes, std::size_t rank);
  Result<void> check_indices(const PieceCall& call, const Box& windows) const;
  /// Index tensor's dimension that the n-th batch dimension walks.
  std::size_t indices_dim(std::size_t n) const;

  const IndexAttributes& attributes_;
  const Value& indices_;
  std::vector<std::int64_t> indices_strides_;
  std::vector<std::size_t> batch_dims_;           ///< of the result or the updates
  std::vector<std::size_t> window_operand_dims_;  ///< operand dimension of each window dimension
  std::size_t operand_rank_;
};

}  // namespace autoshard::internal
