// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of plan that the behaviour tests ask for, on models small enough to run: each computes
// what the whole graph computes and sends as many bytes as it says. They are also read back from
// their JSON first.
#include "autoshard/verify.hpp"
#include "intra/behaviour.hpp"

namespace autoshard::test {
namespace {

constexpr std::int64_t kDevices = 4;

/// Pins weights, so that the rest has to fit them.
IntraOpPlan plan_with(const Graph& graph,
                      const std::vector<std::pair<const char*, const char*>>& pins) {
  const DeviceMesh mesh = one_axis(kDevices);
  const SimpleCostModel model({.flops_per_second = 1e6});
  IntraOpOptions options;
  options.cost_model = &model;
  for (const auto& [name, spec] : pins) {
    const TensorId tensor = graph.main().arguments[argument_index(graph, name)];
    options.pinned.push_back({tensor, parse_sharding_spec(spec, mesh).value()});
  }
  Result<IntraOpPlan> plan = solve_intra_op(graph, mesh, options);
  if (!plan.ok()) FAIL(plan.error().message);
  return std::move(plan).value();
}

void check_runs(const Graph& graph, const IntraOpPlan& plan) {
  const Result<IntraOpPlan> read = parse_plan_json(write_plan_json(plan, graph), graph);
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  const Result<VerifyReport> report = verify(graph, *read);
  REQUIRE_MESSAGE(report.ok(), report.error().message);
  CHECK_MESSAGE(report->passed(), report->full_report());
}

}  // namespace

TEST_CASE("data-parallel, column-row and mixed MLPs compute the same") {
  for (const bool bias : {false, true}) {
    for (const std::int64_t batch : {8, 10}) {
      CAPTURE(bias);
      CAPTURE(batch);
      const Graph step = mlp_step({.batch = batch,
                                   .widths = {4, 16, 8},
                                   .bias = bias,
                                   .optimizer = Optimizer::adam,
                                   .input_gradient = true});
      check_runs(step, plan_with(step, {{"w0", "[{}, {}]"}, {"w1", "[{}, {}]"}}));
      check_runs(step, plan_with(step, {{"w0", R"([{}, {"x"}])"}, {"w1", R"([{"x"}, {}])"}}));
      check_runs(step, plan_with(step, {{"w0", R"([{}, {"x"}])"}, {"w1", "[{}, {}]"}}));
      check_runs(step, plan_with(step, {{"w0", R"([{"x"}, {}])"}, {"m.w1", R"([{"x"}, {}])"}}));
    }
  }
}

TEST_CASE("a tied embedding computes the same whichever way it is split") {
  const Graph step =
      tied_embedding_step({.batch = 2, .sequence = 8, .vocabulary = 24, .hidden = 8});
  for (const char* spec : {"[{}, {}]", R"([{"x"}, {}])", R"([{}, {"x"}])"}) {
    CAPTURE(spec);
    check_runs(step, plan_with(step, {{"embedding", spec}}));
  }
}

TEST_CASE("state that a memory limit splits computes the same") {
  const Graph step = mlp_step({.batch = 64, .widths = {8, 32, 8}, .optimizer = Optimizer::adam});
  const DeviceMesh mesh = one_axis(kDevices);
  const SimpleCostModel model;
  std::int64_t limit = planned(step, mesh, model).peak_bytes;
  for (int shrunk = 0; shrunk < 4; ++shrunk, limit = limit * 4 / 5) {
    const IntraOpPlan plan = planned(step, mesh, model, limit);
    if (plan.has_answer()) check_runs(step, plan);
  }
}

}  // namespace autoshard::test
