// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "solver/problem_p.hpp"

using namespace autoshard;
using Assignment = std::vector<std::int32_t>;

TEST_CASE("the referee adds node and edge costs and finds the first peak") {
  // computation 159 + communication 1590 + resharding 10400; the alias of 1 and 4 holds.
  const Assignment x = {3, 1, 2, 2, 1};
  const Evaluation evaluation = evaluate(test::problem_p(), x).value();
  CHECK(evaluation.cost == 159 + 1590 + 10400);
  CHECK(evaluation.peak_usage == 1'080'000);
  CHECK(evaluation.peak_time == 3);
  CHECK(evaluation.legal());
}

TEST_CASE("passing the limit is not legal") {
  const Evaluation evaluation = evaluate(test::problem_p(), Assignment{2, 1, 2, 2, 1}).value();
  CHECK(evaluation.cost == 158 + 1580 + 9400);
  CHECK(evaluation.peak_usage == 1'940'000);
  CHECK_FALSE(evaluation.within_limit);
  CHECK(evaluation.forbidden == 0);
  CHECK_FALSE(evaluation.legal());
}

TEST_CASE("a broken follower or alias counts as one forbidden pair") {
  CHECK(evaluate(test::problem_p(), Assignment{3, 1, 2, 1, 1}).value().forbidden == 1);
  CHECK(evaluate(test::problem_p(), Assignment{3, 1, 2, 2, 0}).value().forbidden == 1);
}

TEST_CASE("forbidden node costs are counted and not added") {
  CostGraph graph = test::problem_p();
  graph.nodes[0].costs[0] = kForbidden;
  const Evaluation evaluation = evaluate(graph, Assignment{0, 1, 2, 2, 1}).value();
  CHECK(evaluation.forbidden == 1);
  CHECK(evaluation.cost == 159 + 1590 + 10400 - 13 - 130 - 3000);
}

TEST_CASE("an empty interval holds no memory") {
  CostGraph graph;
  graph.usage_limit = 0;
  graph.nodes.resize(1);
  graph.nodes[0].costs = {7};
  graph.nodes[0].memory = {{4, 4, {1000}}};
  const Evaluation evaluation = evaluate(graph, Assignment{0}).value();
  CHECK(evaluation.peak_usage == 0);
  CHECK(evaluation.legal());
}

TEST_CASE("totals pass 64 bits") {
  CostGraph graph;
  graph.nodes.resize(30);
  for (CostNode& node : graph.nodes) node.costs = {1'000'000'000'000'000'000};
  const Evaluation evaluation = evaluate(graph, Assignment(30, 0)).value();
  CHECK(to_string(evaluation.cost) == "30000000000000000000");
  CHECK(to_string(-evaluation.cost) == "-30000000000000000000");
  CHECK(to_string(0) == "0");
}

TEST_CASE("parallel edges add up in either orientation") {
  CostGraph graph;
  graph.nodes.resize(2);
  graph.nodes[0].costs = {0, 0};
  graph.nodes[1].costs = {0, 0, 0};
  graph.edges.push_back({0, 1, test::table_of({1, 2, 3, 4, 5, 6})});
  graph.edges.push_back({1, 0, test::table_of({10, 20, 30, 40, 50, 60})});
  CHECK(evaluate(graph, Assignment{1, 2}).value().cost == 6 + 60);
  CHECK(evaluate(graph, Assignment{0, 1}).value().cost == 2 + 30);
}

TEST_CASE("an assignment of the wrong length or out of range is an error that names the node") {
  CHECK(evaluate(test::problem_p(), Assignment{0, 0}).error().message ==
        "assignment: 2 entries for 5 nodes");
  CHECK(evaluate(test::problem_p(), Assignment{0, 3, 0, 0, 0}).error().message ==
        "node 1: strategy 3 is not in [0, 3)");
  CHECK(evaluate(test::problem_p(), Assignment{0, 0, 0, -1, 0}).error().message ==
        "node 3: strategy -1 is not in [0, 4)");
}
