// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the behaviour tests share. Each of them lists the plans that a person would consider, with
// their costs as closed formulas, and asks three things of the planner: it chooses the cheapest of
// them, it pays no more than that one costs, and it changes from one to the other at the very
// batch at which the formulas cross.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "autoshard/intra_op.hpp"
#include "support/models.hpp"
#include "support/simple_cost_model.hpp"

namespace autoshard::test {

inline DeviceMesh one_axis(std::int64_t devices) {
  return DeviceMesh::create({{"x", devices, {}}}, Device{}).value();
}

/// A plan that a person would consider. Collectives are counted by what they cost.
struct HandCost {
  std::string kind;
  double seconds = 0;
};

inline const HandCost& cheapest(const std::vector<HandCost>& plans) {
  return *std::ranges::min_element(plans, {}, &HandCost::seconds);
}

/// Prices by hand for groups of one size and elements of four bytes.
struct HandPrices {
  const SimpleCostModel& model;
  double devices;

  double matmul(double rows, double inner, double columns) const {
    return 2 * rows * inner * columns / model.prices().flops_per_second;
  }
  double all_reduce(double elements) const { return price(CollectiveKind::all_reduce, elements); }
  double all_gather(double elements) const { return price(CollectiveKind::all_gather, elements); }
  double reduce_scatter(double elements) const {
    return price(CollectiveKind::reduce_scatter, elements);
  }
  /// Of a tensor that is split before and after.
  double all_to_all(double elements) const {
    return price(CollectiveKind::all_to_all, elements / devices);
  }
  double share(double rows) const { return std::ceil(rows / devices); }

 private:
  double price(CollectiveKind kind, double elements) const {
    return model.collective_seconds(kind, static_cast<std::int64_t>(devices), 4 * elements);
  }
};

inline IntraOpPlan planned(const Graph& graph, const DeviceMesh& mesh, const CostModel& model,
                           std::optional<std::int64_t> memory_limit = {}) {
  IntraOpOptions options;
  options.cost_model = &model;
  options.memory_limit_bytes = memory_limit;
  options.solve.gap_target = 0;
  Result<IntraOpPlan> plan = solve_intra_op(graph, mesh, options);
  if (!plan.ok()) FAIL(plan.error().message);
  return std::move(plan).value();
}

inline double solver_seconds(const IntraOpPlan& plan) {
  return static_cast<double>(plan.solver_cost.value()) * 1e-12;
}

/// Each node and link of the cost graph is rounded to a picosecond.
inline double rounding(const Graph& graph, double seconds) {
  return 1e-9 * seconds + 1e-12 * static_cast<double>(graph.operators().size());
}

/// How each dimension is split: "-" or "x", as in "-x" for columns.
inline std::string split_of(const ShardingSpec& spec) {
  std::string text;
  for (std::size_t dim = 0; dim < spec.dims.size(); ++dim) {
    text += spec.shards(dim) > 1 ? 'x' : '-';
  }
  return text;
}

inline std::string split_of(const Graph& graph, const IntraOpPlan& plan, std::string_view name) {
  return split_of(plan.argument_spec(argument_index(graph, name)));
}

/// How the first product of the graph leaves its result.
inline std::string first_product_split(const Graph& graph, const IntraOpPlan& plan) {
  const auto operators = graph.operators();
  const auto first = std::ranges::find(operators, "dot_general", &Operator::kind);
  const auto index = static_cast<std::size_t>(first - operators.begin());
  return split_of(plan[plan.operators[index].results[0]].spec);
}

inline void check_against(const std::vector<HandCost>& hand, const std::string& kind,
                          const Graph& graph, const IntraOpPlan& plan) {
  const HandCost& best = cheapest(hand);
  const double tolerance = rounding(graph, best.seconds);
  CHECK(plan.status == SolveStatus::optimal);
  CHECK_MESSAGE(solver_seconds(plan) <= best.seconds + tolerance, solver_seconds(plan), " for ",
                kind, ", by hand ", best.seconds, " for ", best.kind);
  CHECK_MESSAGE(solver_seconds(plan) >= best.seconds - tolerance, solver_seconds(plan), " for ",
                kind, ", by hand ", best.seconds, " for ", best.kind);
  // Where two plans cost the same either may be chosen.
  const bool tied = std::ranges::any_of(hand, [&](const HandCost& other) {
    return other.kind == kind && other.seconds <= best.seconds + tolerance;
  });
  CHECK_MESSAGE((kind == best.kind || tied), "planned ", kind, ", by hand ", best.kind);
}

/// The least number in (low, high] for which `holds`, which holds at `high`, not at `low`, and
/// changes once between.
inline std::int64_t first_that(std::int64_t low, std::int64_t high,
                               const std::function<bool(std::int64_t)>& holds) {
  REQUIRE(!holds(low));
  REQUIRE(holds(high));
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace autoshard::test
