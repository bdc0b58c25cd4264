// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph twice on the reference interpreter: densely, and device by device as a plan says,
// with real collectives, and compares the values and the bytes moved with the predicted ones. It
// knows operator semantics, specs and collectives, never a sharding rule, so a wrong rule cannot
// be wrong in both places. Meant for small sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autoshard/plan.hpp"

namespace autoshard {

struct VerifyOptions {
  std::uint64_t seed = 0;                             ///< of the argument values
  double relative_tolerance = 1e-9;                   ///< the interpreter computes in f64
  std::int64_t max_elements = std::int64_t{1} << 26;  ///< refuse larger tensors

  Result<void> validate() const;
};

struct VerifyReport {
  bool values_equal = false;
  bool bytes_equal = false;
  double largest_relative_error = 0;
  std::int64_t tensors_compared = 0;
  std::int64_t collectives_run = 0;
  std::int64_t bytes_moved = 0;         ///< over all devices, counted while running
  std::int64_t bytes_predicted = 0;     ///< over all devices, from the plan's collectives
  std::vector<std::string> mismatches;  ///< first ones, naming tensor, device, values
  std::vector<std::string> skipped;     ///< operators the interpreter does not know, by name

  bool passed() const { return values_equal && bytes_equal; }
  std::string brief_report() const;
  std::string full_report() const;
};

/// Errors: the plan is of another graph, has no answer, or is malformed; an operator whose options
/// the interpreter cannot run (not_found, named); tensors larger than the limit. An operator of a
/// kind that nobody knows is no error: its results are the same stand-ins in both runs, and its
/// name is in `skipped`.
Result<VerifyReport> verify(const Graph& graph, const IntraOpPlan& plan,
                            const VerifyOptions& options = {});

}  // namespace autoshard
