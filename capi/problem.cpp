// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/problem_io.hpp"
#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;

autoshard_solution::autoshard_solution(SolveResult value)
    : result(std::move(value)),
      status(name(result.status)),
      cost(result.cost ? to_string(*result.cost) : "") {}

int32_t autoshard_problem_parse(const char* text, autoshard_problem** out) {
  return internal::create(out, {{"text", text}}, [&] { return parse_problem(text); });
}

int32_t autoshard_problem_load(const char* path, autoshard_problem** out) {
  return internal::create(out, {{"path", path}}, [&] { return load_problem(path); });
}

void autoshard_problem_destroy(autoshard_problem** problem) { internal::destroy(problem); }

int32_t autoshard_solve(const autoshard_problem* problem, const autoshard_options* options,
                        autoshard_solution** out) {
  return internal::create(out, {{"problem", problem}}, [&] {
    return solve_problem(problem->graph, options ? options->options.solve : SolveOptions{});
  });
}

int32_t autoshard_solution_status(const autoshard_solution* solution, const char** out) {
  return internal::run({{"solution", solution}, {"out", out}}, [&]() -> Result<void> {
    *out = solution->status.c_str();
    return {};
  });
}

int32_t autoshard_solution_cost(const autoshard_solution* solution, const char** out) {
  return internal::run({{"solution", solution}, {"out", out}}, [&]() -> Result<void> {
    *out = nullptr;
    if (solution->cost.empty()) {
      return internal::not_found("solution: there is no answer, its status is {}",
                                 solution->status);
    }
    *out = solution->cost.c_str();
    return {};
  });
}

int32_t autoshard_solution_assignment(const autoshard_solution* solution, const int32_t** out,
                                      size_t* count) {
  return internal::run({{"solution", solution}, {"out", out}, {"count", count}},
                       [&]() -> Result<void> {
                         *out = solution->result.assignment.data();
                         *count = solution->result.assignment.size();
                         return {};
                       });
}

int32_t autoshard_solution_json(const autoshard_solution* solution, const char** out) {
  return internal::run({{"solution", solution}, {"out", out}}, [&]() -> Result<void> {
    *out = solution->json.get([&] { return write_solution_json(solution->result); });
    return {};
  });
}

void autoshard_solution_destroy(autoshard_solution** solution) { internal::destroy(solution); }

int32_t autoshard_check(const autoshard_problem* problem, const int32_t* assignment, size_t count,
                        int32_t* legal, const char** report) {
  return internal::run(
      {{"problem", problem}, {"assignment", assignment}, {"legal", legal}, {"report", report}},
      [&]() -> Result<void> {
        AUTOSHARD_TRY(const ProblemCheck check, check_problem(problem->graph, {assignment, count}));
        *report = internal::keep_report(write_check_json(problem->graph, check));
        *legal = check.legal() ? 1 : 0;
        return {};
      });
}
