// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The published variants of XLA's solver tests and their objective values.
#include <doctest/doctest.h>

#include <algorithm>

#include "autoshard/solve.hpp"
#include "solver/problem_p.hpp"

using namespace autoshard;
using Assignment = std::vector<std::int32_t>;

namespace {

SolveResult solved(const CostGraph& graph, const SolveOptions& options = {}) {
  Result<SolveResult> result = solve(graph, options);
  REQUIRE(result.ok());
  return result.value();
}

void check(const CostGraph& graph, std::int64_t cost, const Assignment& assignment) {
  const SolveResult result = solved(graph);
  CHECK(result.status == SolveStatus::optimal);
  REQUIRE(result.cost.has_value());
  CHECK(*result.cost == cost);
  CHECK(*result.lower_bound == cost);
  CHECK(result.assignment == assignment);
}

/// Counts departures (strategies other than the second) as usage at a time of their own; the
/// limit there is `most` once the memory scale is taken out by a constant node.
CostGraph with_most_departures(std::int64_t most) {
  CostGraph graph = test::problem_p();
  const std::int64_t limit = *graph.usage_limit;
  for (CostNode& node : graph.nodes) {
    test::Costs departs(node.costs.size(), 1);
    departs[1] = 0;
    node.memory.push_back({10, 11, departs});
  }
  CostNode rest;
  rest.costs = {0};
  rest.memory = {{10, 11, {limit - most}}};
  graph.nodes.push_back(rest);
  return graph;
}

/// A budget that may be passed at a price: an auxiliary node chooses how much more than `budget`
/// is allowed, in the steps that the usages allow, and pays for it.
CostGraph with_priced_budget(std::int64_t budget, std::int64_t coefficient) {
  constexpr std::int64_t kStep = 10'000, kMost = 2'000'000;
  CostGraph graph = test::problem_p();
  graph.usage_limit = budget + kMost;
  CostNode allowance;
  MemoryPiece unused{0, 5, {}};
  for (std::int64_t over = 0; over <= kMost; over += kStep) {
    allowance.costs.push_back(coefficient * over);
    unused.usage.push_back(kMost - over);
  }
  allowance.memory = {unused};
  graph.nodes.push_back(allowance);
  return graph;
}

}  // namespace

TEST_CASE("the base problem of XLA's solver tests costs 7650 at a peak of 1.0e6") {
  check(test::problem_p(), 7650, {0, 0, 0, 0, 0});
  CHECK(*solved(test::problem_p()).peak_usage == 1'000'000);
}

TEST_CASE("infinite node costs are avoided") {
  CostGraph graph = test::problem_p();
  for (int s = 0; s < 3; ++s) graph.nodes[0].costs[static_cast<std::size_t>(s)] = kForbidden;
  check(graph, 10683, {3, 0, 0, 0, 0});
}

TEST_CASE("infinite edge costs are avoided") {
  CostGraph graph = test::problem_p();
  test::Costs costs = *graph.edges[0].costs;
  costs[0] = kForbidden;
  graph.edges[0].costs = test::table_of(costs);
  check(graph, 7872, {0, 0, 1, 1, 0});
}

TEST_CASE("an extra edge to the follower is paid as well") {
  CostGraph graph = test::problem_p();
  graph.edges.push_back({1, 3, graph.edges[1].costs});
  check(graph, 12650, {0, 0, 0, 0, 0});
}

TEST_CASE("an edge between a node and its follower collapses to its diagonal") {
  CostGraph graph = test::problem_p();
  graph.edges.push_back({2, 3,
                         test::table_of({9000, 5100, 5200, 5300, 6000, 6100, 6200, 6300,  //
                                         7000, 7100, 7200, 7300, 8000, 8100, 8200, 8300})});
  check(graph, 13972, {0, 0, 1, 1, 0});
}

TEST_CASE("a hint does not change the optimum") {
  SolveOptions options;
  options.hint = {1, 0, 0, 0, 0};
  CHECK(*solved(test::problem_p(), options).cost == 7650);
}

TEST_CASE("at most three departures cost 7872") {
  check(with_most_departures(3), 7872, {0, 0, 1, 1, 0, 0});
}

TEST_CASE("departures alone are minimised to none") {
  check(test::problem_p_departures(), 0, {1, 1, 1, 1, 1});
}

TEST_CASE("a priced budget of 1e5 at 10 a unit costs 9007650") {
  const SolveResult result = solved(with_priced_budget(100'000, 10));
  CHECK(result.status == SolveStatus::optimal);
  CHECK(*result.cost == 9'007'650);
  CHECK(std::all_of(result.assignment.begin(), result.assignment.begin() + 5,
                    [](std::int32_t s) { return s == 0; }));
}

TEST_CASE("strategies that repeat others change nothing") {
  CostGraph graph = test::problem_p();
  // Node 2 and its follower get three more copies of their first strategy.
  for (const std::size_t v : {2u, 3u}) {
    for (int copy = 0; copy < 3; ++copy) {
      graph.nodes[v].costs.push_back(graph.nodes[v].costs[0]);
      graph.nodes[v].memory[0].usage.push_back(graph.nodes[v].memory[0].usage[0]);
    }
  }
  for (std::size_t e = 0; e < 2; ++e) {
    const std::int64_t rows = e == 0 ? 4 : 3;
    test::Costs wide;
    for (std::int64_t i = 0; i < rows * 7; ++i) {
      const std::int64_t column = i % 7 < 4 ? i % 7 : 0;
      wide.push_back((*graph.edges[e].costs)[static_cast<std::size_t>(i / 7 * 4 + column)]);
    }
    graph.edges[e].costs = test::table_of(wide);
  }
  graph.edges[2].costs = test::table_of(test::same_index(7, 7));
  CHECK(*solved(graph).cost == 7650);
}

TEST_CASE("a budget below the least usage is infeasible, and exactly the least usage is not") {
  CostGraph graph = test::problem_p();
  graph.usage_limit = 999'999;
  CHECK(solved(graph).status == SolveStatus::infeasible);
  graph.usage_limit = 1'000'000;
  check(graph, 7650, {0, 0, 0, 0, 0});
}
