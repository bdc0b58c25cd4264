// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// autoshard solve PROBLEM; autoshard check PROBLEM ASSIGNMENT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "autoshard/problem_io.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "command.hpp"
#include "io/read_file.hpp"

namespace autoshard::tool {
namespace {

struct SolveCommand {
  std::string problem;
  SolverFlags solver;
  OutputFlags output;
};

/// Long ones are for JSON.
std::string assignment_text(const std::vector<std::int32_t>& assignment) {
  constexpr std::size_t kMostEntries = 100;
  if (assignment.empty()) return "none";
  if (assignment.size() <= kMostEntries) return fmt::format("{}", fmt::join(assignment, ","));
  return fmt::format("{} entries, see --format json", assignment.size());
}

Result<int> solve_file(const SolveCommand& command) {
  AUTOSHARD_TRY(const IntraOpOptions options, command.solver.options());
  const Stopwatch watch;
  AUTOSHARD_TRY(const CostGraph problem, load_problem(command.problem));
  const double load_seconds = watch.seconds();
  AUTOSHARD_TRY(const SolveResult result, solve_problem(problem, options.solve));
  const int exit_code = result.cost ? kAnswer : kNoAnswer;
  if (command.output.json()) {
    return command.output.print(write_solution_json(result, load_seconds), exit_code);
  }
  const std::string text =
      fmt::format("{}{:<16}{:.3f}\n{:<16}{}\n", result.full_report(), "load seconds", load_seconds,
                  "assignment", assignment_text(result.assignment));
  return command.output.print(text, exit_code);
}

struct CheckCommand {
  std::string problem, assignment;
  OutputFlags output;
};

bool is_list(std::string_view text) {
  return text.find_first_not_of("0123456789-,[] \t\n") == std::string_view::npos;
}

/// The assignment as JSON: from the command line itself ("[0,2]" or "0,2") or from a file.
Result<std::string> answer_text(const std::string& given) {
  std::error_code ignored;
  if (!is_list(given) || std::filesystem::exists(given, ignored)) {
    return internal::read_text_file(given);
  }
  return given.starts_with('[') ? given : "[" + given + "]";
}

std::string check_text(const CostGraph& problem, const ProblemCheck& check) {
  const std::string limit = problem.usage_limit ? std::to_string(*problem.usage_limit) : "none";
  std::string text =
      fmt::format("cost {}\npeak usage {} at time {}, limit {}\n", to_string(check.evaluation.cost),
                  to_string(check.evaluation.peak_usage), check.evaluation.peak_time, limit);
  if (check.forbidden > 0) {
    text +=
        fmt::format("pays {} entries of 10^18, which stand for \"cannot be\"\n", check.forbidden);
  }
  for (const std::string& violation : check.violations) text += "violated: " + violation + "\n";
  return text + (check.legal() ? "legal\n" : "not legal\n");
}

Result<int> check_file(const CheckCommand& command) {
  AUTOSHARD_TRY(const std::string text, answer_text(command.assignment));
  AUTOSHARD_TRY(const StatedAnswer answer, parse_answer(text));
  AUTOSHARD_TRY(const CostGraph problem, load_problem(command.problem));
  AUTOSHARD_TRY(const ProblemCheck check, check_answer(problem, answer));
  const std::string page =
      command.output.json() ? write_check_json(problem, check) : check_text(problem, check);
  return command.output.print(page, check.legal() ? kAnswer : kNoAnswer);
}

}  // namespace

void add_solve(CLI::App& app, int& exit_code) {
  const auto command = std::make_shared<SolveCommand>();
  CLI::App* solve_app = app.add_subcommand("solve", "Solve a bare cost graph");
  solve_app->add_option("PROBLEM", command->problem, "IOPDDL JSON, plain or .gz")->required();
  command->solver.add_to(*solve_app, true);
  command->output.add_to(*solve_app);
  solve_app->callback([command, &exit_code] {
    const Result<int> code = solve_file(*command);
    exit_code = code.ok() ? *code : complain(code.error());
  });
}

void add_check(CLI::App& app, int& exit_code) {
  const auto command = std::make_shared<CheckCommand>();
  CLI::App* check_app =
      app.add_subcommand("check", "Recompute the cost and memory of an answer to a cost graph");
  check_app->add_option("PROBLEM", command->problem, "IOPDDL JSON, plain or .gz")->required();
  check_app
      ->add_option(
          "ASSIGNMENT", command->assignment,
          "a list like 0,0,2,1,0, or a file with a JSON list or what `solve` printed as JSON")
      ->required();
  command->output.add_to(*check_app);
  check_app->callback([command, &exit_code] {
    const Result<int> code = check_file(*command);
    exit_code = code.ok() ? *code : complain(code.error());
  });
}

}  // namespace autoshard::tool
