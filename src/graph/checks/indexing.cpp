// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

/// What gather and scatter share: windows of the operand, one for each position that the indices
/// list. Gather calls the dimensions offset and collapsed, scatter window and inserted.
struct Windows {
  std::string_view window_name;    ///< dimensions of the windowed tensor that are the window's
  std::string_view inserted_name;  ///< dimensions of the operand that the window lacks
  std::string_view operand_batching_name;
  std::string_view indices_batching_name;
  std::string_view index_map_name;
  Ints window, inserted, operand_batching, indices_batching, index_map;
  std::int64_t index_vector_dim = 0;
};

Windows gather_names() {
  return {"offset_dims",
          "collapsed_slice_dims",
          "operand_batching_dims",
          "start_indices_batching_dims",
          "start_index_map",
          {},
          {},
          {},
          {},
          {}};
}

Windows scatter_names() {
  return {"update_window_dims",
          "inserted_window_dims",
          "input_batching_dims",
          "scatter_indices_batching_dims",
          "scatter_dims_to_operand_dims",
          {},
          {},
          {},
          {},
          {}};
}

Result<Windows> read_windows(const OperatorCall& call, Windows windows) {
  AUTOSHARD_TRY(windows.window, ints_or_empty(call, windows.window_name));
  AUTOSHARD_TRY(windows.inserted, ints_or_empty(call, windows.inserted_name));
  AUTOSHARD_TRY(windows.operand_batching, ints_or_empty(call, windows.operand_batching_name));
  AUTOSHARD_TRY(windows.indices_batching, ints_or_empty(call, windows.indices_batching_name));
  AUTOSHARD_TRY(windows.index_map, ints_or_empty(call, windows.index_map_name));
  AUTOSHARD_TRY(windows.index_vector_dim, required_integer(call, "index_vector_dim"));
  return windows;
}

Result<void> check_index_vector(const OperatorCall& call, const Windows& windows) {
  const TensorType& indices = call.operands[1];
  AUTOSHARD_CHECK_OK(check_integer(call, 1));
  const std::int64_t dim = windows.index_vector_dim;
  if (dim < 0 || dim > indices.rank()) {
    return invalid("attribute 'index_vector_dim': {} is out of range for rank {}", dim,
                   indices.rank());
  }
  // One past the last dimension stands for an index vector of length one.
  const bool implicit = dim == indices.rank();
  const std::int64_t length = implicit ? 1 : indices.shape[static_cast<std::size_t>(dim)];
  return check_length(windows.index_map_name, windows.index_map, static_cast<std::size_t>(length));
}

Result<void> check_operand_dims(const OperatorCall& call, const Windows& windows) {
  const std::int64_t rank = call.operands[0].rank();
  AUTOSHARD_CHECK_OK(check_dims(windows.inserted_name, windows.inserted, rank));
  AUTOSHARD_CHECK_OK(check_dims(windows.operand_batching_name, windows.operand_batching, rank));
  AUTOSHARD_CHECK_OK(check_dims(windows.index_map_name, windows.index_map, rank));
  for (const std::int64_t dim : windows.operand_batching) {
    if (contains(windows.inserted, dim)) {
      return invalid("attribute '{}': dimension {} is also in '{}'", windows.operand_batching_name,
                     dim, windows.inserted_name);
    }
    if (contains(windows.index_map, dim)) {
      return invalid("attribute '{}': dimension {} is also in '{}'", windows.operand_batching_name,
                     dim, windows.index_map_name);
    }
  }
  return {};
}

Result<void> check_batching(const OperatorCall& call, const Windows& windows) {
  const TensorType& operand = call.operands[0];
  const TensorType& indices = call.operands[1];
  const Ints dims = windows.indices_batching;
  AUTOSHARD_CHECK_OK(check_dims(windows.indices_batching_name, dims, indices.rank()));
  AUTOSHARD_CHECK_OK(
      check_length(windows.indices_batching_name, dims, windows.operand_batching.size()));
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == windows.index_vector_dim) {
      return invalid("attribute '{}' names the index vector's dimension {}",
                     windows.indices_batching_name, dims[i]);
    }
    const std::int64_t size = indices.shape[static_cast<std::size_t>(dims[i])];
    const auto batched = static_cast<std::size_t>(windows.operand_batching[i]);
    if (size == operand.shape[batched]) continue;
    return invalid("operand 1: batching dimension {} has size {}, expected {}", dims[i], size,
                   operand.shape[batched]);
  }
  return {};
}

