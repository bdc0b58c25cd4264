// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Guesses, from the state pairs of a training step, what its source does not say: which operators
// are the forward pass, the backward pass and the optimizer's update, and which arguments are
// parameters. A guess from structure alone: it never fails, and it reads no names.
#pragma once

#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

struct TrainingRoles {
  std::vector<Phase> phases;  ///< by operator
  std::vector<Role> roles;    ///< by tensor; those of main's arguments in state pairs may change
};

/// The update is elementwise arithmetic that ends in new state only; forward is what any other
/// result of the step needs; the rest is backward. A step that lacks other results or state is
/// all forward. The operators of a loop's body take the loop's phase.
TrainingRoles infer_phases(const Graph& graph);

}  // namespace autoshard::internal
