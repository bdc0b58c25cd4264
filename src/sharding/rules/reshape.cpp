// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Operand and result list the same elements in row-major order, so a major part of the remaining
// dimensions that divides both of them is one factor of both.
#include <limits>
#include <numeric>
#include <utility>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

/// Walks over the dimensions of one tensor, major to minor; `rest` is what is left of the current
/// one, never 1 before the end.
class Cursor {
 public:
  Cursor(bool of_result, const TensorType& type) : of_result_(of_result), type_(type) { skip(); }

  bool at_end() const { return dim_ == type_.shape.size(); }
  std::int64_t rest() const { return at_end() ? 1 : type_.shape[dim_] / taken_; }
  Dim dim() const { return {of_result_, 0, dim_}; }

  void take(std::int64_t size) {
    taken_ *= size;
    skip();
  }

 private:
  void skip() {
    while (!at_end() && rest() == 1) {
      ++dim_;
      taken_ = 1;
    }
  }

  bool of_result_;
  const TensorType& type_;
  std::size_t dim_ = 0;
  std::int64_t taken_ = 1;
};

std::int64_t take_unsplit(RuleBuilder& rule, Cursor& cursor) {
  const std::int64_t size = cursor.rest();
  rule.part({cursor.dim()}, size, FactorKind::replicate);
  cursor.take(size);
  return size;
}

/// Passes the dimensions of both sides whose borders do not meet, until they do.
void take_unaligned(RuleBuilder& rule, Cursor& from, Cursor& to) {
  std::int64_t passed_from = take_unsplit(rule, from);
  std::int64_t passed_to = take_unsplit(rule, to);
  while (passed_from != passed_to) {
    if (passed_from < passed_to) {
      passed_from *= take_unsplit(rule, from);
    } else {
      passed_to *= take_unsplit(rule, to);
    }
  }
}

void take_common(RuleBuilder& rule, Cursor& from, Cursor& to) {
  const std::int64_t common = std::gcd(from.rest(), to.rest());
  if (common == 1) return take_unaligned(rule, from, to);
  rule.part({from.dim(), to.dim()}, common, FactorKind::parallel);
  from.take(common);
  to.take(common);
}

}  // namespace

ShardingRule reshape_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  rule.linear({0});
  const std::int64_t elements = rule.result().elements();
  // Nothing to split in an empty tensor, and no products to form of one beyond counting.
  if (elements == 0 || elements == std::numeric_limits<std::int64_t>::max()) {
    return std::move(rule).build();
  }
  Cursor from(false, rule.operand(0));
  Cursor to(true, rule.result());
  while (!from.at_end() && !to.at_end()) take_common(rule, from, to);
  return std::move(rule).build();
}

}  // namespace autoshard::internal
