// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Real training steps, planned at random prices so that every kind of sharding comes up, and run
// device by device.
#include <doctest/doctest.h>

#include <string>

#include "autoshard/graph_io.hpp"
#include "autoshard/intra_op.hpp"
#include "autoshard/verify.hpp"
#include "support/random_cost_model.hpp"

namespace autoshard {
namespace {

std::int64_t sharded_copies(const IntraOpPlan& plan) {
  std::int64_t count = 0;
  for (const TensorCopy& copy : plan.copies) count += !copy.spec.is_replicated();
  return count;
}

void check_random_plans(const std::string& file, const std::string& mesh_text, int seeds) {
  const auto graph = load_graph(std::string(AUTOSHARD_TEST_DATA) + "/" + file);
  REQUIRE_MESSAGE(graph.ok(), file);
  const auto mesh = DeviceMesh::parse(mesh_text, *find_device("a100"));
  REQUIRE(mesh.ok());
  for (int seed = 0; seed < seeds; ++seed) {
    CAPTURE(file);
    CAPTURE(mesh_text);
    CAPTURE(seed);
    const test::RandomCostModel prices(static_cast<std::uint64_t>(seed));
    IntraOpOptions options;
    options.cost_model = &prices;
    options.solve.work_limit = 50;
    const auto plan = solve_intra_op(*graph, *mesh, options);
    REQUIRE_MESSAGE(plan.ok(), plan.error().message);
    REQUIRE(plan->has_answer());
    CHECK(sharded_copies(*plan) > static_cast<std::int64_t>(plan->copies.size()) / 10);
    const auto report = verify(*graph, *plan);
    REQUIRE_MESSAGE(report.ok(), report.error().message);
    CHECK_MESSAGE(report->passed(), report->full_report());
  }
}

TEST_CASE("plans of an MLP's training step run as the dense step does") {
  check_random_plans("mlp.hlo.gz", "data=2,model=2", 4);
  check_random_plans("mlp.hlo.gz", "a=2,b=2,c=2", 2);
  check_random_plans("mlp.hlo.gz", "d=7", 2);
}

TEST_CASE("plans of a shrunk GPT-2 training step run as the dense step does") {
  check_random_plans("gpt2_tiny_loop.hlo.gz", "data=2,model=2", 4);
  check_random_plans("gpt2_tiny_loop.hlo.gz", "data=2,model=3", 2);
  check_random_plans("gpt2_tiny_loop.hlo.gz", "d=6", 2);
}

TEST_CASE("plans of a shrunk GPT-2 step with a scan over layers run as the dense step does") {
  check_random_plans("gpt2_tiny_scan.hlo.gz", "data=2,model=2", 4);
  check_random_plans("gpt2_tiny_scan.hlo.gz", "d=3", 2);
}

TEST_CASE("plans of a tied embedding and of an encoder layer run as the dense step does") {
  check_random_plans("embedding.hlo.gz", "data=2,model=4", 4);
  check_random_plans("bert_layer.hlo.gz", "data=2,model=2", 3);
}

TEST_CASE("plans of convolutions, poolings and their gradients run as the dense step does") {
  check_random_plans("convolutions.hlo.gz", "data=2,model=2", 4);
  check_random_plans("convolutions.hlo.gz", "data=2,model=3", 2);
  check_random_plans("convolutions.hlo.gz", "d=4", 2);
}

}  // namespace
}  // namespace autoshard
