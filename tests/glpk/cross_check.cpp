// Copyright the autoshard authors.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <doctest/doctest.h>

#include <cmath>

#include "autoshard/glpk.hpp"
#include "support/random_cost_graph.hpp"

using namespace autoshard;

TEST_CASE("GLPK and the solver agree on random graphs") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const CostGraph graph =
        test::random_cost_graph(50'000 + seed, {.max_nodes = 7, .max_strategies = 4});
    const SolveResult ours = solve(graph).value();
    const SolveResult theirs = solve_with_glpk(graph).value();
    CHECK(name(theirs.status) == name(ours.status));
    REQUIRE(theirs.cost.has_value() == ours.cost.has_value());
    // GLPK stops within a relative tolerance of its own.
    if (!ours.cost) continue;
    const auto difference = static_cast<double>(*theirs.cost - *ours.cost);
    CHECK(difference >= 0);
    CHECK(difference <= 1e-6 * (1 + std::abs(static_cast<double>(*ours.cost))));
  }
}
