// Copyright the autoshard authors.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The same problem as solve(), as an integer programme solved by GLPK: a referee for small
// graphs. GLPK is GPL-3, so this is a target of its own, autoshard::glpk; whoever links it is
// bound by that licence. It computes in floating point and certifies no bound.
#pragma once

#include "autoshard/solve.hpp"

namespace autoshard {

/// Uses time_limit_seconds and cancel of the options; the others are ignored. `lower_bound` stays
/// absent: optimality is as GLPK reports it. Costs beyond 2^53 lose digits. One call at a time.
Result<SolveResult> solve_with_glpk(const CostGraph& graph, const SolveOptions& options = {});

}  // namespace autoshard
