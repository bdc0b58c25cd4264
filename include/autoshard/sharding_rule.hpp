// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// How one operator may be split, described once by factors, einsum-like:
//   ([b,i,k],[b,k,j])->([b,i,j]) reduction={k}
// Everything after this works on factors and never switches on the operator's kind. The idea is
// Shardy's (openxla/shardy, sdy.op_sharding_rule), extended by partial values: which operands may
// be partial, and where a split leaves a partial result.
//
// Text form: a factor is a letter, or a letter and a number ("k", "k2"); a dimension made of
// several is written `(jk)` or `(j k)`, major to minor, and a dimension of size 1 is `1`. What
// follows the results, each part optional and in any order:
//   reduction={k}           kind of a factor (parallel otherwise); reduction is the sum, others are
//                           product= max= min= and= or=, and replicate= must not be split
//   partial_operands={k:0}  operand 0 must be partial along factor k
//   linear={0,1},{2}        groups of operands that, partial together, make the results partial;
//                           {} is the empty group
//   sizes={j=4}             of factors whose size the dimensions do not tell
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/types.hpp"

namespace autoshard {

enum class FactorKind : std::uint8_t {
  parallel,   ///< may be split; every operand and result that has it splits the same way
  reduction,  ///< may be split; results do not have it and become partial along its axes
  replicate,  ///< must not be split
};

struct Factor {
  std::int64_t size = 1;
  FactorKind kind = FactorKind::parallel;
  ReductionKind reduction = ReductionKind::sum;  ///< of a reduction factor
  /// Operands that must be partial along the axes of this reduction factor, although they lack
  /// it: the input of a scatter whose updates are split, so that it is counted once.
  std::vector<std::int32_t> partial_operands = {};
  friend bool operator==(const Factor&, const Factor&) = default;
};

/// Operands that may be partial (sum) together, all others being whole; the results are partial
/// then. For add {0,1}; for multiply {0} and {1}. Empty: the results are zero, so they may be
/// called partial at will.
struct LinearGroup {
  std::vector<std::int32_t> operands;
  friend bool operator==(const LinearGroup&, const LinearGroup&) = default;
};

/// The factors of one tensor dimension, major to minor; their sizes multiply to its size. Empty
/// for a dimension of size 1.
using DimFactors = std::vector<std::int32_t>;

struct ShardingRule {
  std::vector<Factor> factors;
  std::vector<std::vector<DimFactors>> operands;  ///< [operand][dimension]
  std::vector<std::vector<DimFactors>> results;   ///< [result][dimension]
  std::vector<LinearGroup> linear;
  friend bool operator==(const ShardingRule&, const ShardingRule&) = default;
};

/// Ranks, sizes, indices, and that no split could be meant that gives a wrong result: a factor
/// stands once in a tensor, a reduction factor in no result, a parallel one in some result. The
/// error names operand or result and dimension.
Result<void> validate(const ShardingRule& rule, std::span<const TensorType> operands,
                      std::span<const TensorType> results);

/// Factor 0 is "a", factor 25 "z", factor 26 "a1". Reading it back gives the same rule.
std::string to_string(const ShardingRule& rule);
/// Factors are numbered in the order of their names; those of size 1 are dropped. The rule is
/// valid.
Result<ShardingRule> parse_sharding_rule(std::string_view text,
                                         std::span<const TensorType> operands,
                                         std::span<const TensorType> results);

}  // namespace autoshard
