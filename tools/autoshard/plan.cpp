// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// autoshard plan MODEL --mesh data=2,model=4; autoshard verify MODEL PLAN
#include "autoshard/plan.hpp"

#include <fmt/format.h>

#include <memory>

#include "autoshard/graph_io.hpp"
#include "autoshard/intra_op.hpp"
#include "autoshard/verify.hpp"
#include "base/try.hpp"
#include "command.hpp"
#include "io/read_file.hpp"

namespace autoshard::tool {
namespace {

struct PlanCommand {
  std::string model, mesh, device = "a100";
  bool compare = false;
  SolverFlags solver;
  OutputFlags output;
};

Result<DeviceMesh> make_mesh(const PlanCommand& command) {
  AUTOSHARD_TRY(const Device device, find_device(command.device));
  return DeviceMesh::parse(command.mesh, device);
}

/// One more key at the end of an object.
std::string with_load_seconds(std::string json, double seconds) {
  json.erase(json.find_last_of('}'));
  return json + fmt::format(",\"load_seconds\":{}}}", seconds);
}

/// The same step without the memory limit, and under plain data parallelism.
Result<std::string> comparison(const Graph& graph, const IntraOpPlan& plan,
                               IntraOpOptions options) {
  options.memory_limit_bytes.reset();
  AUTOSHARD_TRY(const IntraOpPlan free, solve_intra_op(graph, plan.mesh, options));
  options.pinned_paths.clear();
  options.pinned = data_parallel_pins(graph);
  AUTOSHARD_TRY(const IntraOpPlan whole, solve_intra_op(graph, plan.mesh, options));
  std::string text = "\nWhole parameters and state on each device: " + whole.brief_report() + "\n";
  text += "Without the limit: " + free.brief_report() + "\n";
  if (!plan.has_answer() || !free.has_answer()) return text;
  return text + "\n" + compare_plans(graph, free, plan);
}

Result<int> plan(const PlanCommand& command) {
  // Cheap mistakes first: a large model may take seconds to load.
  AUTOSHARD_TRY(const IntraOpOptions options, command.solver.options());
  AUTOSHARD_TRY(const DeviceMesh mesh, make_mesh(command));
  const Stopwatch watch;
  AUTOSHARD_TRY(const Graph graph, load_graph(command.model));
  const double load_seconds = watch.seconds();
  AUTOSHARD_TRY(const IntraOpPlan plan, solve_intra_op(graph, mesh, options));
  const int exit_code = plan.has_answer() ? kAnswer : kNoAnswer;
  if (command.output.json()) {
    return command.output.print(with_load_seconds(write_plan_json(plan, graph), load_seconds),
                                exit_code);
  }
  std::string text =
      fmt::format("{}loading took {:.3f} s\n", plan.full_report(graph), load_seconds);
  if (command.compare) {
    AUTOSHARD_TRY(const std::string compared, comparison(graph, plan, options));
    text += compared;
  }
  return command.output.print(text, exit_code);
}

struct VerifyCommand {
  std::string model, plan;
  VerifyOptions options;
};

Result<IntraOpPlan> load_plan(const std::string& path, const Graph& graph) {
  AUTOSHARD_TRY(const std::string text, internal::read_text_file(path));
  Result<IntraOpPlan> plan = parse_plan_json(text, graph);
  if (plan.ok()) return plan;
  return Error{plan.error().code, fmt::format("file '{}': {}", path, plan.error().message)};
}

Result<int> verify_plan(const VerifyCommand& command) {
  AUTOSHARD_TRY(const Graph graph, load_graph(command.model));
  AUTOSHARD_TRY(const IntraOpPlan plan, load_plan(command.plan, graph));
  AUTOSHARD_TRY(const VerifyReport report, verify(graph, plan, command.options));
  fmt::print("{}\n", report.full_report());
  return report.passed() ? kAnswer : kNoAnswer;
}

}  // namespace

void add_plan(CLI::App& app, int& exit_code) {
  const auto command = std::make_shared<PlanCommand>();
  CLI::App* plan_app = app.add_subcommand("plan", "Plan one training step of a model on a mesh");
  plan_app->add_option("MODEL", command->model, "HLO text or graph JSON, plain or .gz")->required();
  plan_app->add_option("--mesh", command->mesh, "axes as data=2,model=4, or 2x4")->required();
  plan_app->add_option("--device", command->device, "see `autoshard devices`; default a100");
  plan_app->add_flag("--compare", command->compare,
                     "with --memory-limit: plan without it too, and show what it changed");
  command->solver.add_to(*plan_app, false);
  command->output.add_to(*plan_app);
  plan_app->callback([command, &exit_code] {
    const Result<int> code = plan(*command);
    exit_code = code.ok() ? *code : complain(code.error());
  });
}

void add_verify(CLI::App& app, int& exit_code) {
  const auto command = std::make_shared<VerifyCommand>();
  CLI::App* verify_app = app.add_subcommand(
      "verify", "Run a model on the interpreter densely and as a plan says, and compare");
  verify_app->add_option("MODEL", command->model, "HLO text or graph JSON, plain or .gz")
      ->required();
  verify_app->add_option("PLAN", command->plan, "what `plan --format json` wrote")->required();
  verify_app->add_option("--seed", command->options.seed, "of the argument values; default 0");
  verify_app->callback([command, &exit_code] {
    const Result<int> code = verify_plan(*command);
    exit_code = code.ok() ? *code : complain(code.error());
  });
}

}  // namespace autoshard::tool
