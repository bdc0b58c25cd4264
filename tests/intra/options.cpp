// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>

#include "intra/planned_steps.hpp"
#include "support/models.hpp"

using namespace autoshard;

namespace {

Graph small_mlp() { return test::mlp_step({.batch = 64, .widths = {64, 256, 64}}); }

std::string error_of(const IntraOpOptions& options, std::string_view mesh = "x=4") {
  const auto plan = solve_intra_op(small_mlp(), test::a100_mesh(mesh), options);
  if (plan.ok()) return "no error";
  CHECK(plan.error().code == ErrorCode::invalid_argument);
  return plan.error().message;
}

ShardingSpec spec(std::string_view text, std::string_view mesh) {
  return parse_sharding_spec(text, test::a100_mesh(mesh)).value();
}

TensorId argument(const Graph& graph, std::string_view name) {
  return graph.main().arguments[test::argument_index(graph, name)];
}

}  // namespace

TEST_CASE("options that make no sense are refused by name") {
  IntraOpOptions options;
  SUBCASE("memory limit") {
    options.memory_limit_bytes = 0;
    CHECK(error_of(options).find("memory limit") != std::string::npos);
    options.memory_limit_bytes = -5;
    CHECK(error_of(options).find("memory limit: -5 bytes") != std::string::npos);
  }
  SUBCASE("time limit") {
    options.solve.time_limit_seconds = 0;
    CHECK(error_of(options).find("time") != std::string::npos);
  }
  SUBCASE("work limit") {
    options.solve.work_limit = 0;
    CHECK(error_of(options).find("work") != std::string::npos);
  }
  SUBCASE("threads") {
    options.solve.threads = 0;
    CHECK(error_of(options).find("thread") != std::string::npos);
  }
  SUBCASE("gap target") {
    options.solve.gap_target = -0.1;
    CHECK(error_of(options).find("gap") != std::string::npos);
  }
}

TEST_CASE("a mesh without axes, or with too many, is refused") {
  const auto none = solve_intra_op(small_mlp(), DeviceMesh{}, {});
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message == "mesh: it has no axis");
  CHECK(error_of({}, "2x2x2x2x2x2x2x2x2").find("9 axes larger than 1") != std::string::npos);
}

TEST_CASE("axes of size 1 do not count and do not matter") {
  const Graph graph = small_mlp();
  const IntraOpPlan plain = test::plan_of(graph, "x=4");
  const IntraOpPlan padded = test::plan_of(graph, "x=4,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1");
  CHECK(*plain.solver_cost == *padded.solver_cost);
  CHECK(plain.peak_bytes == padded.peak_bytes);
}

TEST_CASE("a pinned argument arrives as it is pinned") {
  const Graph graph = small_mlp();
  for (const char* text : {R"([{"x"}, {}])", R"([{}, {"x"}])", "[{}, {}]", R"([{"x", "y"}, {}])",
                           R"([{"y"}, {"x"}])"}) {
    CAPTURE(text);
    for (const char* name : {"x", "w0", "w1"}) {
      IntraOpOptions options = test::by_work();
      options.pinned = {{argument(graph, name), spec(text, "x=2,y=2")}};
      const IntraOpPlan plan = test::plan_of(graph, "x=2,y=2", options);
      REQUIRE(plan.has_answer());
      CHECK(to_string(plan.argument_spec(test::argument_index(graph, name)), plan.mesh) == text);
    }
  }
}

TEST_CASE("a pin never makes a plan cheaper") {
  const Graph graph = small_mlp();
  IntraOpOptions options = test::by_work();
  options.solve.gap_target = 0;
  const IntraOpPlan free = test::plan_of(graph, "x=4", options);
  options.pinned = data_parallel_pins(graph);
  const IntraOpPlan pinned = test::plan_of(graph, "x=4", options);
  REQUIRE(free.status == SolveStatus::optimal);
  REQUIRE(pinned.has_answer());
  CHECK(*pinned.solver_cost >= *free.solver_cost);
}

