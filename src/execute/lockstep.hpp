// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph densely and as planned, operator by operator side by side, and compares every copy
// of every tensor as soon as it exists. A copy that is wrong is reported and replaced by the right
// pieces, so that each mismatch is a cause and not a consequence of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "autoshard/graph.hpp"
#include "autoshard/plan.hpp"
#include "autoshard/verify.hpp"
#include "execute/distribution.hpp"
#include "execute/findings.hpp"
#include "execute/piece_call.hpp"

namespace autoshard::internal {

class Lockstep {
 public:
  /// All borrowed; the plan has passed check_plan.
  Lockstep(const Graph& graph, const IntraOpPlan& plan, const VerifyOptions& options);

  /// Errors: an operator that cannot be run even densely.
  Result<VerifyReport> run(Values arguments) &&;

 private:
  Result<void> run_region(RegionId region);
  Result<void> run_operator(OperatorId id);
  Result<void> run_loop(OperatorId id);
  Result<void> run_plain(OperatorId id);

  OperatorSignature signature(const Operator& op) const;
  Result<Values> run_dense(const OperatorSignature& signature);
  /// One device's results. Errors: it cannot make them from what it holds.
  Result<Values> run_piece(const OperatorSignature& signature, OperatorId id,
                           std::int64_t device) const;
  /// The values are made from nothing, once, and not on this device.
  bool is_silent(OperatorId id, std::int64_t device) const;
  Values silent_results(OperatorId id, const std::vector<Box>& boxes) const;
  void run_planned(const OperatorSignature& signature, OperatorId id);
  std::vector<bool> withheld(OperatorId id, std::int64_t device) const;

  /// Makes the copy from its source if it does not exist yet.
  void materialise(CopyId id);
  /// Stores the pieces after comparing them; without pieces, stores the right ones.
  void store(CopyId id, std::optional<Values> pieces);
  std::optional<Values> run_steps(CopyId id);
  void check_runs();
  void check_totals();
  void note_results_without_value();

  void enter(RegionId region, const std::vector<Value>& dense, std::vector<Values> pieces);
  void drop(TensorId tensor);
  Placement placement(CopyId id) const;
  const ShardingSpec& spec(CopyId id) const { return plan_[id].spec; }
  std::string describe(CopyId id) const;

  const Graph& graph_;
  const IntraOpPlan& plan_;
  const VerifyOptions& options_;
  std::vector<std::vector<TensorId>> last_uses_;  ///< by operator
  std::vector<std::vector<TensorId>> tensors_by_region_;
  std::vector<std::vector<CopyId>> copies_of_;  ///< by tensor

  std::vector<std::optional<Value>> dense_;    ///< by tensor, while it lives
  std::vector<std::optional<Values>> pieces_;  ///< by copy, then by device
  std::vector<std::int64_t> runs_;             ///< by copy: how often its steps ran
  std::vector<bool> comparing_;  ///< by region: false in all but the last turn of a loop
  Findings findings_;
};

}  // namespace autoshard::internal
