// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator run by the interpreter without a graph around it.
#pragma once

#include <string>
#include <vector>

#include "execute/piece_call.hpp"

namespace autoshard::test {

struct Given {
  TensorType type;
  std::vector<double> elements;  ///< row-major
};

Given f32(std::vector<std::int64_t> shape, std::vector<double> elements);
Given s32(std::vector<std::int64_t> shape, std::vector<double> elements);
Given typed(DType dtype, std::vector<double> elements);  ///< a vector
std::vector<double> count_up(std::int64_t elements);     ///< 0, 1, 2, ...

struct Alone {
  std::string kind;
  std::vector<Given> operands;
  std::vector<TensorType> results;
  Attributes attributes = {};
};

internal::Value value_of(const Given& given);

/// All results of the whole operator, which must succeed.
std::vector<std::vector<double>> run_all(const Alone& alone);
/// The only result.
std::vector<double> run(const Alone& alone);
/// The error that the operator ends with.
Error run_error(const Alone& alone);

/// The piece of the first result that a device makes from these pieces of the operands.
Result<internal::Values> run_piece(const Alone& alone, const std::vector<internal::Box>& operands,
                                   const internal::Box& result,
                                   const std::vector<bool>& withheld = {});

}  // namespace autoshard::test
