// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/solve.hpp"

#include <doctest/doctest.h>

#include "solver/problem_p.hpp"
#include "support/random_cost_graph.hpp"

using namespace autoshard;
using test::Costs;
using test::table_of;

namespace {

CostNode node(std::int64_t begin, std::int64_t end, Costs costs, Costs usage) {
  return {std::move(costs), {{begin, end, std::move(usage)}}};
}

/// The example of the IOPDDL contest.
CostGraph contest_example(std::optional<std::int64_t> limit) {
  CostGraph graph;
  graph.usage_limit = limit;
  graph.nodes = {node(30, 70, {15}, {10}), node(40, 70, {55, 65}, {25, 25}),
                 node(50, 120, {25, 45, 35}, {15, 20, 15}), node(110, 140, {85, 75}, {10, 10}),
                 node(110, 150, {95}, {15})};
  graph.edges = {{0, 1, table_of({30, 40})},
                 {0, 2, table_of({50, 10, 40})},
                 {1, 3, table_of({90, 10, 20, 80})},
                 {2, 4, table_of({60, 20, 30})},
                 {3, 4, table_of({70, 60})}};
  return graph;
}

/// Wide and bound by memory: a grid of nodes that are all alive at once.
CostGraph grid(std::int32_t side) {
  CostGraph graph;
  std::uint64_t state = 7;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::int64_t>((state >> 33) % below);
  };
  for (std::int32_t v = 0; v < side * side; ++v) {
    Costs costs, usage;
    for (int s = 0; s < 5; ++s) costs.push_back(random(1000)), usage.push_back(random(100));
    graph.nodes.push_back(node(0, 1, costs, usage));
  }
  const auto join = [&](std::int32_t u, std::int32_t v) {
    Costs table;
    for (int i = 0; i < 25; ++i) table.push_back(random(1000));
    graph.edges.push_back({u, v, table_of(table)});
  };
  for (std::int32_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) join(v, v + 1);
    if (v + side < side * side) join(v, v + side);
  }
  graph.usage_limit = 30 * side * side;
  return graph;
}

SolveResult solved(const CostGraph& graph, const SolveOptions& options = {}) {
  Result<SolveResult> result = solve(graph, options);
  REQUIRE(result.ok());
  return result.value();
}

std::string message(const CostGraph& graph, const SolveOptions& options = {}) {
  const Result<SolveResult> result = solve(graph, options);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::invalid_argument);
  return result.error().message;
}

}  // namespace

TEST_CASE("the contest's example costs 445 within its limit of 50 and 415 without a limit") {
  const SolveResult limited = solved(contest_example(50));
  CHECK(limited.status == SolveStatus::optimal);
  CHECK(*limited.cost == 445);
  CHECK(limited.assignment == std::vector<std::int32_t>{0, 0, 2, 1, 0});
  const SolveResult free = solved(contest_example(std::nullopt));
  CHECK(*free.cost == 415);
  CHECK(free.assignment == std::vector<std::int32_t>{0, 0, 1, 1, 0});
  CHECK(*free.peak_usage == 55);
}

TEST_CASE("the contest's example is infeasible without memory") {
  const SolveResult result = solved(contest_example(0));
  CHECK(result.status == SolveStatus::infeasible);
  CHECK(result.assignment.empty());
  CHECK_FALSE(result.cost.has_value());
  CHECK_FALSE(result.reason.empty());
}

TEST_CASE("an empty graph costs nothing") {
  const SolveResult result = solved(CostGraph{});
  CHECK(result.status == SolveStatus::optimal);
  CHECK(*result.cost == 0);
}

TEST_CASE("forbidden pairs that leave nothing are infeasible") {
  CostGraph graph;
  graph.nodes.resize(3);
  for (CostNode& each : graph.nodes) each.costs = {0, 0};
  const CostTable different = table_of({kForbidden, 0, 0, kForbidden});
  graph.edges = {{0, 1, different}, {1, 2, different}, {2, 0, different}};
  CHECK(solved(graph).status == SolveStatus::infeasible);
}

TEST_CASE("costs of 10^18 that must be paid many times are paid") {
  CostGraph graph;
  graph.nodes.resize(20);
  for (CostNode& each : graph.nodes)
    each.costs = {1'000'000'000'000'000'000, 1'000'000'000'000'000'000};
  for (std::int32_t v = 0; v + 1 < 20; ++v)
    graph.edges.push_back({v, v + 1, table_of({0, 5, 5, 3})});
  const SolveResult result = solved(graph);
  CHECK(result.status == SolveStatus::optimal);
  CHECK(to_string(*result.cost) == "20000000000000000000");
}