/// All that does not depend on the size of the windows.
Result<void> check_windows(const OperatorCall& call, const Windows& windows) {
  AUTOSHARD_CHECK_OK(check_index_vector(call, windows));
  AUTOSHARD_CHECK_OK(check_operand_dims(call, windows));
  AUTOSHARD_CHECK_OK(check_batching(call, windows));
  AUTOSHARD_CHECK_OK(check_increasing(windows.window_name, windows.window));
  const std::size_t absent = windows.inserted.size() + windows.operand_batching.size();
  const std::size_t rank = call.operands[0].shape.size();
  return check_length(windows.window_name, windows.window, rank > absent ? rank - absent : 0);
}

bool in_window(const Windows& windows, std::size_t operand_dim) {
  const auto dim = static_cast<std::int64_t>(operand_dim);
  return !contains(windows.inserted, dim) && !contains(windows.operand_batching, dim);
}

/// The sizes of the dimensions that count windows: the indices without their vector.
std::vector<std::int64_t> window_counts(const OperatorCall& call, const Windows& windows) {
  std::vector<std::int64_t> sizes = call.operands[1].shape;
  if (windows.index_vector_dim < static_cast<std::int64_t>(sizes.size())) {
    sizes.erase(sizes.begin() + windows.index_vector_dim);
  }
  return sizes;
}

/// Lays window sizes into the dimensions `windows.window`, counts into the others, both in order.
std::vector<std::int64_t> interleave(const Windows& windows, Ints counts, Ints sizes) {
  std::vector<std::int64_t> shape;
  std::size_t count = 0;
  std::size_t size = 0;
  for (std::size_t dim = 0; dim < counts.size() + sizes.size(); ++dim) {
    const bool of_window = contains(windows.window, static_cast<std::int64_t>(dim));
    shape.push_back(of_window ? sizes[size++] : counts[count++]);
  }
  return shape;
}

Result<std::vector<std::int64_t>> gathered_window(const OperatorCall& call,
                                                  const Windows& windows) {
  AUTOSHARD_TRY(const Ints slices, ints_or_empty(call, "slice_sizes"));
  const TensorType& operand = call.operands[0];
  AUTOSHARD_CHECK_OK(check_length("slice_sizes", slices, operand.shape.size()));
  std::vector<std::int64_t> sizes;
  for (std::size_t dim = 0; dim < slices.size(); ++dim) {
    const bool kept = in_window(windows, dim);
    const std::int64_t most =
        kept ? operand.shape[dim] : std::min<std::int64_t>(operand.shape[dim], 1);
    if (slices[dim] < 0 || slices[dim] > most) {
      return invalid("attribute 'slice_sizes': {} in dimension {}, expected at most {}",
                     slices[dim], dim, most);
    }
    if (kept) sizes.push_back(slices[dim]);
  }
  return sizes;
}

/// The updates' own window dimensions, each no larger than the operand's dimension.
Result<std::vector<std::int64_t>> scattered_window(const OperatorCall& call,
                                                   const Windows& windows) {
  const TensorType& operand = call.operands[0];
  const TensorType& updates = call.operands[2];
  std::vector<std::int64_t> sizes;
  for (std::size_t dim = 0; dim < operand.shape.size(); ++dim) {
    if (!in_window(windows, dim)) continue;
    const std::int64_t from = windows.window[sizes.size()];
    const std::int64_t size = updates.shape[static_cast<std::size_t>(from)];
    if (size > operand.shape[dim]) {
      return invalid("operand 2: window dimension {} has size {}, expected at most {}", from, size,
                     operand.shape[dim]);
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace

Result<Types> infer_gather(const OperatorCall& call) {
  AUTOSHARD_TRY(const Windows windows, read_windows(call, gather_names()));
  AUTOSHARD_CHECK_OK(check_windows(call, windows));
  const auto counts = window_counts(call, windows);
  AUTOSHARD_TRY(const auto sizes, gathered_window(call, windows));
  const auto rank = static_cast<std::int64_t>(counts.size() + sizes.size());
  AUTOSHARD_CHECK_OK(check_dims(windows.window_name, windows.window, rank));
  return Types{{call.operands[0].dtype, interleave(windows, counts, sizes)}};
}

Result<Types> infer_scatter(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(required_reducer(call, {"assign", "custom"}));
  AUTOSHARD_TRY(const Windows windows, read_windows(call, scatter_names()));
  AUTOSHARD_CHECK_OK(check_windows(call, windows));
  const auto counts = window_counts(call, windows);
  const std::size_t rank = counts.size() + windows.window.size();
  AUTOSHARD_CHECK_OK(check_rank(call, 2, static_cast<std::int64_t>(rank)));
  AUTOSHARD_CHECK_OK(
      check_dims(windows.window_name, windows.window, static_cast<std::int64_t>(rank)));
  AUTOSHARD_TRY(const auto sizes, scattered_window(call, windows));
  const TensorType updates{call.operands[0].dtype, interleave(windows, counts, sizes)};
  AUTOSHARD_CHECK_OK(check_operand(call, 2, updates));
  return Types{call.operands[0]};
}

}  // namespace autoshard::internal
