// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "autoshard/graph_io.hpp"
#include "autoshard/intra_op.hpp"

namespace autoshard {

TEST_CASE("plans of real models come back from JSON as they were") {
  const DeviceMesh mesh = DeviceMesh::parse("data=4", find_device("a100").value()).value();
  for (const char* name : {"mlp", "embedding", "gpt2_tiny_loop", "gpt2_tiny_scan"}) {
    CAPTURE(name);
    const Result<Graph> graph = load_graph(std::string(AUTOSHARD_TEST_DATA "/") + name + ".hlo.gz");
    REQUIRE_MESSAGE(graph.ok(), graph.error().message);
    const Result<IntraOpPlan> plan = solve_intra_op(*graph, mesh);
    REQUIRE_MESSAGE(plan.ok(), plan.error().message);
    REQUIRE(plan->has_answer());
    const std::string text = write_plan_json(*plan, *graph);
    const Result<IntraOpPlan> read = parse_plan_json(text, *graph);
    REQUIRE_MESSAGE(read.ok(), read.error().message);
    CHECK(write_plan_json(*read, *graph) == text);
  }
}

}  // namespace autoshard
