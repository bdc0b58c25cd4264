// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_bitcast.hpp"

#include <string>
#include <utility>

namespace autoshard::internal {
namespace {

using Dimensions = std::vector<std::int64_t>;

/// The dimensions in the order of memory, slowest first.
Dimensions memory_order(const HloShape& shape) {
  const Dimensions& order = shape.minor_to_major;
  if (!order.empty()) return Dimensions(order.rbegin(), order.rend());
  Dimensions result;
  for (std::int64_t i = 0; i < shape.leaves[0].rank(); ++i) result.push_back(i);
  return result;
}

Dimensions inverse(const Dimensions& permutation) {
  Dimensions result(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    result[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
  }
  return result;
}

Dimensions permuted(const Dimensions& sizes, const Dimensions& permutation) {
  Dimensions result;
  for (const std::int64_t from : permutation)
    result.push_back(sizes[static_cast<std::size_t>(from)]);
  return result;
}

OperatorSpec step(std::string kind, TensorType type) {
  OperatorSpec result;
  result.kind = std::move(kind);
  result.result_types = {std::move(type)};
  return result;
}

class Steps {
 public:
  explicit Steps(TensorType start) : type_(std::move(start)) {}

  void transpose(const Dimensions& permutation) {
    bool sorted = true;
    for (std::size_t i = 1; i < permutation.size(); ++i)
      sorted &= permutation[i - 1] < permutation[i];
    if (sorted) return;
    type_.shape = permuted(type_.shape, permutation);
    steps_.push_back(step("transpose", type_));
    steps_.back().attributes["permutation"] = permutation;
  }

  /// To `shape`, in another element type if need be.
  void reinterpret(DType dtype, Dimensions shape) {
    const std::string kind = dtype == type_.dtype ? "reshape" : "bitcast_convert";
    TensorType next{dtype, std::move(shape)};
    if (next == type_) return;
    type_ = std::move(next);
    steps_.push_back(step(kind, type_));
  }

  std::vector<OperatorSpec> take() { return std::move(steps_); }

 private:
  TensorType type_;
  std::vector<OperatorSpec> steps_;
};

}  // namespace

std::vector<OperatorSpec> hlo_bitcast_steps(const HloShape& from, const HloShape& to) {
  const Dimensions order = memory_order(to);
  Steps steps(from.leaves[0]);
  steps.transpose(memory_order(from));
  steps.reinterpret(to.leaves[0].dtype, permuted(to.leaves[0].shape, order));
  steps.transpose(inverse(order));
  return steps.take();
}

}  // namespace autoshard::internal
