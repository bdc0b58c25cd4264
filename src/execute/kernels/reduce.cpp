// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// reduce: any number of inputs, each with its initial value, all with one named reducer. When a
// reduced dimension is split, the result is a partial value, and the initial value is counted on
// one device only.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

/// The input's dimensions that stay, and what an index of each adds to the position in the result.
struct Folding {
  std::vector<std::size_t> kept;
  std::vector<std::int64_t> result_strides;  ///< by input dimension; 0 for reduced ones
};

Folding folding_of(const PieceCall& call, std::size_t input, const Box& result_box) {
  const std::vector<std::int64_t>& reduced = call.ints("dimensions");
  Folding folding;
  folding.result_strides.assign(call.operand(input).box.size(), 0);
  for (std::size_t d = 0; d < folding.result_strides.size(); ++d) {
    const bool stays =
        std::find(reduced.begin(), reduced.end(), static_cast<std::int64_t>(d)) == reduced.end();
    if (stays) folding.kept.push_back(d);
  }
  const std::vector<std::int64_t> strides = row_major_strides(extents(result_box));
  for (std::size_t n = 0; n < folding.kept.size(); ++n) {
    folding.result_strides[folding.kept[n]] = strides[n];
  }
  return folding;
}

Result<Value> reduce_one(const PieceCall& call, std::size_t input, ReductionKind kind) {
  const std::size_t inputs = call.operands.size() / 2;
  const Box& box = call.result_boxes[input];
  const Folding folding = folding_of(call, input, box);
  for (std::size_t n = 0; n < folding.kept.size(); ++n) {
    AUTOSHARD_CHECK_OK(require_rows(call, input, folding.kept[n], box[n]));
  }
  AUTOSHARD_TRY(const double initial, scalar(call, inputs + input));
  const DType dtype = call.signature.result_types[input].dtype;
  Value result = filled(box, call.is_withheld(inputs + input) ? identity(kind, dtype) : initial);
  const double* read = call.operand(input).data.data();
  for (IndexWalk walk(extents(call.operand(input).box)); !walk.done(); walk.next(), ++read) {
    double& target =
        result.data[static_cast<std::size_t>(linear_index(walk.index(), folding.result_strides))];
    target = combine(kind, dtype, target, *read);
  }
  return result;
}

Result<Values> reduce(const PieceCall& call) {
  return reduce_inputs(call, reduce_one);
}

constexpr NamedKernel kKernels[] = {{"reduce", reduce}};

}  // namespace

std::span<const NamedKernel> reduce_kernels() { return kKernels; }

}  // namespace autoshard::internal