TEST_CASE("plain data parallelism keeps every parameter and optimizer state whole") {
  const Graph graph =
      test::mlp_step({.batch = 64, .widths = {64, 256, 64}, .optimizer = test::Optimizer::adam});
  IntraOpOptions options = test::by_work();
  options.pinned = data_parallel_pins(graph);
  CHECK(options.pinned.size() >= 6);
  const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
  REQUIRE(plan.has_answer());
  for (std::size_t i = 0; i < graph.main().arguments.size(); ++i) {
    if (graph[graph.main().arguments[i]].role == Role::input) continue;
    CHECK(plan.argument_spec(i).is_replicated());
  }
}

TEST_CASE("a pin that a tensor cannot have is refused by the tensor's name") {
  const Graph graph = small_mlp();
  IntraOpOptions options;
  SUBCASE("an argument is never partial") {
    options.pinned = {{argument(graph, "w0"), spec(R"([{}, {}] partial={"x":sum})", "x=4")}};
    CHECK(error_of(options).find("'arg:w0'") != std::string::npos);
  }
  SUBCASE("uneven arguments where the engine has none") {
    options.target = *find_target("xla");
    options.pinned = {{argument(graph, "w0"), spec(R"([{"x"}, {}])", "x=7")}};
    CHECK(error_of(options, "x=7").find("'arg:w0'") != std::string::npos);
  }
  SUBCASE("axes of one dimension in another order than the mesh's") {
    options.pinned = {{argument(graph, "w0"), spec(R"([{"y", "x"}, {}])", "x=2,y=2")}};
    CHECK(error_of(options, "x=2,y=2").find("'arg:w0'") != std::string::npos);
  }
  SUBCASE("a wrong rank") {
    options.pinned = {{argument(graph, "w0"), spec("[{}]", "x=4")}};
    CHECK(error_of(options).find("rank 1 for a tensor of rank 2") != std::string::npos);
  }
  SUBCASE("an axis used twice") {
    options.pinned = {{argument(graph, "w0"), spec(R"([{"x"}, {"x"}])", "x=4")}};
    CHECK(error_of(options).find("axis 'x' is used twice") != std::string::npos);
  }
  SUBCASE("no such tensor") {
    options.pinned = {{TensorId(100'000), spec("[{}]", "x=4")}};
    CHECK(error_of(options).find("no tensor number 100000") != std::string::npos);
  }
}

TEST_CASE("two pins of one tensor that disagree leave no plan") {
  const Graph graph = small_mlp();
  IntraOpOptions options = test::by_work();
  options.pinned = {{argument(graph, "w0"), spec(R"([{"x"}, {}])", "x=4")},
                    {argument(graph, "w0"), spec("[{}, {}]", "x=4")}};
  const auto plan = solve_intra_op(graph, test::a100_mesh("x=4"), options);
  if (plan.ok()) CHECK(plan->status == SolveStatus::infeasible);
}

TEST_CASE("a cancelled planning is an error or says that it was cancelled") {
  const Graph graph = test::stored_step("gpt2_tiny_loop");
  const std::atomic<bool> cancel = true;
  IntraOpOptions options = test::by_work();
  options.solve.cancel = &cancel;
  const auto plan = solve_intra_op(graph, test::a100_mesh("x=2,y=4"), options);
  if (plan.ok()) {
    CHECK(plan->status == SolveStatus::cancelled);
  } else {
    CHECK(plan.error().code == ErrorCode::cancelled);
  }
}

TEST_CASE("a progress callback that says no cancels") {
  const Graph graph = test::stored_step("gpt2_tiny_loop");
  int calls = 0;
  IntraOpOptions options = test::by_work();
  options.solve.gap_target = 0;
  options.solve.progress = [&calls](const SolveProgress&) { return ++calls < 2; };
  const auto plan = solve_intra_op(graph, test::a100_mesh("x=2,y=4"), options);
  CHECK(calls >= 1);
  CHECK(calls <= 2);
  if (plan.ok() && calls == 2) CHECK(plan->status == SolveStatus::cancelled);
}
