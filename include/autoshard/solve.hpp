// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Solves a CostGraph: simplification, exact variable elimination where the width allows it,
// Lagrangian prices on memory with a certified lower bound, and large-neighbourhood improvement.
// It does not know what a strategy means. Anytime: a time limit or a cancellation returns the
// best answer so far, with what is proven about it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/cost_graph.hpp"

namespace autoshard {

enum class SolveStatus { optimal, feasible, infeasible, time_limit, cancelled };

/// "optimal", "feasible", ... as in the plan's JSON.
std::string_view name(SolveStatus status);

struct SolveProgress {
  std::string_view phase;
  double seconds = 0;
  std::optional<Int128> cost;         ///< best so far
  std::optional<Int128> lower_bound;  ///< best so far
};

struct SolveOptions {
  /// Wall-clock seconds, > 0. Default: long enough that work, not the clock, ends most solves.
  double time_limit_seconds = 60;
  /// Work units (table entries touched, in millions), > 0; absent: only the clock limits. A solve
  /// that ends by this limit gives the same answer on every run and for every thread count.
  std::optional<std::int64_t> work_limit;
  std::uint64_t seed = 0;
  /// >= 1. Accepted for the future: at present one thread searches, whatever is given here.
  int threads = 1;
  /// Stop once (cost - lower_bound) / cost is at most this. Absent, like 0, asks for a proof.
  std::optional<double> gap_target;
  /// An assignment to start from, one strategy per node; need not be legal. Empty: none.
  std::vector<std::int32_t> hint;
  /// Set to true from any thread to stop within 100 ms. Borrowed; may be null.
  const std::atomic<bool>* cancel = nullptr;
  /// Called now and then from the solving thread; returning false cancels. May be empty.
  std::function<bool(const SolveProgress&)> progress;

  Result<void> validate() const;
};

struct PhaseTime {
  std::string name;
  double seconds = 0;
};

struct SolveResult {
  SolveStatus status = SolveStatus::infeasible;
  std::string reason;                    ///< why it ended so, one sentence
  std::vector<std::int32_t> assignment;  ///< one per node; empty when there is none
  std::optional<Int128> cost;
  std::optional<Int128> lower_bound;  ///< certified: no legal assignment costs less
  std::optional<Int128> peak_usage;
  std::optional<std::int64_t> usage_limit;
  double seconds = 0;
  std::int64_t work = 0;     ///< work units used
  bool reproducible = true;  ///< false when the clock or a cancellation ended it
  std::vector<PhaseTime> phases;
  /// Sizes before and after simplification: given versus solved.
  std::size_t nodes_given = 0, nodes_solved = 0, edges_given = 0, edges_solved = 0;

  /// (cost - lower_bound) / cost; absent without a cost or a bound; 0 when both are equal.
  std::optional<double> gap() const;
  std::string brief_report() const;  ///< one line
  std::string full_report() const;   ///< a table
};

/// Errors: invalid graph or options. No answer is not an error; see SolveResult::status.
Result<SolveResult> solve(const CostGraph& graph, const SolveOptions& options = {});

}  // namespace autoshard
