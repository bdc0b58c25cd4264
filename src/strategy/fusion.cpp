// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "strategy/fusion.hpp"

#include <algorithm>
#include <unordered_set>

namespace autoshard::internal {
namespace {

const std::unordered_set<std::string_view>& elementwise_kinds() {
  static const std::unordered_set<std::string_view> kinds = {"abs",
                                                             "negate",
                                                             "exponential",
                                                             "exponential_minus_one",
                                                             "log",
                                                             "log_plus_one",
                                                             "logistic",
                                                             "tanh",
                                                             "sqrt",
                                                             "rsqrt",
                                                             "cbrt",
                                                             "sign",
                                                             "floor",
                                                             "ceil",
                                                             "round_nearest_afz",
                                                             "round_nearest_even",
                                                             "cosine",
                                                             "sine",
                                                             "tan",
                                                             "erf",
                                                             "sinh",
                                                             "cosh",
                                                             "asin",
                                                             "acos",
                                                             "atan",
                                                             "asinh",
                                                             "acosh",
                                                             "atanh",
                                                             "erfc",
                                                             "erf_inv",
                                                             "lgamma",
                                                             "digamma",
                                                             "not",
                                                             "popcnt",
                                                             "count_leading_zeros",
                                                             "is_finite",
                                                             "convert",
                                                             "bitcast_convert",
                                                             "reduce_precision",
                                                             "copy",
                                                             "add",
                                                             "subtract",
                                                             "multiply",
                                                             "divide",
                                                             "maximum",
                                                             "minimum",
                                                             "power",
                                                             "remainder",
                                                             "atan2",
                                                             "nextafter",
                                                             "and",
                                                             "or",
                                                             "xor",
                                                             "shift_left",
                                                             "shift_right_logical",
                                                             "shift_right_arithmetic",
                                                             "compare",
                                                             "select",
                                                             "clamp"};
  return kinds;
}

/// Can read its operands from the registers of the kernel that makes them.
bool fuses_operands(std::string_view kind) {
  return is_elementwise(kind) || kind == "reduce" || kind == "broadcast_in_dim";
}

class Classifier {
 public:
  explicit Classifier(const Graph& graph)
      : graph_(graph),
        consumers_(consumers_of(graph)),
        leaves_(graph.tensors().size(), false),
        storage_(graph.tensors().size(), Storage::materialised) {
    for (const Region& region : graph.regions()) {
      for (TensorId tensor : region.results) leaves_[tensor.index()] = true;
    }
  }

  std::vector<Storage> run() {
    for (const Region& region : graph_.regions()) {
      for (OperatorId id : region.operators) classify(graph_[id]);
    }
    return std::move(storage_);
  }

 private:
  void classify(const Operator& op) {
    if (op.results.size() != 1) return;
    const TensorId result = op.results[0];
    if (leaves_[result.index()]) return;
    if (is_free(op)) {
      storage_[result.index()] = Storage::free;
    } else if (op.kind == "reshape") {
      storage_[result.index()] = Storage::alias;
    } else if (is_fused(op)) {
      storage_[result.index()] = Storage::fused;
    }
  }

  /// Made of nothing, directly or by elementwise steps on free operands (masks, positions).
  bool is_free(const Operator& op) const {
    if (op.kind == "constant") return op.attributes.contains("value");
    if (op.kind == "iota") return true;
    const bool cheap =
        op.kind == "broadcast_in_dim" || op.kind == "reshape" || is_elementwise(op.kind);
    return cheap && !op.operands.empty() &&
           std::all_of(op.operands.begin(), op.operands.end(), [&](TensorId operand) {
             return storage_[operand.index()] == Storage::free;
           });
  }

  bool is_fused(const Operator& op) const {
    if (!is_elementwise(op.kind) && op.kind != "broadcast_in_dim") return false;
    const auto& consumers = consumers_[op.results[0].index()];
    const bool all_fuse = std::all_of(consumers.begin(), consumers.end(), [&](OperatorId id) {
      return fuses_operands(graph_[id].kind) && graph_[id].region == op.region &&
             graph_[id].phase == op.phase;
    });
    // A broadcast is remade for each consumer; other chains would be computed twice.
    return all_fuse && (consumers.size() == 1 || op.kind == "broadcast_in_dim");
  }

  const Graph& graph_;
  std::vector<std::vector<OperatorId>> consumers_;
  std::vector<bool> leaves_;  ///< results of a region have to be materialised
  std::vector<Storage> storage_;
};

}  // namespace

bool is_elementwise(std::string_view kind) { return elementwise_kinds().contains(kind); }

std::vector<std::vector<OperatorId>> consumers_of(const Graph& graph) {
  std::vector<std::vector<OperatorId>> consumers(graph.tensors().size());
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    for (TensorId operand : graph.operators()[i].operands) {
      auto& list = consumers[operand.index()];
      if (list.empty() || list.back() != OperatorId(i)) list.push_back(OperatorId(i));
    }
  }
  return consumers;
}

std::vector<Storage> classify_storage(const Graph& graph) { return Classifier(graph).run(); }

}  // namespace autoshard::internal
