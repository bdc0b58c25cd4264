// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Conversions asked for and answered in text, so that a test reads like a table.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

#include "autoshard/cost_model.hpp"
#include "cost/resharding.hpp"

namespace autoshard::test {

/// A mesh on an A100 with slow links along its first axis, and what a search on it needs.
class Routes {
 public:
  explicit Routes(std::string_view mesh, Target target = {});
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;

  const DeviceMesh& mesh() const { return mesh_; }
  const CostModel& model() const { return model_; }
  const Target& target() const { return target_; }
  /// Atoms are the whole axes.
  const internal::ReshardingContext& context() const { return context_; }
  ShardingSpec spec(std::string_view text) const;

  std::optional<ReshardingPath> path(const TensorType& type, const ShardingSpec& from,
                                     const ShardingSpec& to) const;
  /// "all-reduce x, slice x"; "" when there is nothing to do, "none" when there is no way.
  std::string route(const TensorType& type, std::string_view from, std::string_view to) const;

 private:
  DeviceMesh mesh_;
  Target target_;
  AnalyticCostModel model_;
  internal::ReshardingContext context_;
};

/// Each step starts where the one before ended, has the group, bytes and price that its specs say,
/// and the last one ends in `to`.
void check_steps(const Routes& routes, const TensorType& type, const ShardingSpec& from,
                 const ShardingSpec& to, const ReshardingPath& path);

}  // namespace autoshard::test
