// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the engine that will run the plan can hold. Strategies that it cannot run are not
// generated.
#pragma once

#include <string>
#include <string_view>

#include "autoshard/error.hpp"

namespace autoshard {

struct Target {
  std::string name = "interpreter";
  /// Partial sums may travel from one operator to the next (add of two partial values, ...).
  bool partial_between_operators = true;
  bool reduce_scatter = true;    ///< otherwise all-reduce, then slice
  bool uneven_arguments = true;  ///< arguments and results of the step may split unevenly
  bool uneven_intermediates = true;
  bool sub_axes = true;  ///< a part of an axis may split a dimension
};

/// "interpreter" (everything), "xla" (JAX arrays: even arguments, no partial values between
/// operators), "dtensor". Errors: not_found, with the list.
Result<Target> find_target(std::string_view name);

}  // namespace autoshard
