// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/rules/rule_builder.hpp"

#include <algorithm>
#include <utility>

namespace autoshard::internal {
namespace {

std::vector<TensorType> types_of(const Graph& graph, const std::vector<TensorId>& tensors) {
  std::vector<TensorType> types;
  types.reserve(tensors.size());
  for (const TensorId id : tensors) types.push_back(graph[id].type);
  return types;
}

std::vector<std::vector<DimFactors>> without_factors(const std::vector<TensorType>& types) {
  std::vector<std::vector<DimFactors>> dims;
  dims.reserve(types.size());
  for (const TensorType& type : types) dims.emplace_back(type.shape.size());
  return dims;
}

bool combines(DType dtype, ReductionKind kind) {
  switch (kind) {
    case ReductionKind::sum:
    case ReductionKind::product:
      return is_numeric(dtype);
    case ReductionKind::max:
    case ReductionKind::min:
      return is_floating(dtype) || is_integer(dtype);
    case ReductionKind::logical_and:
    case ReductionKind::logical_or:
      return dtype == DType::pred;
  }
  return false;
}

}  // namespace

RuleBuilder::RuleBuilder(const Graph& graph, const Operator& op)
    : operands_(types_of(graph, op.operands)), results_(types_of(graph, op.results)) {
  rule_.operands = without_factors(operands_);
  rule_.results = without_factors(results_);
}

void RuleBuilder::parallel(const std::vector<Dim>& dims) {
  append(dims, {.size = size(dims.front())});
}

void RuleBuilder::replicate(const std::vector<Dim>& dims) {
  append(dims, {.size = size(dims.front()), .kind = FactorKind::replicate});
}

void RuleBuilder::reduction(const std::vector<Dim>& dims, ReductionKind kind,
                            std::vector<std::int32_t> partial_operands) {
  if (!results_combine(kind)) return replicate(dims);
  append(dims, {.size = size(dims.front()),
                .kind = FactorKind::reduction,
                .reduction = kind,
                .partial_operands = std::move(partial_operands)});
}

void RuleBuilder::part(const std::vector<Dim>& dims, std::int64_t size, FactorKind kind) {
  append(dims, {.size = size, .kind = kind});
}

void RuleBuilder::linear(std::vector<std::int32_t> operands) {
  if (results_combine(ReductionKind::sum)) rule_.linear.push_back({std::move(operands)});
}

ShardingRule RuleBuilder::build() && {
  fill(false);
  fill(true);
  return std::move(rule_);
}

std::int64_t RuleBuilder::size(const Dim& dim) const {
  return (dim.of_result ? results_ : operands_)[dim.tensor].shape[dim.dim];
}

DimFactors& RuleBuilder::factors(const Dim& dim) {
  return (dim.of_result ? rule_.results : rule_.operands)[dim.tensor][dim.dim];
}

void RuleBuilder::append(const std::vector<Dim>& dims, Factor factor) {
  if (factor.size == 1) return;
  const auto index = static_cast<std::int32_t>(rule_.factors.size());
  rule_.factors.push_back(std::move(factor));
  for (const Dim& dim : dims) factors(dim).push_back(index);
}

bool RuleBuilder::results_combine(ReductionKind kind) const {
  return std::ranges::all_of(results_,
                             [&](const TensorType& type) { return combines(type.dtype, kind); });
}

void RuleBuilder::fill(bool of_result) {
  const std::vector<TensorType>& types = of_result ? results_ : operands_;
  for (std::size_t tensor = 0; tensor < types.size(); ++tensor) {
    for (std::size_t dim = 0; dim < types[tensor].shape.size(); ++dim) {
      const Dim place{of_result, tensor, dim};
      if (factors(place).empty()) replicate({place});
    }
  }
}

std::span<const std::int64_t> ints(const Operator& op, std::string_view attribute) {
  const std::vector<std::int64_t>* list = op.ints(attribute);
  return list == nullptr ? std::span<const std::int64_t>{} : std::span(*list);
}

bool is_listed(std::span<const std::int64_t> list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

std::vector<std::int64_t> other_dims(std::int64_t rank, std::span<const std::int64_t> excluded) {
  std::vector<std::int64_t> dims;
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    if (!is_listed(excluded, dim)) dims.push_back(dim);
  }
  return dims;
}

bool is_numeric(DType dtype) { return dtype != DType::pred && dtype != DType::token; }

}  // namespace autoshard::internal
