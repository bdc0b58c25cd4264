// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A training step on one of Alpa's logical meshes, priced as Alpa prices it, for comparison with
// the objectives that its own tests publish.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "autoshard/intra_op.hpp"
#include "support/alpa_cost_model.hpp"
#include "support/models.hpp"

namespace autoshard::test {

/// Alpa's programme knows no reduce-scatter (a later pass makes them) and no uneven split.
inline Target alpa_target() {
  return {.name = "alpa",
          .partial_between_operators = true,
          .reduce_scatter = false,
          .uneven_arguments = false,
          .uneven_intermediates = false,
          .sub_axes = false};
}

/// A plan is taken as proven when its bound is as close as this: a few picoseconds here.
inline constexpr double kProvenGap = 1e-9;

class AlpaCase {
 public:
  AlpaCase(Graph graph, const std::vector<AlpaAxis>& axes)
      : graph_(std::move(graph)),
        model_(axes),
        mesh_(DeviceMesh::create({{"a", axes[0].size, {}}, {"b", axes[1].size, {}}}, Device{})
                  .value()) {}

  const Graph& graph() const { return graph_; }
  const AlpaCostModel& model() const { return model_; }

  /// Fixes how an argument lies: "[{"a"}, {}]".
  void pin_argument(std::string_view name, std::string_view spec) {
    pin(graph_.main().arguments[argument_index(graph_, name)], spec);
  }
  void pin(TensorId tensor, std::string_view spec) {
    pinned_.push_back({tensor, parse_sharding_spec(spec, mesh_).value()});
  }

  /// The cheapest plan under the pins.
  IntraOpPlan solve() const {
    IntraOpOptions options;
    options.target = alpa_target();
    options.cost_model = &model_;
    options.pinned = pinned_;
    options.solve.gap_target = kProvenGap;
    Result<IntraOpPlan> plan = solve_intra_op(graph_, mesh_, options);
    if (!plan.ok()) FAIL(plan.error().message);
    CHECK(plan->solver_gap.value() <= kProvenGap);
    return std::move(plan).value();
  }

  /// Spec of an argument, as it is pinned.
  std::string split(const IntraOpPlan& plan, std::string_view name) const {
    return to_string(plan.argument_spec(argument_index(graph_, name)), mesh_);
  }

  /// Parameters and optimizer state that every device holds in full: each costs P.
  std::int64_t replicated_leaves(const IntraOpPlan& plan) const {
    std::int64_t count = 0;
    const auto& arguments = graph_.main().arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool weight = graph_[arguments[i]].role != Role::input;
      if (weight && plan.argument_spec(i).is_replicated()) ++count;
    }
    return count;
  }

 private:
  Graph graph_;
  AlpaCostModel model_;
  DeviceMesh mesh_;
  std::vector<PinnedSpec> pinned_;
};

/// Picoseconds of Alpa's units, of which every digit that it publishes is one of ours.
inline Int128 picoseconds_of(double units) { return Int128{std::llround(units * 1e6)}; }

/// Equality to the picosecond, with both sides in Alpa's units in the message.
inline void check_cost(const IntraOpPlan& plan, double units) {
  CHECK_MESSAGE(plan.solver_cost.value() == picoseconds_of(units), "costs ",
                static_cast<double>(plan.solver_cost.value()) * 1e-6, ", expected ", units);
}

}  // namespace autoshard::test
