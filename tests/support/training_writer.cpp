// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/training_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace autoshard::test {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr double kLearningRate = 1e-2;
constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kEpsilon = 1e-8;

Dims sizes_without(const TensorType& type, const Dims& dims) {
  Dims sizes;
  for (std::int64_t dim = 0; dim < type.rank(); ++dim) {
    if (std::ranges::find(dims, dim) == dims.end()) {
      sizes.push_back(type.shape[static_cast<std::size_t>(dim)]);
    }
  }
  return sizes;
}

}  // namespace

TensorId TrainingWriter::note(TensorId tensor, TensorType type) {
  if (types_.size() <= tensor.index()) {
    types_.resize(tensor.index() + 1);
    names_.resize(tensor.index() + 1);
  }
  types_[tensor.index()] = std::move(type);
  return tensor;
}

TensorId TrainingWriter::argument(const std::string& name, TensorType type, Role role) {
  const TensorId tensor = note(builder_.argument(name, type, role), type);
  names_[tensor.index()] = name;
  return tensor;
}

TensorId TrainingWriter::input(const std::string& name, TensorType type) {
  return argument(name, std::move(type), Role::input);
}

TensorId TrainingWriter::parameter(const std::string& name, TensorType type) {
  return argument(name, std::move(type), Role::parameter);
}

TensorId TrainingWriter::apply(const std::string& kind, std::vector<TensorId> operands,
                               Attributes attributes) {
  const TensorType result = type(operands.front());
  return make(kind, std::move(operands), result, std::move(attributes));
}

TensorId TrainingWriter::make(const std::string& kind, std::vector<TensorId> operands,
                              TensorType type, Attributes attributes) {
  const TensorId tensor = builder_.add_one({.name = "",
                                            .kind = kind,
                                            .operands = std::move(operands),
                                            .result_types = {type},
                                            .attributes = std::move(attributes),
                                            .phase = phase_});
  return note(tensor, std::move(type));
}

TensorId TrainingWriter::dot(TensorId lhs, TensorId rhs, const Contraction& contraction) {
  TensorType result{type(lhs).dtype, sizes_without(type(lhs), contraction.lhs)};
  const Dims right = sizes_without(type(rhs), contraction.rhs);
  result.shape.insert(result.shape.end(), right.begin(), right.end());
  return make("dot_general", {lhs, rhs}, result,
              {{"lhs_batching_dimensions", Dims{}},
               {"rhs_batching_dimensions", Dims{}},
               {"lhs_contracting_dimensions", contraction.lhs},
               {"rhs_contracting_dimensions", contraction.rhs}});
}

TensorId TrainingWriter::reduce(TensorId tensor, Dims dims, const std::string& reducer) {
  constexpr double kLowest = -3e38;
  const TensorId start = scalar(reducer == "max" ? kLowest : 0.0, type(tensor).dtype);
  const TensorType result{type(tensor).dtype, sizes_without(type(tensor), dims)};
  return make("reduce", {tensor, start}, result, {{"dimensions", dims}, {"reducer", reducer}});
}

TensorId TrainingWriter::broadcast(TensorId tensor, TensorId like, Dims dims) {
  const TensorType result{type(tensor).dtype, type(like).shape};
  return make("broadcast_in_dim", {tensor}, result, {{"broadcast_dimensions", std::move(dims)}});
}

TensorId TrainingWriter::scalar(double value, DType dtype) {
  return make("constant", {}, {dtype, {}}, {{"value", value}});
}

TensorId TrainingWriter::filled(double value, const TensorType& type) {
  return make("broadcast_in_dim", {scalar(value, type.dtype)}, type,
              {{"broadcast_dimensions", Dims{}}});
}

TensorId TrainingWriter::scaled(TensorId tensor, double by) {
  const TensorType shape = type(tensor);
  return apply("multiply", {tensor, filled(by, shape)});
}

TensorId TrainingWriter::compare(TensorId a, TensorId b, const std::string& direction) {
  return make("compare", {a, b}, {DType::pred, type(a).shape},
              {{"comparison_direction", direction}});
}

void TrainingWriter::result(TensorId tensor) {
  builder_.result(tensor);
  ++results_;
}

void TrainingWriter::replace(TensorId state, TensorId by) {
  builder_.state_pair(state, results_);
  result(by);
}

void TrainingWriter::update(TensorId weight, TensorId gradient) {
  begin(Phase::update);
  if (optimizer_ == Optimizer::adam) return update_adam(weight, gradient);
  replace(weight, apply("subtract", {weight, scaled(gradient, kLearningRate)}));
}

/// Adam as Kingma and Ba give it, with the moments corrected for their start at zero.
void TrainingWriter::update_adam(TensorId weight, TensorId gradient) {
  const TensorType shape = type(weight);
  const std::string name = names_[weight.index()];
  const TensorId m = argument("m." + name, shape, Role::optimizer_state);
  const TensorId v = argument("v." + name, shape, Role::optimizer_state);
  const TensorId square = apply("multiply", {gradient, gradient});
  const TensorId new_m = apply("add", {scaled(m, kFirstDecay), scaled(gradient, 1 - kFirstDecay)});
  const TensorId new_v = apply("add", {scaled(v, kSecondDecay), scaled(square, 1 - kSecondDecay)});
  const TensorId root = apply("sqrt", {corrected(new_v, kSecondDecay)});
  const TensorId divisor = apply("add", {root, filled(kEpsilon, shape)});
  const TensorId direction = apply("divide", {corrected(new_m, kFirstDecay), divisor});
  replace(weight, apply("subtract", {weight, scaled(direction, kLearningRate)}));
  replace(m, new_m);
  replace(v, new_v);
}

/// moment / (1 - decay^step)
TensorId TrainingWriter::corrected(TensorId moment, double decay) {
  const DType dtype = type(moment).dtype;
  const TensorId power = apply("power", {scalar(decay, dtype), step_count(dtype)});
  const TensorId share = apply("subtract", {scalar(1, dtype), power});
  return apply("divide", {moment, broadcast(share, moment)});
}

TensorId TrainingWriter::step_count(DType dtype) {
  if (!step_) {
    const TensorId step = argument("step", {DType::s32, {}}, Role::optimizer_state);
    step_ = apply("add", {step, scalar(1, DType::s32)});
    replace(step, *step_);
  }
  return make("convert", {*step_}, {dtype, {}});
}

Graph TrainingWriter::build() && {
  Result<Graph> graph = std::move(builder_).build();
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

}  // namespace autoshard::test
