// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator on one device: from the pieces of its operands that the device holds to the pieces
// of its results that it should hold. A dense run is the same with boxes that cover everything.
// What a kernel may know is the operator, the types and the boxes; that some results are only
// partial values follows from what the pieces lack.
//
// Loops are not run here (see lockstep.hpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"
#include "execute/value.hpp"

namespace autoshard::internal {

/// What is the same on every device. The operator is borrowed.
struct OperatorSignature {
  const Operator* op = nullptr;
  std::vector<TensorType> operand_types;  ///< of the whole tensors
  std::vector<TensorType> result_types;
  std::uint64_t seed = 0;  ///< of rng and of constants without values
};

struct PieceCall {
  const OperatorSignature& signature;
  std::vector<const Value*> operands;
  std::vector<Box> result_boxes;
  /// Operands that every device holds where the result is partial; all devices but the first are
  /// told to take them as the identity where operands are added up (a reduction's initial value,
  /// a scatter's input). Empty: none.
  std::vector<bool> withheld = {};

  const Operator& op() const { return *signature.op; }
  const Value& operand(std::size_t i) const { return *operands[i]; }
  const TensorType& operand_type(std::size_t i) const { return signature.operand_types[i]; }
  const TensorType& result_type() const { return signature.result_types.front(); }
  const Box& result_box() const { return result_boxes.front(); }
  bool is_withheld(std::size_t i) const { return i < withheld.size() && withheld[i]; }
  /// The list of integers, empty when the attribute is absent.
  const std::vector<std::int64_t>& ints(std::string_view attribute) const;
};

using Values = std::vector<Value>;
using Kernel = Result<Values> (*)(const PieceCall&);

/// Errors name the operator: not_found when the interpreter does not know it or what it asks for,
/// invalid_argument when the operand pieces are not what the result pieces are made from.
Result<Values> run_operator(const PieceCall& call);
bool knows_operator(std::string_view kind);
/// The kinds that may make a partial value from nothing: the first device makes the value, the
/// others the identity of the reduction.
bool generates(std::string_view kind);

/// Results of an operator that nobody knows: pseudo-random, by name and global index, so that what
/// follows can be run although the operator cannot.
Values stand_in_results(const PieceCall& call);

/// Operand i has exactly the rows `needed` in dimension d.
Result<void> require_rows(const PieceCall& call, std::size_t i, std::size_t d, const Range& needed);
/// Operand i has at least the rows `needed` in dimension d.
Result<void> require_held(const PieceCall& call, std::size_t i, std::size_t d, const Range& needed);
/// Operand i lies exactly as `needed`.
Result<void> require_box(const PieceCall& call, std::size_t i, const Box& needed);

/// The one value of operand i, which has one element.
Result<double> scalar(const PieceCall& call, std::size_t i);
Result<ReductionKind> reducer(const PieceCall& call);

/// One result per input of a reduction, whose operands are the inputs and their initial values.
using ReduceOne = Result<Value> (*)(const PieceCall&, std::size_t input, ReductionKind);
Result<Values> reduce_inputs(const PieceCall& call, ReduceOne reduce_one);

}  // namespace autoshard::internal
