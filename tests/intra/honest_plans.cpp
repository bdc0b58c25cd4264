// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Plans of small graphs in which a planner could cheat: operators that nobody described, values
// that are partial in different ways, sizes that no mesh divides.
#include "autoshard/graph_builder.hpp"
#include "autoshard/verify.hpp"
#include "intra/planned_steps.hpp"
#include "support/models.hpp"
#include "support/random_cost_model.hpp"

using namespace autoshard;

namespace {

using Ints = std::vector<std::int64_t>;

TensorType f32(Ints shape) { return {DType::f32, std::move(shape)}; }

Graph finished(GraphBuilder builder) {
  auto graph = std::move(builder).build();
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

/// A few of the columns' maxima. Summing, for those few, what each device takes for a maximum would
/// be cheaper than agreeing on all maxima first, and wrong.
Graph some_maxima() {
  GraphBuilder b("some_maxima");
  const TensorId x = b.argument("x", f32({64, 65536}));
  const TensorId low = b.add_one({"low", "constant", {}, {f32({})}, {{"value", -1e30}}});
  const TensorId most = b.add_one({"most",
                                   "reduce",
                                   {x, low},
                                   {f32({65536})},
                                   {{"dimensions", Ints{0}}, {"reducer", std::string("max")}}});
  b.result(
      b.add_one({"few",
                 "slice",
                 {most},
                 {f32({16})},
                 {{"start_indices", Ints{0}}, {"limit_indices", Ints{16}}, {"strides", Ints{1}}}}));
  return finished(std::move(b));
}

/// tanh -> an operator that nobody knows -> tanh.
Graph with_stranger() {
  GraphBuilder b("with_stranger");
  const TensorId x = b.argument("x", f32({64, 64}));
  const TensorId before = b.add_one({"before", "tanh", {x}, {f32({64, 64})}});
  const TensorId strange = b.add_one({"stranger",
                                      "custom_call",
                                      {before},
                                      {f32({64, 64})},
                                      {{"call_target_name", std::string("their_kernel")}}});
  b.result(b.add_one({"after", "tanh", {strange}, {f32({64, 64})}}));
  return finished(std::move(b));
}

void check_runs(const Graph& graph, const IntraOpPlan& plan) {
  REQUIRE(plan.has_answer());
  const auto report = verify(graph, plan);
  REQUIRE_MESSAGE(report.ok(), report.error().message);
  CHECK_MESSAGE(report->passed(), report->full_report());
}

}  // namespace

TEST_CASE("a partial maximum is never summed") {
  const Graph graph = some_maxima();
  const DeviceMesh mesh = test::a100_mesh("x=4");
  IntraOpOptions options = test::by_work(10);
  options.solve.gap_target = 0;
  options.pinned = {{graph.main().arguments[0], {{{whole_axis(mesh, 0)}, {}}, {}}}};
  check_runs(graph, test::plan_of(graph, "x=4", options));
}

TEST_CASE("an operator without a rule is kept replicated and named in a warning") {
  const Graph graph = with_stranger();
  const test::RandomCostModel prices(1);
  IntraOpOptions options = test::by_work(10);
  options.cost_model = &prices;
  const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
  REQUIRE(plan.has_answer());
  CHECK(plan.warnings ==
        std::vector<std::string>{
            "operator 'stranger': no sharding rule for 'custom_call' of 'their_kernel'; kept "
            "replicated"});
  const OperatorPlacement& placed = plan.operators[1];
  CHECK(plan[placed.operands[0]].spec.is_replicated());
  CHECK(plan[placed.results[0]].spec.is_replicated());
}

TEST_CASE("a loop whose number of rounds nobody knows is named in a warning") {
  GraphBuilder b("endless");
  const TensorId x = b.argument("x", f32({64}));
  const LoopBody body = b.begin_loop({"loop", "while", {x}, {f32({64})}});
  const TensorId next = b.add_one({"next", "tanh", {body.arguments[0]}, {f32({64})}});
  b.result(b.end_loop({next})[0]);
  const IntraOpPlan plan = test::plan_of(finished(std::move(b)), "x=4");
  CHECK(plan.warnings == std::vector<std::string>{
                             "loop 'loop': its number of rounds is not known; priced as one"});
}

TEST_CASE("a graph whose operators all have rules gives no warning") {
  CHECK(test::plan_of(test::mlp_step({}), "x=4").warnings.empty());
}

TEST_CASE("meshes of 6 and 7 devices split what they do not divide, and the plans run") {
  const Graph graph = test::mlp_step({.batch = 8, .widths = {10, 9, 8}, .bias = true});
  for (const char* mesh : {"x=6", "x=7", "x=2,y=3"}) {
    bool split = false;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      CAPTURE(mesh);
      CAPTURE(seed);
      const test::RandomCostModel prices(seed);
      IntraOpOptions options = test::by_work(10);
      options.cost_model = &prices;
      const IntraOpPlan plan = test::plan_of(graph, mesh, options);
      check_runs(graph, plan);
      for (const TensorCopy& copy : plan.copies) split = split || !copy.spec.is_replicated();
    }
    CHECK(split);
  }
}

TEST_CASE("an engine without uneven shards gets none") {
  const Graph graph = test::mlp_step({.batch = 12, .widths = {10, 9, 8}});
  Target target;
  target.uneven_arguments = target.uneven_intermediates = false;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const test::RandomCostModel prices(seed);
    IntraOpOptions options = test::by_work(10);
    options.cost_model = &prices;
    options.target = target;
    const IntraOpPlan plan = test::plan_of(graph, "x=2,y=3", options);
    REQUIRE(plan.has_answer());
    for (const TensorCopy& copy : plan.copies) {
      const TensorType& type = graph[copy.tensor].type;
      for (std::size_t dim = 0; dim < type.shape.size(); ++dim) {
        CHECK(type.shape[dim] % copy.spec.shards(dim) == 0);
      }
    }
  }
}

TEST_CASE("an engine that cannot hold partial values between operators reads none") {
  const Graph graph = test::stored_step("mlp");
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const test::RandomCostModel prices(seed);
    IntraOpOptions options = test::by_work(10);
    options.cost_model = &prices;
    options.target = *find_target("xla");
    const IntraOpPlan plan = test::plan_of(graph, "x=2,y=2", options);
    REQUIRE(plan.has_answer());
    for (const OperatorPlacement& placed : plan.operators) {
      for (CopyId operand : placed.operands) CHECK(plan[operand].spec.partial.empty());
    }
  }
}
