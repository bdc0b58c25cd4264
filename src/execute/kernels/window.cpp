// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// Operators that read or write a window of a tensor: slice, dynamic_slice, dynamic_update_slice,
// pad and concatenate. A device must hold the rows that its piece of the result is made from.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

using Ints = std::vector<std::int64_t>;

/// For each dimension, result row r is row start + r * step of the operand.
struct Window {
  Ints start;
  Ints step;
};

Result<Values> read_window(const PieceCall& call, const Window& window) {
  const Box& box = call.result_box();
  const Box& held = call.operand(0).box;
  const Ints strides = row_major_strides(extents(held));
  Strided from;
  for (std::size_t d = 0; d < box.size(); ++d) {
    const std::int64_t first = window.start[d] + box[d].begin * window.step[d];
    const std::int64_t last = window.start[d] + (box[d].end - 1) * window.step[d];
    AUTOSHARD_CHECK_OK(require_held(call, 0, d, box[d].empty() ? Range{} : Range{first, last + 1}));
    from.offset += (first - held[d].begin) * strides[d];
    from.strides.push_back(window.step[d] * strides[d]);
  }
  Value result = filled(box, 0.0);
  if (!result.data.empty()) {
    const Ints sizes = extents(box);
    copy_strided(sizes, call.operand(0).data.data(), from, result.data.data(),
                 {0, row_major_strides(sizes)});
  }
  return Values{std::move(result)};
}

Result<Values> slice(const PieceCall& call) {
  Ints strides = call.ints("strides");
  if (strides.empty()) strides.assign(call.result_box().size(), 1);
  return read_window(call, {call.ints("start_indices"), strides});
}

/// The scalar operands from `first` on, clamped so that a window of `sizes` fits into operand 0.
Result<Ints> clamped_start(const PieceCall& call, std::size_t first, const Ints& sizes) {
  Ints start;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    AUTOSHARD_TRY(const double index, scalar(call, first + d));
    const std::int64_t room = call.operand_type(0).shape[d] - sizes[d];
    start.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(index), 0, room));
  }
  return start;
}

Result<Values> dynamic_slice(const PieceCall& call) {
  AUTOSHARD_TRY(Ints start, clamped_start(call, 1, call.result_type().shape));
  return read_window(call, {std::move(start), Ints(call.result_box().size(), 1)});
}

Result<Values> dynamic_update_slice(const PieceCall& call) {
  AUTOSHARD_TRY(const Ints start, clamped_start(call, 2, call.operand_type(1).shape));
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  Value update = call.operand(1);
  for (std::size_t d = 0; d < start.size(); ++d) {
    const Range window = {start[d], start[d] + call.operand_type(1).shape[d]};
    const Range written = intersection(window, call.result_box()[d]);
    AUTOSHARD_CHECK_OK(
        require_held(call, 1, d, {written.begin - start[d], written.end - start[d]}));
    update.box[d].begin += start[d];
    update.box[d].end += start[d];
  }
  Value result = call.operand(0);
  paste(update, result);
  return Values{std::move(result)};
}

/// Which rows of the operand land in `box`: row r lands at low + r * step.
Range landing_rows(const Range& box, std::int64_t low, std::int64_t step, std::int64_t size) {
  const auto first_at_least = [&](std::int64_t position) {
    const std::int64_t distance = position - low;
    return distance <= 0 ? 0 : std::min((distance + step - 1) / step, size);
  };
  const std::int64_t begin = first_at_least(box.begin);
  return {begin, std::max(begin, first_at_least(box.end))};
}

Result<Values> pad(const PieceCall& call) {
  const Ints& low = call.ints("edge_padding_low");
  const Ints& interior = call.ints("interior_padding");
  AUTOSHARD_TRY(const double padding, scalar(call, 1));
  Value result = filled(call.result_box(), padding);
  Box rows(result.box.size());
  Strided to{0, row_major_strides(extents(result.box))};
  for (std::size_t d = 0; d < rows.size(); ++d) {
    const std::int64_t step = 1 + (interior.empty() ? 0 : interior[d]);
    rows[d] = landing_rows(result.box[d], low[d], step, call.operand_type(0).shape[d]);
    AUTOSHARD_CHECK_OK(require_held(call, 0, d, rows[d]));
    to.offset += (low[d] + rows[d].begin * step - result.box[d].begin) * to.strides[d];
    to.strides[d] *= step;
  }
  if (volume(rows) > 0) {
    copy_strided(extents(rows), call.operand(0).data.data(), part(call.operand(0), rows),
                 result.data.data(), to);
  }
  return Values{std::move(result)};
}

Result<Values> concatenate(const PieceCall& call) {
  const auto dim = static_cast<std::size_t>(call.op().integer("dimension").value_or(0));
  Value result = filled(call.result_box(), 0.0);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const std::int64_t size = call.operand_type(i).shape[dim];
    Box needed = result.box;
    needed[dim] = intersection(needed[dim], {offset, offset + size});
    needed[dim] = {needed[dim].begin - offset, needed[dim].end - offset};
    if (!contains(call.operand(i).box, needed)) {
      return invalid("operand {} is the piece {}, but {} is needed", i,
                     to_string(call.operand(i).box), to_string(needed));
    }
    Value moved = volume(needed) > 0 ? cut(call.operand(i), needed) : filled(needed, 0.0);
    moved.box[dim] = {moved.box[dim].begin + offset, moved.box[dim].end + offset};
    paste(moved, result);
    offset += size;
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {
    {"slice", slice},
    {"dynamic_slice", dynamic_slice},
    {"dynamic_update_slice", dynamic_update_slice},
    {"pad", pad},
    {"concatenate", concatenate},
};

}  // namespace

std::span<const NamedKernel> window_kernels() { return kKernels; }

}  // namespace autoshard::internal
