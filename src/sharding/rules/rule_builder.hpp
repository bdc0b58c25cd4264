// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Writes down the rule of one operator, dimension by dimension. It knows tensor types, not
// operators: which dimensions belong together is said by the family that calls it. Whatever the
// family leaves out must not be split, so that a forgotten dimension costs speed, never truth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "autoshard/graph.hpp"
#include "autoshard/sharding_rule.hpp"

namespace autoshard::internal {

/// One dimension of one operand or result.
struct Dim {
  bool of_result = false;
  std::size_t tensor = 0;  ///< which operand, or which result
  std::size_t dim = 0;
};

/// Dimension `dim` of operand / result number `tensor`. Takes the integers of attributes as well.
inline Dim in(std::size_t tensor, std::int64_t dim) {
  return {false, tensor, static_cast<std::size_t>(dim)};
}
inline Dim out(std::size_t tensor, std::int64_t dim) {
  return {true, tensor, static_cast<std::size_t>(dim)};
}

class RuleBuilder {
 public:
  RuleBuilder(const Graph& graph, const Operator& op);

  const TensorType& operand(std::size_t index) const { return operands_[index]; }
  const TensorType& result(std::size_t index = 0) const { return results_[index]; }
  std::size_t operand_count() const { return operands_.size(); }
  std::size_t result_count() const { return results_.size(); }

  /// Appends one factor to each of these dimensions, which have the same size. Dimensions of size 1
  /// get none.
  void parallel(const std::vector<Dim>& dims);
  void replicate(const std::vector<Dim>& dims);
  /// A kind that cannot combine the results' element types (a sum of predicates) gives a factor
  /// that must not be split.
  void reduction(const std::vector<Dim>& dims, ReductionKind kind,
                 std::vector<std::int32_t> partial_operands = {});
  /// The same for a part of the dimensions, minor to what they have already.
  void part(const std::vector<Dim>& dims, std::int64_t size, FactorKind kind);

  /// Forgotten when the results are not numbers.
  void linear(std::vector<std::int32_t> operands);

  /// Dimensions without a factor get one that must not be split.
  ShardingRule build() &&;

 private:
  std::int64_t size(const Dim& dim) const;
  DimFactors& factors(const Dim& dim);
  void append(const std::vector<Dim>& dims, Factor factor);
  bool results_combine(ReductionKind kind) const;
  void fill(bool of_result);

  std::vector<TensorType> operands_;
  std::vector<TensorType> results_;
  ShardingRule rule_;
};

/// An integer list; empty when absent.
std::span<const std::int64_t> ints(const Operator& op, std::string_view attribute);
bool is_listed(std::span<const std::int64_t> list, std::int64_t value);
/// 0 .. rank-1 without those listed, ascending.
std::vector<std::int64_t> other_dims(std::int64_t rank, std::span<const std::int64_t> excluded);

/// Numbers can be summed; predicates and tokens cannot.
bool is_numeric(DType dtype);

}  // namespace autoshard::internal
