// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Short ways to write training steps for tests: operators in the current phase, matrix products by
// what they contract, broadcasts, and the updates of SGD and Adam with their state pairs. It knows
// no model; those are in models.hpp.
#pragma once

#include <string>
#include <vector>

#include "autoshard/graph_builder.hpp"

namespace autoshard::test {

enum class Optimizer { sgd, adam };

/// Dimensions that a product contracts, on both sides.
struct Contraction {
  std::vector<std::int64_t> lhs;
  std::vector<std::int64_t> rhs;
};

class TrainingWriter {
 public:
  TrainingWriter(std::string name, Optimizer optimizer)
      : builder_(std::move(name)), optimizer_(optimizer) {}

  void begin(Phase phase) { phase_ = phase; }

  TensorId input(const std::string& name, TensorType type);
  /// A weight; its moments and the step counter become arguments when it is updated.
  TensorId parameter(const std::string& name, TensorType type);

  /// A result of the first operand's type, or of a given one.
  TensorId apply(const std::string& kind, std::vector<TensorId> operands,
                 Attributes attributes = {});
  TensorId make(const std::string& kind, std::vector<TensorId> operands, TensorType type,
                Attributes attributes = {});
  TensorId dot(TensorId lhs, TensorId rhs, const Contraction& contraction);
  TensorId reduce(TensorId tensor, std::vector<std::int64_t> dims, const std::string& reducer);
  /// `dims`: for each dimension of the tensor, the one of `like` that it becomes.
  TensorId broadcast(TensorId tensor, TensorId like, std::vector<std::int64_t> dims = {});
  TensorId scalar(double value, DType dtype);
  /// The value in every element of a tensor of this type.
  TensorId filled(double value, const TensorType& type);
  TensorId scaled(TensorId tensor, double by);
  TensorId compare(TensorId a, TensorId b, const std::string& direction);

  const TensorType& type(TensorId tensor) const { return types_[tensor.index()]; }

  void update(TensorId weight, TensorId gradient);
  void result(TensorId tensor);
  /// Checks the graph with doctest.
  Graph build() &&;

 private:
  TensorId note(TensorId tensor, TensorType type);
  TensorId argument(const std::string& name, TensorType type, Role role);
  void replace(TensorId state, TensorId by);
  TensorId corrected(TensorId moment, double decay);
  TensorId step_count(DType dtype);
  void update_adam(TensorId weight, TensorId gradient);

  GraphBuilder builder_;
  Optimizer optimizer_;
  Phase phase_ = Phase::forward;
  std::vector<TensorType> types_;   ///< per tensor
  std::vector<std::string> names_;  ///< per tensor; of arguments
  std::int32_t results_ = 0;
  std::optional<TensorId> step_;  ///< the counter after this step
};

}  // namespace autoshard::test
