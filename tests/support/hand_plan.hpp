// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Plans written by hand, spec by spec in text, to try the machinery that runs plans without the
// planner. Whatever is not said is replicated and is read as it was made.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autoshard/collective.hpp"
#include "autoshard/device_mesh.hpp"
#include "autoshard/graph.hpp"
#include "autoshard/plan.hpp"

namespace autoshard::test {

/// "2x4", "data=2,model=4" on any device.
DeviceMesh mesh_of(std::string_view text);
ShardingSpec spec_of(std::string_view text, const DeviceMesh& mesh);

/// The collective of this kind from one spec to another: the axes, dimensions and bytes are what
/// the definition and the difference of the specs say (whole axes only).
Collective collective_of(CollectiveKind kind, const ShardingSpec& from, const ShardingSpec& to,
                         const TensorType& type, const DeviceMesh& mesh);

class HandPlan {
 public:
  using Step = std::pair<CollectiveKind, std::string_view>;  ///< and the spec after it

  /// The graph is borrowed and must outlive the plan's making.
  HandPlan(const Graph& graph, DeviceMesh mesh);

  /// How a tensor, by name, lies when its producer has made it, or as an argument.
  HandPlan& made(std::string_view tensor, std::string_view spec);
  /// A further copy of the tensor, converted step by step from its first form.
  CopyId converted(std::string_view tensor, std::vector<Step> steps);
  /// The operator, by name, reads its n-th operand from this copy.
  HandPlan& reads(std::string_view op, std::size_t operand, CopyId copy);
  /// The n-th result of a region is this copy.
  HandPlan& returns(RegionId region, std::size_t result, CopyId copy);

  /// The plan with counts and totals filled in; change it at will to make a wrong one.
  IntraOpPlan build() const;

  const DeviceMesh& mesh() const { return plan_.mesh; }
  TensorId tensor(std::string_view name) const;
  OperatorId op(std::string_view name) const;

 private:
  std::int64_t count_of(TensorId tensor) const;

  const Graph& graph_;
  IntraOpPlan plan_;
};

}  // namespace autoshard::test
