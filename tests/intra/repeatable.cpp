// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/planned_steps.hpp"

using namespace autoshard;

namespace {

/// The plan's JSON without the clock's share of it.
std::string timeless(IntraOpPlan plan, const Graph& graph) {
  plan.planning_seconds = 0;
  for (PhaseTime& phase : plan.phases) phase.seconds = 0;
  return write_plan_json(plan, graph);
}

void check_repeats(const std::string& file, const char* mesh, std::optional<std::int64_t> limit) {
  CAPTURE(file);
  CAPTURE(mesh);
  const Graph graph = test::stored_step(file);
  IntraOpOptions options = test::by_work(60);
  options.memory_limit_bytes = limit;
  options.solve.seed = 7;
  const std::string first = timeless(test::plan_of(graph, mesh, options), graph);
  CHECK(first.size() > 1000);
  CHECK(timeless(test::plan_of(graph, mesh, options), graph) == first);
  options.solve.threads = 2;
  CHECK(timeless(test::plan_of(graph, mesh, options), graph) == first);
}

}  // namespace

TEST_CASE("the same question has the same answer, at any number of threads") {
  check_repeats("mlp", "x=2,y=4", {});
  check_repeats("embedding", "x=7", {});
  check_repeats("gpt2_tiny_loop", "x=2,y=2", {});
  check_repeats("gpt2_tiny_scan", "x=6", {});
}

TEST_CASE("the same question under a memory limit has the same answer") {
  const Graph graph = test::stored_step("gpt2_tiny_scan");
  const IntraOpPlan free = test::plan_of(graph, "x=4", test::by_work(60));
  check_repeats("gpt2_tiny_scan", "x=4", free.peak_bytes / 2);
}

TEST_CASE("a graph that was read again has the same plan") {
  const Graph graph = test::stored_step("gpt2_tiny_loop");
  const auto again = parse_graph_json(write_graph_json(graph));
  REQUIRE(again.ok());
  CHECK(again->fingerprint() == graph.fingerprint());
  CHECK(timeless(test::plan_of(*again, "x=4", test::by_work(60)), *again) ==
        timeless(test::plan_of(graph, "x=4", test::by_work(60)), graph));
}
