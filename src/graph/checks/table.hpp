// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The table of the kinds of operators that docs/graph.md lists, and the two questions answered
// from it: which types do the results have, and is this operator well formed. Kinds outside the
// table are accepted with whatever types they state.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "graph/checks/rules.hpp"

namespace autoshard::internal {

struct KindRule {
  std::string_view kind;
  InferResults infer;
  std::optional<std::size_t> operands;  ///< absent: the rule counts them
  std::size_t results = 1;              ///< 0: as many as the rule infers
  bool update_like = false;             ///< may be part of an optimizer's arithmetic
};

/// Null for a kind nobody knows.
const KindRule* find_kind(std::string_view kind);

/// The types of the results of a known kind. An error for unknown kinds and for those whose
/// results must be stated (constant, iota, reshape, broadcast_in_dim, convert, rng).
Result<Types> infer_result_types(std::string_view kind, const Types& operands,
                                 const Attributes& attributes);

/// Whether the operator is well formed and its stated results are the inferred ones.
Result<void> check_call(std::string_view kind, const OperatorCall& call);

}  // namespace autoshard::internal
