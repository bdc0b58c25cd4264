// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "intra/planned_steps.hpp"
#include "support/models.hpp"
#include "support/random_cost_model.hpp"

using namespace autoshard;

namespace {

/// Every node and link of the cost graph is rounded to a picosecond.
double rounding(const Graph& graph) {
  return static_cast<double>(graph.operators().size() + 4 * graph.tensors().size());
}

/// What the step takes is what the solver minimised: never more, and less only where two uses
/// share a copy.
void check_cost(const Graph& graph, const IntraOpPlan& plan) {
  REQUIRE_MESSAGE(plan.has_answer(), plan.reason);
  REQUIRE(plan.solver_cost);
  const double planned = plan.step_seconds * 1e12;
  const double solved = static_cast<double>(*plan.solver_cost);
  CHECK(planned <= solved + rounding(graph));
  CHECK(planned >= solved * 0.5);
  CHECK(plan.step_seconds ==
        doctest::Approx(plan.compute_seconds + plan.collective_seconds).epsilon(1e-9));
}

/// What a cost model says of the arguments as they lie.
double argument_seconds(const Graph& graph, const IntraOpPlan& plan, const CostModel& prices) {
  double seconds = 0;
  for (const CopyId id : plan.regions[0].arguments) {
    const TensorCopy& copy = plan.copies[id.index()];
    OperatorWork work;
    work.kind = "argument";
    work.dtype = graph[copy.tensor].type.dtype;
    work.role = graph[copy.tensor].role;
    work.memory_bytes = static_cast<double>(shard_bytes(copy.spec, graph[copy.tensor].type));
    for (std::size_t dim = 0; dim < copy.spec.dims.size(); ++dim) {
      work.shards *= copy.spec.shards(dim);
    }
    seconds += prices.operator_seconds(work);
  }
  return seconds;
}

void check_sums(const Graph& graph, const IntraOpPlan& plan, const CostModel& prices) {
  double compute = argument_seconds(graph, plan, prices);
  for (const OperatorPlacement& op : plan.operators) {
    compute += op.seconds * static_cast<double>(op.count);
  }
  double conversions = 0;
  for (const TensorCopy& copy : plan.copies) {
    conversions += copy.seconds * static_cast<double>(copy.count);
  }
  double totals = 0;
  for (const CollectiveTotal& total : plan.collectives) totals += total.seconds;
  CHECK(plan.compute_seconds == doctest::Approx(compute).epsilon(1e-9));
  CHECK(plan.collective_seconds == doctest::Approx(conversions).epsilon(1e-9));
  CHECK(plan.collective_seconds == doctest::Approx(totals).epsilon(1e-9));
}

void check_state_pairs(const Graph& graph, const IntraOpPlan& plan) {
  const auto& arguments = graph.main().arguments;
  for (const StatePair& pair : graph.state_pairs()) {
    const auto index = static_cast<std::size_t>(
        std::find(arguments.begin(), arguments.end(), pair.input) - arguments.begin());
    CAPTURE(graph.path(pair.input));
    CHECK(to_string(plan.argument_spec(index), plan.mesh) ==
          to_string(plan.result_spec(static_cast<std::size_t>(pair.output)), plan.mesh));
  }
}

void check_carried_values(const Graph& graph, const IntraOpPlan& plan) {
  for (std::size_t region = 1; region < graph.regions().size(); ++region) {
    const OperatorPlacement& loop = plan.operators[graph.regions()[region].owner->index()];
    for (std::size_t i = 0; i < graph.regions()[region].arguments.size(); ++i) {
      const ShardingSpec& inside = plan[plan.regions[region].arguments[i]].spec;
      CHECK(plan[loop.operands[i]].spec == inside);
      CHECK(plan[plan.regions[region].results[i]].spec == inside);
      CHECK(plan[loop.results[i]].spec == inside);
    }
  }
}

void check_copies(const Graph& graph, const IntraOpPlan& plan) {
  for (const TensorCopy& copy : plan.copies) {
    CAPTURE(graph.path(copy.tensor));
    CHECK(validate(copy.spec, graph[copy.tensor].type, plan.mesh).ok());
    REQUIRE(copy.steps.size() == copy.step_specs.size());
    CHECK(copy.steps.empty() == !copy.source.has_value());
    if (copy.source) CHECK(copy.step_specs.back() == copy.spec);
    if (copy.source) CHECK(plan[*copy.source].tensor == copy.tensor);
  }
}

void check_all(const Graph& graph, const IntraOpPlan& plan, const CostModel* prices = nullptr) {
  check_cost(graph, plan);
  const AnalyticCostModel analytic(plan.mesh);
  check_sums(graph, plan, prices ? *prices : analytic);
  check_state_pairs(graph, plan);
  check_carried_values(graph, plan);
  check_copies(graph, plan);
}

}  // namespace

TEST_CASE("a plan's numbers add up, and are what the solver minimised") {
  for (const char* file : {"mlp", "embedding", "gpt2_tiny_loop", "gpt2_tiny_scan", "bert_layer"}) {
    const Graph graph = test::stored_step(file);
    for (const char* mesh : {"x=2,y=4", "x=6", "x=7"}) {
      CAPTURE(file);
      CAPTURE(mesh);
      check_all(graph, test::plan_of(graph, mesh, test::by_work(100)));
    }
  }
}

TEST_CASE("a plan's numbers add up at prices without reason") {
  for (const char* file : {"mlp", "embedding", "gpt2_tiny_scan"}) {
    const Graph graph = test::stored_step(file);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CAPTURE(file);
      CAPTURE(seed);
      const test::RandomCostModel prices(seed);
      IntraOpOptions options = test::by_work(100);
      options.cost_model = &prices;
      check_all(graph, test::plan_of(graph, "x=2,y=3", options), &prices);
    }
  }
}

TEST_CASE("a plan's numbers add up under a memory limit") {
  const Graph graph = test::stored_step("mlp");
  const IntraOpPlan free = test::plan_of(graph, "x=2,y=4");
  const IntraOpPlan tight =
      test::plan_of(graph, "x=2,y=4", test::limited(free.peak_bytes * 7 / 10));
  check_all(graph, tight);
}

TEST_CASE("one device needs no collective") {
  const Graph graph = test::stored_step("gpt2_tiny_loop");
  const IntraOpPlan plan = test::plan_of(graph, "x=1");
  check_all(graph, plan);
  CHECK(plan.collectives.empty());
  CHECK(plan.collective_seconds == 0);
  for (const TensorCopy& copy : plan.copies) CHECK(copy.spec.is_replicated());
}

TEST_CASE("the lower bound is not above the cost") {
  for (const char* file : {"mlp", "gpt2_tiny_loop"}) {
    const Graph graph = test::stored_step(file);
    const IntraOpPlan plan = test::plan_of(graph, "x=2,y=4", test::by_work(100));
    REQUIRE(plan.solver_lower_bound);
    CHECK(*plan.solver_lower_bound <= *plan.solver_cost);
    CHECK(*plan.solver_gap >= 0);
    if (plan.status == SolveStatus::optimal) CHECK(*plan.solver_lower_bound == *plan.solver_cost);
  }
}
