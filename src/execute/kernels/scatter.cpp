// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// scatter. Updates that fall outside of the tensor, or outside of the device's piece of it, are
// dropped. When the updates are split along their batch dimensions the result is a partial value,
// and the input is counted on one device only.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"
#include "execute/kernels/index_vectors.hpp"

namespace autoshard::internal {
namespace {

/// The element of `piece` at a global index; null where the piece does not reach.
double* find_element(Value& piece, const std::vector<std::int64_t>& index,
                     const std::vector<std::int64_t>& strides) {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (!piece.box[d].holds(index[d])) return nullptr;
    position += (index[d] - piece.box[d].begin) * strides[d];
  }
  return &piece.data[static_cast<std::size_t>(position)];
}

/// How an update changes an element; no kind means that it replaces it.
struct Update {
  std::optional<ReductionKind> kind;
  DType dtype;
  void apply(double& target, double update) const {
    target = kind ? combine(*kind, dtype, target, update) : update;
  }
};

Result<Update> update_of(const PieceCall& call) {
  const std::string* text = call.op().text("reducer");
  const DType dtype = call.result_type().dtype;
  if (text && *text == "assign") return Update{std::nullopt, dtype};
  AUTOSHARD_TRY(const ReductionKind kind, reducer(call));
  return Update{kind, dtype};
}

Value initial_value(const PieceCall& call, const Update& update) {
  if (!call.is_withheld(0)) return call.operand(0);
  const double nothing = update.kind ? identity(*update.kind, update.dtype) : 0.0;
  return filled(call.result_box(), nothing);
}

Result<Values> scatter(const PieceCall& call) {
  AUTOSHARD_TRY(const Update update, update_of(call));
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  const Value& updates = call.operand(2);
  const IndexAttributes attributes = scatter_attributes(call);
  AUTOSHARD_TRY(const IndexVectors vectors, IndexVectors::create(call, attributes, updates.box));
  Value result = initial_value(call, update);
  const std::vector<std::int64_t> strides = row_major_strides(extents(result.box));
  const double* read = updates.data.data();
  std::vector<std::int64_t> index(updates.box.size());
  for (IndexWalk walk(extents(updates.box)); !walk.done(); walk.next(), ++read) {
    for (std::size_t d = 0; d < index.size(); ++d) {
      index[d] = updates.box[d].begin + walk.index()[d];
    }
    std::vector<std::int64_t> place = vectors.start(index);
    const std::vector<std::int64_t> offset = vectors.offset(index);
    for (std::size_t d = 0; d < place.size(); ++d) place[d] += offset[d];
    if (double* target = find_element(result, place, strides)) update.apply(*target, *read);
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {{"scatter", scatter}};

}  // namespace

std::span<const NamedKernel> scatter_kernels() { return kKernels; }

}  // namespace autoshard::internal
