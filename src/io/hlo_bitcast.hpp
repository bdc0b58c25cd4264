// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A bitcast reads a buffer in another shape or type. What that means for the elements depends on
// both layouts: a reshape when they are the default, else also transposes before and after.
#pragma once

#include <vector>

#include "autoshard/graph_builder.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

/// The operators that take `from` to `to`, each to be applied to the one before; empty when a
/// bitcast changes nothing. Both are arrays of as many bytes. Names and operands are left out.
std::vector<OperatorSpec> hlo_bitcast_steps(const HloShape& from, const HloShape& to);

}  // namespace autoshard::internal
