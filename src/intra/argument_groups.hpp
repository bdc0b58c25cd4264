// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arguments that a reader takes for one thing (the same weight of every layer), so that a report
// of a deep model stays short.
#pragma once

#include <string>
#include <vector>

#include "autoshard/plan.hpp"

namespace autoshard::internal {

struct ArgumentGroup {
  std::string name;  ///< numbers that differ are shown as '*'
  Role role = Role::input;
  TensorType type;
  std::vector<std::size_t> members;  ///< indices of arguments of main
};

/// By name without numbers, role and type; in order of the first member.
std::vector<ArgumentGroup> group_arguments(const Graph& graph);

/// The specs of the members in a plan, each once, joined by " / ".
std::string specs_text(const ArgumentGroup& group, const IntraOpPlan& plan);
std::int64_t local_bytes(const ArgumentGroup& group, const IntraOpPlan& plan);

}  // namespace autoshard::internal
