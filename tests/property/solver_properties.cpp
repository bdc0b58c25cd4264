// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "autoshard/solve.hpp"
#include "support/random_cost_graph.hpp"

using namespace autoshard;

namespace {

void check_against_brute_force(const CostGraph& graph) {
  const auto best = test::best_by_brute_force(graph);
  const Result<SolveResult> solved = solve(graph);
  REQUIRE(solved.ok());
  const SolveResult& result = solved.value();
  INFO(result.full_report());
  if (!best) {
    CHECK(result.status == SolveStatus::infeasible);
    CHECK(result.assignment.empty());
    return;
  }
  REQUIRE(result.status == SolveStatus::optimal);
  CHECK(*result.cost == best->cost);
  CHECK(*result.lower_bound == best->cost);
  const Evaluation evaluation = evaluate(graph, result.assignment).value();
  CHECK(evaluation.legal());
  CHECK(evaluation.cost == *result.cost);
}

void check_limited(const CostGraph& graph, std::uint64_t seed) {
  const auto best = test::best_by_brute_force(graph);
  SolveOptions options;
  options.seed = seed;
  options.gap_target = 0.3;
  const SolveResult result = solve(graph, options).value();
  if (!best) CHECK(result.status == SolveStatus::infeasible);
  if (!best) return;
  CHECK(result.status != SolveStatus::infeasible);
  if (result.lower_bound) CHECK(*result.lower_bound <= best->cost);
  if (result.cost) CHECK(*result.cost >= best->cost);
  if (result.cost) CHECK(evaluate(graph, result.assignment).value().legal());
}

}  // namespace

TEST_CASE("on 2,000 random graphs the answer is proven and equals brute force") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    check_against_brute_force(test::random_cost_graph(seed, {.max_assignments = 2'000}));
  }
}

TEST_CASE("larger random graphs with memory are proven too") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    check_against_brute_force(
        test::random_cost_graph(10'000 + seed, {.max_assignments = 100'000, .max_nodes = 14}));
  }
}

TEST_CASE("graphs without forbidden entries and graphs without memory are proven too") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    check_against_brute_force(
        test::random_cost_graph(20'000 + seed, {.max_assignments = 2'000, .forbidden = false}));
    check_against_brute_force(
        test::random_cost_graph(30'000 + seed, {.max_assignments = 2'000, .memory = false}));
  }
}

TEST_CASE("a solve that may stop early never claims a wrong bound or an illegal answer") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    check_limited(test::random_cost_graph(40'000 + seed, {.max_assignments = 2'000}), seed);
  }
}
