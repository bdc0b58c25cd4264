// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The answer of solve_intra_op: a value that says, for every tensor, how it lies on the mesh, which
// collectives that takes, how long a step is and how much memory a device needs, and how far the
// answer can be from the best one. It is complete: an engine (or `verify`) can run it without
// asking the library anything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/collective.hpp"
#include "autoshard/graph.hpp"
#include "autoshard/solve.hpp"

namespace autoshard {

/// One materialised form of a tensor. The first form of a tensor is made by its producer (or is
/// the argument as the step receives it) and has no source; any other is made from its source by
/// `steps`, in the tensor's own region: at once, or just before the first operator there that needs
/// it (itself or inside its body, so that what a loop does not change is converted once).
struct TensorCopy {
  TensorId tensor;
  ShardingSpec spec;
  std::optional<CopyId> source;
  std::vector<Collective> steps;         ///< empty without a source
  std::vector<ShardingSpec> step_specs;  ///< the spec after each step; the last one is `spec`
  Phase phase = Phase::forward;          ///< of its first use
  /// Made as soon as its source is, which is then given up; otherwise just before its first use.
  bool at_once = false;
  std::int64_t count = 1;  ///< runs per step: the product of the trip counts around it
  double seconds = 0;      ///< of one run of `steps`
};

/// How one operator runs: which copies it reads, which it makes. For a loop: the carried values as
/// they enter; inside, the body's arguments are copies without a source, in the same spec.
struct OperatorPlacement {
  std::vector<CopyId> operands;
  std::vector<CopyId> results;
  double seconds = 0;  ///< of one run on one device, without collectives
  std::int64_t count = 1;
};

/// A loop's carried value as it leaves the body, and a result of main as the step returns it.
struct RegionPlacement {
  std::vector<CopyId> arguments;
  std::vector<CopyId> results;
};

/// Collectives of one kind over the same axes, added up over a step.
struct CollectiveTotal {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<AxisRef> axes;
  std::int64_t count = 0;
  std::int64_t buffer_bytes = 0;
  std::int64_t sent_bytes_per_device = 0;
  double seconds = 0;
};

struct IntraOpPlan {
  std::string graph_name;
  std::string graph_fingerprint;
  DeviceMesh mesh;
  std::string target;

  SolveStatus status = SolveStatus::infeasible;
  std::string reason;  ///< why it ended so; for an infeasible plan, what is asked for at least

  // Empty when there is no answer.
  std::vector<TensorCopy> copies;            ///< indexed by CopyId
  std::vector<OperatorPlacement> operators;  ///< indexed by OperatorId
  std::vector<RegionPlacement> regions;      ///< indexed by RegionId; [0] is main

  double step_seconds = 0;  ///< compute + collectives, one after another
  double compute_seconds = 0;
  double collective_seconds = 0;
  std::vector<CollectiveTotal> collectives;
  std::int64_t peak_bytes = 0;      ///< of one device, over the step
  std::string peak_at;              ///< name of the operator that runs at the peak
  std::int64_t argument_bytes = 0;  ///< of one device: parameters, state, inputs
  std::optional<std::int64_t> memory_limit_bytes;

  std::optional<Int128> solver_cost;         ///< picoseconds
  std::optional<Int128> solver_lower_bound;  ///< picoseconds, of the cost graph
  std::optional<double> solver_gap;

  std::vector<std::string> warnings;
  std::vector<PhaseTime> phases;  ///< of planning: strategies, cost graph, solve, ...
  double planning_seconds = 0;

  bool has_answer() const { return !regions.empty(); }
  const TensorCopy& operator[](CopyId id) const { return copies[id.index()]; }
  /// Spec of an argument of main, in order.
  const ShardingSpec& argument_spec(std::size_t index) const;
  const ShardingSpec& result_spec(std::size_t index) const;

  std::string brief_report() const;                   ///< one line
  std::string full_report(const Graph& graph) const;  ///< the table of the `plan` command
};

/// What a memory limit changed and why, for a reader: `before` was planned without it. Both are
/// plans of `graph` and have answers.
std::string compare_plans(const Graph& graph, const IntraOpPlan& before, const IntraOpPlan& after);

/// Schema in docs/plan.md.
std::string write_plan_json(const IntraOpPlan& plan, const Graph& graph);
/// Errors name the key; a plan of another graph (fingerprint) is refused.
Result<IntraOpPlan> parse_plan_json(std::string_view text, const Graph& graph);

}  // namespace autoshard