TEST_CASE("a grid bound by memory is answered legally with a true bound") {
  const CostGraph graph = grid(9);
  SolveOptions options;
  options.work_limit = 100;
  const SolveResult result = solved(graph, options);
  REQUIRE(result.cost.has_value());
  CHECK(evaluate(graph, result.assignment).value().legal());
  CHECK(*result.lower_bound <= *result.cost);
  CHECK(*result.gap() < 0.1);
}

TEST_CASE("the same seed and work limit give the same answer for any number of threads") {
  const CostGraph graph = grid(12);
  SolveOptions options;
  options.work_limit = 40;
  options.seed = 3;
  const SolveResult first = solved(graph, options);
  options.threads = 4;
  const SolveResult second = solved(graph, options);
  CHECK(first.assignment == second.assignment);
  CHECK(*first.lower_bound == *second.lower_bound);
  CHECK(first.work == second.work);
  CHECK(first.reproducible);
}

TEST_CASE("a work limit ends the solve as feasible and says so") {
  SolveOptions options;
  options.work_limit = 15;
  const SolveResult result = solved(grid(16), options);
  CHECK(result.status == SolveStatus::feasible);
  CHECK(result.reason == "the work limit was reached");
  CHECK(result.work >= 15);
  // The limit is looked at between steps, and one step on a region may be large.
  CHECK(result.work < 150);
}

TEST_CASE("a gap target ends the solve once it is reached") {
  SolveOptions options;
  options.gap_target = 0.2;
  const SolveResult result = solved(grid(12), options);
  CHECK(*result.gap() <= 0.2);
}

TEST_CASE("a cancel flag that is already set ends the solve at once") {
  const std::atomic<bool> cancel = true;
  SolveOptions options;
  options.cancel = &cancel;
  const SolveResult result = solved(grid(12), options);
  CHECK(result.status == SolveStatus::cancelled);
  CHECK_FALSE(result.reproducible);
}

TEST_CASE("a progress function that returns false cancels and keeps the best answer") {
  SolveOptions options;
  options.progress = [](const SolveProgress& progress) { return !progress.cost.has_value(); };
  const CostGraph graph = grid(12);
  const SolveResult result = solved(graph, options);
  CHECK(result.status == SolveStatus::cancelled);
  if (result.cost) CHECK(evaluate(graph, result.assignment).value().legal());
}

TEST_CASE("bad graphs are refused by name") {
  CostGraph graph = test::problem_p();
  graph.edges[1].costs = table_of({1, 2, 3});
  CHECK(message(graph) == "edge 1: its table has 3 entries, expected 3 x 4");
  graph = test::problem_p();
  graph.nodes[2].memory[0].usage[1] = -5;
  CHECK(message(graph) == "node 2: strategy 1 has negative usage -5");
  graph = test::problem_p();
  graph.edges[2].to = 2;
  CHECK(message(graph) == "edge 2: joins node 2 to itself");
  graph = test::problem_p();
  graph.edges[3].to = 9;
  CHECK(message(graph) == "edge 3: node 9 is not in [0, 5)");
  graph = test::problem_p();
  graph.nodes[4].costs.clear();
  CHECK(message(graph) == "node 4: has no strategies");
  graph = test::problem_p();
  graph.nodes[0].memory[0].usage.pop_back();
  CHECK(message(graph) == "node 0: 3 usages for 4 strategies");
  graph = test::problem_p();
  graph.nodes[0].memory[0].end = -1;
  CHECK(message(graph) == "node 0: memory interval [0, -1) ends before it begins");
  graph = test::problem_p();
  graph.edges[0].costs = nullptr;
  CHECK(message(graph) == "edge 0: has no cost table");
  graph = test::problem_p();
  graph.usage_limit = -1;
  CHECK(message(graph) == "usage_limit: is -1, expected at least 0");
}

TEST_CASE("bad options are refused by name") {
  const CostGraph graph = test::problem_p();
  SolveOptions options;
  options.threads = 0;
  CHECK(message(graph, options) == "threads: is 0, expected at least 1");
  options = {};
  options.time_limit_seconds = -1;
  CHECK(message(graph, options) == "time_limit_seconds: is -1, expected more than 0");
  options = {};
  options.work_limit = 0;
  CHECK(message(graph, options) == "work_limit: is 0, expected more than 0");
  options = {};
  options.gap_target = -0.5;
  CHECK(message(graph, options) == "gap_target: is -0.5, expected at least 0");
  options = {};
  options.hint = {0, 0};
  CHECK(message(graph, options) == "hint: assignment: 2 entries for 5 nodes");
}

TEST_CASE("reports name the status, the cost and the gap") {
  const SolveResult result = solved(contest_example(50));
  CHECK(result.brief_report().starts_with("optimal: cost 445, lower bound 445, gap 0.0000 %"));
  CHECK(result.full_report().find("50 of 50") != std::string::npos);
  CHECK(name(SolveStatus::time_limit) == "time_limit");
  CHECK_FALSE(SolveResult{}.gap().has_value());
}
