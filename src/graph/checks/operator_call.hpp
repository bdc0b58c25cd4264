// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operator as the rule of its kind sees it, and the questions rules ask of it. Answers are
// errors that name the operand, result or attribute; the caller puts the operator's name in front.
// Nothing here knows the graph around the operator.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"
#include "autoshard/types.hpp"

namespace autoshard::internal {

using Types = std::vector<TensorType>;
using Ints = std::span<const std::int64_t>;

struct OperatorCall {
  std::span<const TensorType> operands;
  std::span<const TensorType> results;  ///< what the host claims; empty when it asks us
  const Attributes& attributes;
};

/// A type is sane when it has at most 255 dimensions, all >= 0, and at most 2^62 bytes.
Result<void> check_type(const TensorType& type);

// Attributes. A list that is absent is empty where the name says so.
bool has(const OperatorCall& call, std::string_view attribute);
Result<Ints> ints_or_empty(const OperatorCall& call, std::string_view attribute);
Result<Ints> required_ints(const OperatorCall& call, std::string_view attribute);
Result<std::int64_t> required_integer(const OperatorCall& call, std::string_view attribute);
Result<std::string_view> required_text(const OperatorCall& call, std::string_view attribute);
Result<void> required_word(const OperatorCall& call, std::string_view attribute,
                           std::initializer_list<std::string_view> allowed);
/// The attribute `reducer`: a kind of reduction, or one of the other words allowed.
Result<void> required_reducer(const OperatorCall& call,
                              std::initializer_list<std::string_view> others);

/// A list attribute has this many entries.
Result<void> check_length(std::string_view attribute, Ints list, std::size_t expected);
/// Each dimension is in [0, rank) and stands at most once.
Result<void> check_dims(std::string_view attribute, Ints dims, std::int64_t rank);
Result<void> check_increasing(std::string_view attribute, Ints dims);
/// An integer attribute that is one dimension.
Result<std::int64_t> required_dim(const OperatorCall& call, std::string_view attribute,
                                  std::int64_t rank);

// Operands.
Result<void> check_rank(const OperatorCall& call, std::size_t operand, std::int64_t expected);
Result<void> check_dtype(const OperatorCall& call, std::size_t operand, DType expected);
Result<void> check_operand(const OperatorCall& call, std::size_t operand,
                           const TensorType& expected);
Result<void> check_integer(const OperatorCall& call, std::size_t operand);
/// Operands [first, end) are scalar integers, as positions are.
Result<void> check_scalar_positions(const OperatorCall& call, std::size_t first);

// Results.
/// The first result as the host gave it, for kinds whose operands do not determine it.
Result<TensorType> given_result(const OperatorCall& call);
/// The dtype of the first result if given, else `otherwise`.
DType result_dtype(const OperatorCall& call, DType otherwise);

bool contains(Ints list, std::int64_t value);

}  // namespace autoshard::internal
