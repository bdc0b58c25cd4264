// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Shards one graph over one mesh: the sharding of every tensor and the collectives between.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "autoshard/cost_model.hpp"
#include "autoshard/device_mesh.hpp"
#include "autoshard/graph.hpp"
#include "autoshard/plan.hpp"
#include "autoshard/solve.hpp"
#include "autoshard/target.hpp"

namespace autoshard {

/// The form in which a tensor leaves its producer (an argument: in which it arrives) is given.
struct PinnedSpec {
  TensorId tensor;
  ShardingSpec spec;
};

/// The same as text: the tensor's path (Graph::path) and the spec (parse_sharding_spec). Both are
/// looked up when a graph is planned.
struct PinnedPath {
  std::string path;
  std::string spec;
};

struct IntraOpOptions {
  /// Bytes of one device that the step may use at its peak, > 0; absent: not limited.
  std::optional<std::int64_t> memory_limit_bytes;
  Target target;  ///< what the executing engine can hold
  /// Price model; null: AnalyticCostModel on the mesh. Borrowed.
  const CostModel* cost_model = nullptr;
  std::vector<PinnedSpec> pinned;
  std::vector<PinnedPath> pinned_paths;
  /// Time, work, threads, seed, cancellation, progress: see SolveOptions. Without a gap target a
  /// plan within 1 % of the bound is good enough, as cost models are further off than that.
  SolveOptions solve;

  Result<void> validate() const;
};

/// Plain data parallelism as a yardstick: every parameter and optimizer state whole on each device.
std::vector<PinnedSpec> data_parallel_pins(const Graph& graph);

/// Errors: invalid options, cancelled before there was anything to return, internal. A limit that
/// cannot be met is a plan whose status is infeasible and whose reason says what is needed.
Result<IntraOpPlan> solve_intra_op(const Graph& graph, const DeviceMesh& mesh,
                                   const IntraOpOptions& options = {});

}  // namespace autoshard
