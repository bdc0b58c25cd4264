/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   Files that are missing, cut off or garbage, and plans and graphs that do not belong together. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* In the folder that the test runs in. */
#define SCRATCH "bad_files.scratch"

static void write_scratch(const char* bytes, size_t count) {
  FILE* file = fopen(SCRATCH, "wb");
  CHECK(file != NULL);
  if (!file) return;
  CHECK(fwrite(bytes, 1, count, file) == count);
  fclose(file);
}

/* The first bytes of the model of the test data. */
static size_t read_model(char* bytes, size_t capacity) {
  FILE* file = fopen(AUTOSHARD_TEST_DATA "/gpt2_tiny_loop.hlo.gz", "rb");
  size_t count;
  CHECK(file != NULL);
  if (!file) return 0;
  count = fread(bytes, 1, capacity, file);
  fclose(file);
  return count;
}

/* Both kinds of files are refused with `code`, naming `path` and `part`. */
static void expect_refused(const char* path, int32_t code, const char* part) {
  autoshard_graph* graph = NULL;
  autoshard_problem* problem = NULL;
  CHECK(autoshard_graph_load(path, &graph) == code);
  CHECK_HAS(autoshard_last_error(), path);
  CHECK_HAS(autoshard_last_error(), part);
  CHECK(autoshard_problem_load(path, &problem) == code);
  CHECK_HAS(autoshard_last_error(), path);
  CHECK_HAS(autoshard_last_error(), part);
  CHECK(graph == NULL && problem == NULL);
}

static void missing_files_and_folders(void) {
  expect_refused("no/such/file.hlo", AUTOSHARD_NOT_FOUND, "No such file");
  expect_refused(AUTOSHARD_TEST_DATA, AUTOSHARD_INVALID_ARGUMENT, "directory");
  expect_refused("", AUTOSHARD_NOT_FOUND, "");
}

static void broken_files(void) {
  static char bytes[1 << 16];
  const size_t count = read_model(bytes, sizeof bytes);
  size_t i;
  CHECK(count > 2000);
  write_scratch(bytes, 1000);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, "truncated gzip");
  write_scratch(bytes, 2);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, "truncated gzip");
  for (i = 100; i < 1900; ++i) bytes[i] = (char)(i * 37);
  write_scratch(bytes, count);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, "gzip");
  for (i = 0; i < sizeof bytes; ++i) bytes[i] = (char)(i * 131 + i / 7);
  write_scratch(bytes, sizeof bytes);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, SCRATCH);
  write_scratch("", 0);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, SCRATCH);
  write_scratch("{\"problem\": {\"nodes\": ", 22);
  expect_refused(SCRATCH, AUTOSHARD_INVALID_ARGUMENT, SCRATCH);
  remove(SCRATCH);
}

static char* copy_of(const char* text) {
  char* copy = malloc(strlen(text) + 1);
  strcpy(copy, text);
  return copy;
}

/* The text with the first `from` replaced by `to`, which is not longer. */
static char* replaced(const char* text, const char* from, const char* to) {
  char* copy = copy_of(text);
  char* place = strstr(copy, from);
  CHECK(place != NULL);
  if (!place) return copy;
  memmove(place + strlen(to), place + strlen(from), strlen(place + strlen(from)) + 1);
  memcpy(place, to, strlen(to));
  return copy;
}

struct edit {
  const char *from, *to, *part;
};

static const struct edit graph_edits[] = {
    {"f32[64,256]", "q32[64,256]", "argument 'x': unknown element type 'q32'"},
    {"f32[64,256]", "f32[-4,256]", "f32[-4,256]"},
    {"f32[64,256]", "f32[64,128]", "operator 'product'"},
    {"f32[64,256]", "f32[64]", "operator 'product'"},
    {"\"parameter\"", "\"weight\"", "weight"},
    {"\"tanh\"", "\"add\"", "operator 'tanh.1': has 1 operands, expected 2"},
    {"lhs_contracting_dimensions", "lhs_contracting",
     "operator 'product': has 0 lhs and 1 rhs contracting dimensions"},
};

