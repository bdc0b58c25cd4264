// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The proof of a sharding rule by numbers: every factor, every linear group and every pair of them
// is tried on small meshes, and the interpreter says whether the operator still computes the same.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/operator_case.hpp"

namespace autoshard::test {

/// Counts go to the test's log, so that a generator that makes nothing is noticed.
struct ProofCount {
  std::int64_t operators = 0;
  std::int64_t assignments = 0;
};

/// Fails the running test at the first assignment for which the rule is wrong.
void prove(const OperatorCase& test, ProofCount& count,
           const std::vector<std::string>& meshes = {"2", "3", "2x2", "2x3"});
/// Fails the running test unless at least so many assignments were tried.
void require_tried(const ProofCount& count, std::int64_t at_least);

/// Small random shapes, the same on every run.
class Shapes {
 public:
  explicit Shapes(std::uint64_t seed) : random_(seed) {}

  /// In [low, high].
  std::int64_t number(std::int64_t low, std::int64_t high);
  bool coin() { return number(0, 1) == 1; }
  /// Mostly sizes that the meshes do not divide.
  std::int64_t size();
  std::vector<std::int64_t> shape(std::size_t rank);
  /// `size` numbers in [low, high].
  std::vector<std::int64_t> numbers(std::int64_t size, std::int64_t low, std::int64_t high);
  /// 0 .. size-1 in any order.
  std::vector<std::int64_t> permutation(std::size_t size);
  /// Some of 0 .. size-1, ascending.
  std::vector<std::int64_t> subset(std::size_t size);

 private:
  std::mt19937_64 random_;
};

}  // namespace autoshard::test
