// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A custom call with a rule is planned by it; the interpreter cannot run it and says so.
#include "autoshard/verify.hpp"
#include "intra/planned_steps.hpp"
#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

/// tanh(x), the kernel of it and w, and the sum that follows.
Graph with_kernel(Attributes attributes) {
  attributes["call_target_name"] = std::string("their_kernel");
  GraphBuilder b("with_kernel");
  const TensorId x = b.argument("x", f32({64, 64}));
  const TensorId w = b.argument("w", f32({64, 64}), Role::parameter);
  const TensorId before = b.add_one({"before", "tanh", {x}, {f32({64, 64})}});
  const TensorId made =
      b.add_one({"kernel", "custom_call", {before, w}, {f32({64, 64})}, std::move(attributes)});
  b.result(b.add_one({"after", "tanh", {made}, {f32({64, 64})}}));
  return test::built(std::move(b));
}

const char* const kProduct = "([i,k],[k,j])->([i,j]) reduction={k} linear={0},{1}";

IntraOpOptions exact() {
  IntraOpOptions options = test::by_work(10);
  options.solve.gap_target = 0;
  return options;
}

}  // namespace

TEST_CASE("a custom call with a rule is planned by it, without a warning") {
  const Graph graph = with_kernel({{"sharding_rule", std::string(kProduct)}, {"flops", 1e12}});
  const IntraOpPlan plan = test::plan_of(graph, "x=4", exact());
  REQUIRE(plan.has_answer());
  CHECK(plan.warnings.empty());
  CHECK_FALSE(plan[plan.operators[1].results[0]].spec.is_replicated());
}

TEST_CASE("the flops of a custom call are shared by its shards") {
  const Graph split = with_kernel({{"sharding_rule", std::string(kProduct)}, {"flops", 1e12}});
  const Graph whole = with_kernel({{"flops", 1e12}});
  const double fast = test::plan_of(split, "x=4", exact()).compute_seconds;
  const double slow = test::plan_of(whole, "x=4", exact()).compute_seconds;
  CHECK(slow / fast == doctest::Approx(4).epsilon(0.01));
}

TEST_CASE("verify names a custom call that it cannot run, also where it leaves partial values") {
  const Graph graph = with_kernel({{"sharding_rule", std::string(kProduct)}});
  for (const char* spec : {R"([{}, {"x"}])", R"([{"x"}, {}])", "[{}, {}]"}) {
    IntraOpOptions options = exact();
    options.pinned_paths = {{"before:0", spec}, {"arg:w", R"([{"x"}, {}])"}};
    const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
    REQUIRE(plan.has_answer());
    const Result<VerifyReport> report = verify(graph, plan);
    REQUIRE_MESSAGE(report.ok(), report.error().message);
    CHECK_MESSAGE(report->passed(), report->full_report());
    CHECK(report->skipped == std::vector<std::string>{"kernel (custom_call of 'their_kernel')"});
  }
}

TEST_CASE("verify stands in for every result of a custom call that leaves partial values") {
  GraphBuilder b("two_results");
  const TensorId x = b.argument("x", f32({8, 64}));
  const Attributes attributes = {{"call_target_name", std::string("two")},
                                 {"sharding_rule", std::string("([i,k])->([i],[]) reduction={k}")}};
  for (const TensorId id : b.add({"two", "custom_call", {x}, {f32({8}), f32({})}, attributes})) {
    b.result(id);
  }
  const Graph graph = test::built(std::move(b));
  IntraOpOptions options = exact();
  options.pinned_paths = {{"arg:x", R"([{}, {"x"}])"}};
  options.pinned_paths.push_back({"two:0", R"([{}] partial={"x":sum})"});
  const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
  const Result<VerifyReport> report = verify(graph, plan);
  REQUIRE_MESSAGE(report.ok(), report.error().message);
  CHECK_MESSAGE(report->passed(), report->full_report());
}
