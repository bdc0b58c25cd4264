// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/options.hpp"

#include <algorithm>
#include <atomic>

#include "autoshard/verify.hpp"
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
    CHECK(error_of(options) ==
          R"(tensor 'arg:w0': it cannot be pinned to [{}, {}] partial={"x":sum}: an argument is )"
          "never partial");
  }
  SUBCASE("uneven arguments where the engine has none") {
    options.target = *find_target("xla");
    options.pinned = {{argument(graph, "w0"), spec(R"([{"x"}, {}])", "x=7")}};
    const std::string error = error_of(options, "x=7");
    CHECK(error.find("'arg:w0'") != std::string::npos);
    CHECK(error.find("64 rows of dimension 0 do not split evenly by 7") != std::string::npos);
  }
  SUBCASE("axes of an operator's result in another order than the mesh's") {
    const TensorId product = graph[graph.main().operators.front()].results.front();
    options.pinned = {{product, spec(R"([{"y", "x"}, {}])", "x=2,y=2")}};
    const std::string error = error_of(options, "x=2,y=2");
    CHECK(error.find(graph.path(product)) != std::string::npos);
    CHECK(error.find("in another order than the mesh's") != std::string::npos);
  }
  SUBCASE("a part of an axis") {
    options.pinned = {{argument(graph, "w0"), spec(R"([{"x":(1)2}, {}])", "x=4")}};
    CHECK(error_of(options).find("only whole axes are planned") != std::string::npos);
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
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.error().message == R"(tensor 'arg:w0': it is pinned to [{"x"}, {}] and to [{}, {}])");
}

TEST_CASE("an argument may be pinned to axes in another order, and the plan verifies") {
  const Graph graph = test::mlp_step({.batch = 8, .widths = {8, 16, 8}});
  IntraOpOptions options = test::by_work();
  options.pinned = {{argument(graph, "w0"), spec(R"([{"y", "x"}, {}])", "x=2,y=2")},
                    {argument(graph, "x"), spec(R"([{}, {"y", "x"}])", "x=2,y=2")}};
  for (const std::int64_t limit : {1'000'000, 3'000}) {
    options.memory_limit_bytes = limit;
    const IntraOpPlan plan = test::plan_of(graph, "x=2,y=2", options);
    REQUIRE(plan.has_answer());
    CHECK(plan.argument_spec(test::argument_index(graph, "w0")) == options.pinned[0].spec);
    CHECK(plan.argument_spec(test::argument_index(graph, "x")) == options.pinned[1].spec);
    CHECK(verify(graph, plan).value().passed());
  }
}

TEST_CASE("axes of size 1 in a pin do not matter") {
  const Graph graph = small_mlp();
  IntraOpOptions options = test::by_work();
  options.pinned = {{argument(graph, "w0"), spec(R"([{"b", "x"}, {}])", "x=4,b=1")}};
  const IntraOpPlan plan = test::plan_of(graph, "x=4,b=1", options);
  CHECK(to_string(plan.argument_spec(test::argument_index(graph, "w0")), plan.mesh) ==
        R"([{"x"}, {}])");
}

TEST_CASE("pins are given as text by path, and each adds") {
  const Graph graph = small_mlp();
  IntraOpOptions options = test::by_work();
  REQUIRE(set_option(options, "pin", R"(arg:w0=[{"x"}, {}]; arg:x = [{}, {}])").ok());
  REQUIRE(set_option(options, "pin", R"(arg:w1=[{}, {"x"}])").ok());
  const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
  const auto text = [&](std::string_view name) {
    return to_string(plan.argument_spec(test::argument_index(graph, name)), plan.mesh);
  };
  CHECK(text("w0") == R"([{"x"}, {}])");
  CHECK(text("w1") == R"([{}, {"x"}])");
  CHECK(text("x") == "[{}, {}]");
  REQUIRE(set_option(options, "pin", "none").ok());
  CHECK(options.pinned_paths.empty());
}

TEST_CASE("a result of an operator is pinned by its path") {
  const Graph graph = small_mlp();
  const TensorId product = graph[graph.main().operators.front()].results.front();
  IntraOpOptions options = test::by_work();
  const std::string pin = graph.path(product) + R"(=[{}, {}] partial={"x":sum})";
  REQUIRE(set_option(options, "pin", pin).ok());
  const IntraOpPlan plan = test::plan_of(graph, "x=4", options);
  REQUIRE(plan.has_answer());
  const bool made_so = std::ranges::any_of(plan.copies, [&](const auto& copy) {
    return copy.tensor == product && !copy.spec.partial.empty();
  });
  CHECK(made_so);
}

TEST_CASE("pins given as text are refused by the tensor's path and the reason") {
  const auto refusal = [](std::string_view pin) {
    IntraOpOptions options;
    const auto set = set_option(options, "pin", pin);
    return set.ok() ? error_of(options) : set.error().message;
  };
  CHECK(refusal(R"(arg:nobody=[{"x"}, {}])").find("the graph has no tensor 'arg:nobody'") !=
        std::string::npos);
  CHECK(refusal(R"(arg:w0=[{"q"}, {}])") ==
        R"(tensor 'arg:w0': sharding '[{"q"}, {}]': the mesh x=4 has no axis 'q')");
  CHECK(refusal(R"(arg:w0=[{"x"])").find("tensor 'arg:w0': sharding '[{\"x\"]': expected") !=
        std::string::npos);
  CHECK(refusal("arg:w0=[{}]").find("tensor 'arg:w0': sharding [{}]: rank 1") != std::string::npos);
  CHECK(refusal("arg:w0") ==
        R"(option 'pin': 'arg:w0' is not a path and a spec like arg:x=[{"data"}, {}])");
  CHECK(refusal("=[{}]").find("option 'pin'") == 0);
  CHECK(refusal("arg:w0=w[0]").find("option 'pin'") == 0);
  CHECK(refusal("arg:w0=[{}, {}];").find("option 'pin': ''") == 0);
}

TEST_CASE("a planning cancelled before there was any answer is an error") {
  const Graph graph = test::stored_step("gpt2_tiny_loop");
  const std::atomic<bool> cancel = true;
  IntraOpOptions options = test::by_work();
  options.solve.cancel = &cancel;
  const auto plan = solve_intra_op(graph, test::a100_mesh("x=2,y=4"), options);
  REQUIRE_FALSE(plan.ok());
  CHECK(plan.error().code == ErrorCode::cancelled);
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
