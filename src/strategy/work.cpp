// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "strategy/work.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

bool reaches_memory(const WorkContext& context, TensorId tensor) {
  const Storage storage = (*context.storage)[tensor.index()];
  return storage == Storage::materialised || storage == Storage::alias;
}

double local_bytes(const WorkContext& context, TensorId tensor, const ShardingSpec& spec) {
  if (!reaches_memory(context, tensor)) return 0;
  return static_cast<double>(shard_bytes(spec, (*context.graph)[tensor].type));
}

double operand_bytes(const WorkContext& context, const Operator& op, const Assignment& assignment) {
  double bytes = 0;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    bytes += local_bytes(context, op.operands[i], assignment.operands[i]);
  }
  return bytes;
}

double result_bytes(const WorkContext& context, const Operator& op, const Assignment& assignment) {
  double bytes = 0;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    bytes += local_bytes(context, op.results[i], assignment.results[i]);
  }
  return bytes;
}

/// Indexed operators touch the rows they move, not the whole table.
double memory_bytes(const WorkContext& context, const Operator& op, const Assignment& assignment) {
  const double result = result_bytes(context, op, assignment);
  if (op.kind == "reshape") return 0;
  if (op.kind == "gather" || op.kind == "dynamic_slice" || op.kind == "slice") return 2 * result;
  if (op.kind == "dynamic_update_slice") {
    return 2 * local_bytes(context, op.operands[1], assignment.operands[1]);
  }
  if (op.kind == "scatter") {
    return result + 2 * local_bytes(context, op.operands.back(), assignment.operands.back());
  }
  return operand_bytes(context, op, assignment) + result;
}

double local_elements(const WorkContext& context, TensorId tensor, const ShardingSpec& spec) {
  double elements = 1;
  for (std::int64_t size : shard_shape(spec, (*context.graph)[tensor].type)) {
    elements *= static_cast<double>(size);
  }
  return elements;
}

/// Sums of products of two operands; they run on the matrix units.
bool is_matmul(std::string_view kind) { return kind == "dot_general" || kind == "convolution"; }

void mark(const std::vector<DimFactors>& tensor, std::vector<bool>& factors) {
  for (const DimFactors& dim : tensor) {
    for (const std::int32_t f : dim) factors[static_cast<std::size_t>(f)] = true;
  }
}

/// Each element of the result is made with every element of the right operand that shares its
/// factors. A factor of the left operand alone is what a window slides over, and counts nothing.
double matmul_flops(const ShardingRule& rule, const Assignment& assignment) {
  std::vector<bool> counted(rule.factors.size(), false);
  mark(rule.operands[1], counted);
  mark(rule.results[0], counted);
  double multiplications = 1;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    const std::int64_t parts = assignment.factor_shards[f];
    if (counted[f]) {
      multiplications *= static_cast<double>((rule.factors[f].size + parts - 1) / parts);
    }
  }
  return 2 * multiplications;
}

/// Rows that a window looks at for each of its places.
double window_rows(const Operator& op) {
  double rows = 1;
  if (const auto* sizes = op.ints("window_dimensions")) {
    for (const std::int64_t size : *sizes) rows *= static_cast<double>(size);
  }
  return rows;
}

bool folds_operand(std::string_view kind) {
  return kind == "reduce" || kind == "cumulative" || kind == "argmax" || kind == "argmin";
}

double flops(const WorkContext& context, const Operator& op, const ShardingRule& rule,
             const Assignment& assignment) {
  if (is_matmul(op.kind)) return matmul_flops(rule, assignment);
  if (folds_operand(op.kind))
    return local_elements(context, op.operands[0], assignment.operands[0]);
  if (op.kind == "reduce_window") {
    return window_rows(op) * local_elements(context, op.results[0], assignment.results[0]);
  }
  if (op.kind == "select_and_scatter") {
    return window_rows(op) * local_elements(context, op.operands[1], assignment.operands[1]);
  }
  if (const auto stated = op.number("flops"); stated && op.kind == "custom_call") {
    return *stated / static_cast<double>(assignment.shards);
  }
  const bool free = (*context.storage)[op.results[0].index()] == Storage::free;
  if (!is_elementwise(op.kind) || free) return 0;
  return local_elements(context, op.results[0], assignment.results[0]);
}

}  // namespace

OperatorWork work_of(const WorkContext& context, const Operator& op, const ShardingRule& rule,
                     const Assignment& assignment) {
  OperatorWork work;
  work.kind = op.kind;
  if (op.results.empty()) return work;
  work.dtype = (*context.graph)[op.results[0]].type.dtype;
  work.matmul = is_matmul(op.kind) || op.kind == "custom_call";
  work.flops = flops(context, op, rule, assignment);
  work.memory_bytes = memory_bytes(context, op, assignment);
  work.shards = assignment.shards;
  return work;
}

OperatorWork argument_work(const Tensor& argument, const ShardingSpec& spec) {
  OperatorWork work;
  work.kind = "argument";
  work.dtype = argument.type.dtype;
  work.role = argument.role;
  work.memory_bytes = static_cast<double>(shard_bytes(spec, argument.type));
  for (std::size_t dim = 0; dim < spec.dims.size(); ++dim) work.shards *= spec.shards(dim);
  return work;
}

}  // namespace autoshard::internal
