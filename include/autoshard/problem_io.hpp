// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Bare cost graphs in the JSON format of the public IOPDDL contest (ASPLOS 2025), and answers to
// them as JSON. The contest writes "cannot be" as a cost of exactly 10^18; here such entries are
// forbidden first, and are tried as the costs they are only if nothing else is left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/cost_graph.hpp"
#include "autoshard/error.hpp"
#include "autoshard/solve.hpp"

namespace autoshard {

/// Errors name the key, the node or the edge.
Result<CostGraph> parse_problem(std::string_view text);
/// Reads a file, plain or .gz. Errors name the file as well.
Result<CostGraph> load_problem(const std::string& path);

/// `solve`, and where that proves that nothing is legal without forbidden entries, `solve` again
/// in the time that is left with those entries costing 10^18 each; the reason then says so.
Result<SolveResult> solve_problem(const CostGraph& problem, const SolveOptions& options = {});

/// What an assignment costs, forbidden entries at 10^18 each, and what is wrong with it.
struct ProblemCheck {
  Evaluation evaluation;
  std::int64_t forbidden = 0;  ///< entries of 10^18 that are paid; legal, but no real answer
  std::vector<std::string> violations;
  bool legal() const { return violations.empty(); }
};

/// By `evaluate`, which shares no code with any solver. Errors: wrong length, strategy out of
/// range.
Result<ProblemCheck> check_problem(const CostGraph& problem,
                                   std::span<const std::int32_t> assignment);

/// status, reason, cost, lower_bound, gap, peak_usage, usage_limit, seconds, load_seconds,
/// assignment and more. Totals are decimal strings as they may pass 64 bits.
std::string write_solution_json(const SolveResult& result, std::optional<double> load_seconds = {});
/// legal, cost, peak_usage, peak_time, usage_limit, forbidden, violations.
std::string write_check_json(const CostGraph& problem, const ProblemCheck& check);
/// An answer as somebody states it, to be checked.
struct StatedAnswer {
  std::vector<std::int32_t> assignment;
  std::optional<std::string> cost;        ///< decimal
  std::optional<std::string> peak_usage;  ///< decimal
};

/// A JSON list of strategies, or an object with the key "assignment" as write_solution_json
/// makes it. Errors name the entry.
Result<StatedAnswer> parse_answer(std::string_view text);

/// check_problem, which also holds what the answer states against what is true.
Result<ProblemCheck> check_answer(const CostGraph& problem, const StatedAnswer& answer);

}  // namespace autoshard
