// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/planned_steps.hpp"
#include "support/models.hpp"

using namespace autoshard;

namespace {

std::int64_t part_of(std::int64_t bytes, double share) {
  return static_cast<std::int64_t>(static_cast<double>(bytes) * share);
}

/// A plan with an answer meets the limit or says by how much it does not.
void check_peak(const IntraOpPlan& plan) {
  CHECK(plan.status != SolveStatus::infeasible);
  const std::int64_t over = plan.peak_bytes - *plan.memory_limit_bytes;
  if (over <= 0) return;
  CHECK(over * 100 < *plan.memory_limit_bytes);
  CHECK(plan.status != SolveStatus::optimal);
  REQUIRE_FALSE(plan.warnings.empty());
  CHECK(plan.warnings.back() == "the peak is " + std::to_string(over) + " bytes over the limit");
}

/// Limits from what the step takes without one down to a fifth of it.
void sweep_limits(const Graph& graph, std::string_view mesh, std::int64_t work) {
  CAPTURE(graph.name());
  CAPTURE(std::string(mesh));
  IntraOpOptions options = test::by_work(work);
  options.solve.gap_target = 0;
  const IntraOpPlan free = test::plan_of(graph, mesh, options);
  REQUIRE(free.has_answer());
  std::optional<Int128> last = free.solver_cost;
  bool all_optimal = free.status == SolveStatus::optimal;
  for (const double share : {1.1, 0.9, 0.7, 0.5, 0.35, 0.2}) {
    CAPTURE(share);
    options.memory_limit_bytes = part_of(free.peak_bytes, share);
    const IntraOpPlan plan = test::plan_of(graph, mesh, options);
    CAPTURE(plan.reason);
    CHECK(plan.memory_limit_bytes == options.memory_limit_bytes);
    if (!plan.has_answer()) {
      CHECK((plan.status == SolveStatus::infeasible || plan.status == SolveStatus::time_limit));
      CHECK_FALSE(plan.reason.empty());
      last.reset();
      continue;
    }
    CHECK_MESSAGE(last, "a tighter limit can be met although a wider one cannot");
    check_peak(plan);
    all_optimal = all_optimal && plan.status == SolveStatus::optimal;
    if (all_optimal && last) CHECK(*plan.solver_cost >= *last);
    last = plan.solver_cost;
  }
}

}  // namespace

TEST_CASE("a tighter memory limit is met and never makes an MLP's step faster") {
  const Graph sgd = test::mlp_step({.batch = 64, .widths = {64, 256, 64}});
  const Graph adam = test::mlp_step(
      {.batch = 16, .widths = {128, 512, 128}, .bias = true, .optimizer = test::Optimizer::adam});
  for (const char* mesh : {"x=4", "x=2,y=2", "x=6"}) {
    sweep_limits(sgd, mesh, 100);
    sweep_limits(adam, mesh, 100);
  }
}

TEST_CASE("a tighter memory limit is met in a stored MLP's step") {
  sweep_limits(test::stored_step("mlp"), "x=2,y=4", 100);
}

TEST_CASE("a tighter memory limit is met in a shrunk GPT-2's step") {
  sweep_limits(test::stored_step("gpt2_tiny_loop"), "x=4", 60);
}

TEST_CASE("a tighter memory limit is met in a scan over layers") {
  sweep_limits(test::stored_step("gpt2_tiny_scan"), "x=4", 60);
}

TEST_CASE("a plan that needs more than counted on is kept, with a warning") {
  const Graph graph = test::stored_step("gpt2_tiny_scan");
  const IntraOpPlan plan = test::plan_of(graph, "x=4", test::limited(700'000, 20));
  if (plan.has_answer()) check_peak(plan);
}

TEST_CASE("a limit below what the arguments take is infeasible, and the reason says so") {
  const Graph graph = test::mlp_step({.batch = 64, .widths = {64, 256, 64}});
  const IntraOpPlan plan = test::plan_of(graph, "x=4", test::limited(1000));
  CHECK(plan.status == SolveStatus::infeasible);
  CHECK_FALSE(plan.has_answer());
  CHECK_FALSE(plan.reason.empty());
  CHECK_FALSE(plan.solver_cost);
  CHECK(plan.brief_report().find("infeasible") != std::string::npos);
}

TEST_CASE("a limit that cannot be met is answered with one that can") {
  const Graph graph = test::mlp_step({.batch = 64, .widths = {64, 256, 64}});
  const std::int64_t limit = test::plan_of(graph, "x=4").peak_bytes / 5;
  const IntraOpPlan refused = test::plan_of(graph, "x=4", test::limited(limit));
  REQUIRE(refused.status == SolveStatus::infeasible);
  CHECK(refused.peak_bytes > limit);
  CHECK(refused.reason.ends_with("; " + std::to_string(refused.peak_bytes) + " bytes would do"));
  const IntraOpPlan met = test::plan_of(graph, "x=4", test::limited(refused.peak_bytes));
  REQUIRE(met.has_answer());
  CHECK(met.peak_bytes <= refused.peak_bytes);
}

TEST_CASE("the arguments alone are never more than the peak") {
  const Graph graph = test::stored_step("mlp");
  for (const char* mesh : {"x=2,y=4", "x=7", "x=1"}) {
    const IntraOpPlan plan = test::plan_of(graph, mesh);
    CHECK(plan.argument_bytes > 0);
    CHECK(plan.argument_bytes <= plan.peak_bytes);
    CHECK_FALSE(plan.peak_at.empty());
  }
}

TEST_CASE("a limit that is wide enough changes nothing about the cost") {
  const Graph graph = test::mlp_step({.batch = 64, .widths = {64, 256, 64}});
  IntraOpOptions options = test::by_work();
  options.solve.gap_target = 0;
  const IntraOpPlan free = test::plan_of(graph, "x=2,y=2", options);
  options.memory_limit_bytes = 100 * free.peak_bytes;
  const IntraOpPlan wide = test::plan_of(graph, "x=2,y=2", options);
  REQUIRE(free.status == SolveStatus::optimal);
  REQUIRE(wide.status == SolveStatus::optimal);
  CHECK(*wide.solver_cost == *free.solver_cost);
}