static void edited_graphs(void) {
  autoshard_graph *graph = small_graph(), *bad = NULL;
  const char* json = NULL;
  size_t i;
  CHECK_OK(autoshard_graph_json(graph, &json));
  for (i = 0; i < sizeof graph_edits / sizeof graph_edits[0]; ++i) {
    char* text = replaced(json, graph_edits[i].from, graph_edits[i].to);
    CHECK(autoshard_graph_parse_json(text, &bad) == AUTOSHARD_INVALID_ARGUMENT);
    CHECK_HAS(autoshard_last_error(), graph_edits[i].part);
    CHECK(bad == NULL);
    free(text);
  }
  for (i = 0; i < strlen(json); i += 7) { /* cut off anywhere */
    char* text = copy_of(json);
    text[i] = '\0';
    CHECK(autoshard_graph_parse_json(text, &bad) == AUTOSHARD_INVALID_ARGUMENT);
    CHECK(strlen(autoshard_last_error()) > 10);
    free(text);
  }
  autoshard_graph_destroy(&graph);
}

/* x f32[8], and its tanh. */
static autoshard_graph* other_graph(void) {
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_tensor x, y;
  CHECK_OK(autoshard_graph_builder_create("other", &builder));
  CHECK_OK(autoshard_graph_builder_argument(builder, "x", "f32[8]", "input", &x));
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "y", &x, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &y));
  CHECK_OK(autoshard_graph_builder_result(builder, y));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  autoshard_graph_builder_destroy(&builder);
  return graph;
}

static const struct edit plan_edits[] = {
    {"\"schema_version\": 1", "\"schema_version\": 9", "schema_version"},
    {"\"schema_version\"", "\"schema\"", "schema_version"},
    {"\"status\": \"optimal\"", "\"status\": \"perfect\"", "perfect"},
    {"\"step_seconds\":", "\"stop_seconds\":", "step_seconds"},
};

static void plans_of_other_graphs_and_edited_plans(void) {
  autoshard_graph *graph = small_graph(), *other = other_graph();
  autoshard_mesh* mesh = NULL;
  autoshard_plan *plan = NULL, *bad = NULL;
  const char *json = NULL, *report = NULL;
  int32_t passed = 0;
  size_t i;
  CHECK_OK(autoshard_mesh_parse("data=2,model=2", "a100", &mesh));
  CHECK_OK(autoshard_solve_intra_op(graph, mesh, NULL, &plan));
  CHECK_OK(autoshard_plan_json(plan, &json));
  CHECK(autoshard_plan_parse_json(json, other, &bad) == AUTOSHARD_INVALID_ARGUMENT);
  CHECK_HAS(autoshard_last_error(), "fingerprint");
  CHECK(autoshard_verify(other, plan, &passed, &report) == AUTOSHARD_INVALID_ARGUMENT);
  CHECK_HAS(autoshard_last_error(), "plan");
  CHECK(autoshard_plan_parse_json("", graph, &bad) == AUTOSHARD_INVALID_ARGUMENT);
  CHECK(autoshard_plan_parse_json("[1,", graph, &bad) == AUTOSHARD_INVALID_ARGUMENT);
  CHECK(autoshard_plan_parse_json("{}", graph, &bad) == AUTOSHARD_INVALID_ARGUMENT);
  for (i = 0; i < sizeof plan_edits / sizeof plan_edits[0]; ++i) {
    char* text = replaced(json, plan_edits[i].from, plan_edits[i].to);
    CHECK(autoshard_plan_parse_json(text, graph, &bad) == AUTOSHARD_INVALID_ARGUMENT);
    CHECK_HAS(autoshard_last_error(), plan_edits[i].part);
    free(text);
  }
  for (i = 0; i < strlen(json); i += 101) {
    char* text = copy_of(json);
    text[i] = '\0';
    CHECK(autoshard_plan_parse_json(text, graph, &bad) == AUTOSHARD_INVALID_ARGUMENT);
    free(text);
  }
  CHECK(bad == NULL);
  autoshard_plan_destroy(&plan);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&other);
  autoshard_graph_destroy(&graph);
}

int main(void) {
  missing_files_and_folders();
  broken_files();
  edited_graphs();
  plans_of_other_graphs_and_edited_plans();
  return check_summary();
}
