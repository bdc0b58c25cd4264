/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   The example of the public contest: 445 with usage limit 50, 415 without. */
#include "check.h"

#define EXAMPLE(limit)                                            \
  "{\"problem\":{\"name\":\"example\",\"nodes\":{"                \
  "\"intervals\":[[30,70],[40,70],[50,120],[110,140],[110,150]]," \
  "\"costs\":[[15],[55,65],[25,45,35],[85,75],[95]],"             \
  "\"usages\":[[10],[25,25],[15,20,15],[10,10],[15]]},"           \
  "\"edges\":{\"nodes\":[[0,1],[0,2],[1,3],[2,4],[3,4]],"         \
  "\"costs\":[[30,40],[50,10,40],[90,10,20,80],[60,20,30],[70,60]]}" limit "}}"

static void solve_example(const char* text, const char* expected_cost) {
  autoshard_problem* problem = NULL;
  autoshard_solution* solution = NULL;
  const char *status = NULL, *cost = NULL, *json = NULL, *report = NULL;
  const int32_t* assignment = NULL;
  size_t count = 0;
  int32_t legal = 0;
  CHECK_OK(autoshard_problem_parse(text, &problem));
  CHECK_OK(autoshard_solve(problem, NULL, &solution));
  CHECK_OK(autoshard_solution_status(solution, &status));
  CHECK_TEXT(status, "optimal");
  CHECK_OK(autoshard_solution_cost(solution, &cost));
  CHECK_TEXT(cost, expected_cost);
  CHECK_OK(autoshard_solution_assignment(solution, &assignment, &count));
  CHECK(count == 5);
  CHECK_OK(autoshard_solution_json(solution, &json));
  CHECK_HAS(json, "\"lower_bound\"");
  CHECK_OK(autoshard_check(problem, assignment, count, &legal, &report));
  CHECK(legal == 1);
  CHECK_HAS(report, expected_cost);
  autoshard_solution_destroy(&solution);
  autoshard_problem_destroy(&problem);
  CHECK(solution == NULL && problem == NULL);
}

static void an_illegal_assignment_is_named(void) {
  const int32_t assignment[5] = {0, 0, 1, 0, 0};
  autoshard_problem* problem = NULL;
  const char* report = NULL;
  int32_t legal = 1;
  CHECK_OK(autoshard_problem_parse(EXAMPLE(",\"usage_limit\":50"), &problem));
  CHECK_OK(autoshard_check(problem, assignment, 5, &legal, &report));
  CHECK(legal == 0);
  CHECK_HAS(report, "usage_limit: 55 at time 50 is more than 50");
  autoshard_problem_destroy(&problem);
}

static void a_limit_that_cannot_be_met_is_no_failure(void) {
  autoshard_problem* problem = NULL;
  autoshard_solution* solution = NULL;
  const char *status = NULL, *cost = "unset";
  const int32_t* assignment = NULL;
  size_t count = 7;
  CHECK_OK(autoshard_problem_parse(EXAMPLE(",\"usage_limit\":5"), &problem));
  CHECK_OK(autoshard_solve(problem, NULL, &solution));
  CHECK_OK(autoshard_solution_status(solution, &status));
  CHECK_TEXT(status, "infeasible");
  CHECK(autoshard_solution_cost(solution, &cost) == AUTOSHARD_NOT_FOUND);
  CHECK_HAS(autoshard_last_error(), "infeasible");
  CHECK_OK(autoshard_solution_assignment(solution, &assignment, &count));
  CHECK(count == 0);
  autoshard_solution_destroy(&solution);
  autoshard_problem_destroy(&problem);
}

static void entries_of_the_contest_infinity_are_a_last_resort(void) {
  static const char text[] =
      "{\"problem\":{\"nodes\":{\"intervals\":[[0,0],[0,0]],\"costs\":[[1,2],[3]],"
      "\"usages\":[[0,0],[0]]},\"edges\":{\"nodes\":[[0,1]],"
      "\"costs\":[[1000000000000000000,1000000000000000000]]}}}";
  autoshard_problem* problem = NULL;
  autoshard_solution* solution = NULL;
  const char *cost = NULL, *json = NULL;
  CHECK_OK(autoshard_problem_parse(text, &problem));
  CHECK_OK(autoshard_solve(problem, NULL, &solution));
  CHECK_OK(autoshard_solution_cost(solution, &cost));
  CHECK_TEXT(cost, "1000000000000000004");
  CHECK_OK(autoshard_solution_json(solution, &json));
  CHECK_HAS(json, "10^18");
  autoshard_solution_destroy(&solution);
  autoshard_problem_destroy(&problem);
}

int main(void) {
  solve_example(EXAMPLE(",\"usage_limit\":50"), "445");
  solve_example(EXAMPLE(""), "415");
  an_illegal_assignment_is_named();
  a_limit_that_cannot_be_met_is_no_failure();
  entries_of_the_contest_infinity_are_a_last_resort();
  return check_summary();
}
