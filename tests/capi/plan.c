/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static autoshard_mesh* small_mesh(void) {
  autoshard_mesh* mesh = NULL;
  CHECK_OK(autoshard_mesh_parse("data=2,model=2", "a100", &mesh));
  return mesh;
}

static void a_plan_outlives_its_graph_and_mesh(void) {
  autoshard_graph* graph = small_graph();
  autoshard_mesh* mesh = small_mesh();
  autoshard_plan* plan = NULL;
  const char *status = NULL, *spec = NULL, *text = NULL;
  double seconds = 0;
  int64_t bytes = 0;
  CHECK_OK(autoshard_solve_intra_op(graph, mesh, NULL, &plan));
  autoshard_graph_destroy(&graph);
  autoshard_mesh_destroy(&mesh);
  CHECK_OK(autoshard_plan_status(plan, &status));
  CHECK_TEXT(status, "optimal");
  CHECK_OK(autoshard_plan_step_seconds(plan, &seconds));
  CHECK(seconds > 0);
  CHECK_OK(autoshard_plan_peak_bytes(plan, &bytes));
  CHECK(bytes > 0);
  CHECK_OK(autoshard_plan_argument_spec(plan, 0, &spec));
  CHECK(spec[0] == '[');
  CHECK_OK(autoshard_plan_result_spec(plan, 0, &spec));
  CHECK(spec[0] == '[');
  CHECK(autoshard_plan_argument_spec(plan, 2, &spec) == AUTOSHARD_NOT_FOUND);
  CHECK_HAS(autoshard_last_error(), "index");
  CHECK_OK(autoshard_plan_report(plan, &text));
  CHECK(strlen(text) > 50);
  autoshard_plan_destroy(&plan);
  CHECK(plan == NULL);
}

static void a_plan_survives_its_json_and_verifies(void) {
  autoshard_graph* graph = small_graph();
  autoshard_mesh* mesh = small_mesh();
  autoshard_plan *plan = NULL, *copy = NULL;
  const char *json = NULL, *again = NULL, *report = NULL;
  int32_t passed = 0;
  CHECK_OK(autoshard_solve_intra_op(graph, mesh, NULL, &plan));
  CHECK_OK(autoshard_plan_json(plan, &json));
  CHECK_OK(autoshard_plan_parse_json(json, graph, &copy));
  CHECK_OK(autoshard_plan_json(copy, &again));
  CHECK_TEXT(json, again);
  CHECK_OK(autoshard_verify(graph, copy, &passed, &report));
  CHECK(passed == 1);
  CHECK(strlen(report) > 0);
  autoshard_plan_destroy(&copy);
  autoshard_plan_destroy(&plan);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&graph);
}

static void pins_add_up_and_name_what_they_cannot_have(void) {
  autoshard_graph* graph = small_graph();
  autoshard_mesh* mesh = NULL;
  autoshard_options* options = NULL;
  autoshard_plan* plan = NULL;
  const char* spec = NULL;
  CHECK_OK(autoshard_mesh_parse("data=2,model=2", "a100", &mesh));
  CHECK_OK(autoshard_options_create(&options));
  CHECK_OK(autoshard_options_set(options, "pin", "arg:x=[{\"model\", \"data\"}, {}]"));
  CHECK_OK(autoshard_options_set(options, "pin", "arg:w=[{}, {\"data\"}]"));
  CHECK_OK(autoshard_solve_intra_op(graph, mesh, options, &plan));
  CHECK_OK(autoshard_plan_argument_spec(plan, 0, &spec));
  CHECK_TEXT(spec, "[{\"model\", \"data\"}, {}]");
  CHECK_OK(autoshard_plan_argument_spec(plan, 1, &spec));
  CHECK_TEXT(spec, "[{}, {\"data\"}]");
  autoshard_plan_destroy(&plan);
  CHECK_OK(autoshard_options_set(options, "pin", "arg:nobody=[{}]"));
  CHECK(autoshard_solve_intra_op(graph, mesh, options, &plan) == AUTOSHARD_INVALID_ARGUMENT);
  CHECK_HAS(autoshard_last_error(), "'arg:nobody'");
  autoshard_options_destroy(&options);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&graph);
}

static void a_limit_that_cannot_be_met_is_no_failure(void) {
  autoshard_graph* graph = small_graph();
  autoshard_mesh* mesh = small_mesh();
  autoshard_options* options = NULL;
  autoshard_plan* plan = NULL;
  const char *status = NULL, *spec = NULL, *report = NULL;
  double seconds = 0;
  CHECK_OK(autoshard_options_create(&options));
  CHECK_OK(autoshard_options_set(options, "memory_limit", "1KB"));
  CHECK_OK(autoshard_solve_intra_op(graph, mesh, options, &plan));
  CHECK_OK(autoshard_plan_status(plan, &status));
  CHECK_TEXT(status, "infeasible");
  CHECK(autoshard_plan_step_seconds(plan, &seconds) == AUTOSHARD_NOT_FOUND);
  CHECK(autoshard_plan_argument_spec(plan, 0, &spec) == AUTOSHARD_NOT_FOUND);
  CHECK_HAS(autoshard_last_error(), "infeasible");
  CHECK_OK(autoshard_plan_report(plan, &report));
  CHECK_HAS(report, "infeasible");
  autoshard_plan_destroy(&plan);
  autoshard_options_destroy(&options);
  CHECK(options == NULL);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&graph);
}

struct calls {
  int count;
  size_t size;
};

static int32_t stop_at_once(const autoshard_progress* progress, void* user_data) {
  struct calls* calls = user_data;
  ++calls->count;
  calls->size = progress->size;
  return 1;
}

/* The real model, so that there is something to interrupt. */
static void a_nonzero_answer_of_the_callback_cancels(void) {
  struct calls calls = {0, 0};
  autoshard_graph* graph = NULL;
  autoshard_mesh* mesh = small_mesh();
  autoshard_options* options = NULL;
  autoshard_plan* plan = NULL;
  int32_t status;
  CHECK_OK(autoshard_graph_load(AUTOSHARD_TEST_DATA "/gpt2_tiny_loop.hlo.gz", &graph));
  CHECK_OK(autoshard_options_create(&options));
  CHECK_OK(autoshard_options_set_progress(options, stop_at_once, &calls));
  status = autoshard_solve_intra_op(graph, mesh, options, &plan);
  CHECK(calls.count == 1);
  CHECK(calls.size == sizeof(autoshard_progress));
  CHECK(status == AUTOSHARD_OK || status == AUTOSHARD_CANCELLED);
  if (status == AUTOSHARD_OK) {
    const char* text = NULL;
    CHECK_OK(autoshard_plan_status(plan, &text));
    CHECK_TEXT(text, "cancelled");
  }
  autoshard_plan_destroy(&plan);
  autoshard_options_destroy(&options);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&graph);
}

int main(void) {
  a_plan_outlives_its_graph_and_mesh();
  a_plan_survives_its_json_and_verifies();
  pins_add_up_and_name_what_they_cannot_have();
  a_limit_that_cannot_be_met_is_no_failure();
  a_nonzero_answer_of_the_callback_cancels();
  return check_summary();
}
