/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

static void versions_agree_with_the_header(void) {
  CHECK(autoshard_abi_version() == AUTOSHARD_ABI_VERSION);
  CHECK_HAS(autoshard_version(), ".");
  CHECK_HAS(autoshard_build_info(), "\"backends\"");
  CHECK_HAS(autoshard_build_info(), "\"licence\"");
  CHECK(strstr(autoshard_build_info(), "GPL-3") == NULL);
}

static void names_end_with_null(void) {
  size_t devices = 0, options = 0;
  while (autoshard_device_name(devices)) ++devices;
  while (autoshard_option_name(options)) ++options;
  CHECK(devices >= 3);
  CHECK(options >= 5);
  CHECK(autoshard_device_name(devices + 1000) == NULL);
  CHECK_TEXT(autoshard_option_name(0), "memory_limit");
}

static void a_built_graph_survives_its_json(void) {
  autoshard_graph *graph = small_graph(), *copy = NULL;
  const char *json = NULL, *again = NULL, *first = NULL, *second = NULL;
  CHECK_OK(autoshard_graph_json(graph, &json));
  CHECK_OK(autoshard_graph_json(graph, &again));
  CHECK(json == again); /* lent, and made once */
  CHECK_OK(autoshard_graph_parse_json(json, &copy));
  CHECK_OK(autoshard_graph_fingerprint(graph, &first));
  CHECK_OK(autoshard_graph_fingerprint(copy, &second));
  CHECK(strlen(first) == 16);
  CHECK_TEXT(first, second);
  autoshard_graph_destroy(&copy);
  autoshard_graph_destroy(&graph);
  CHECK(graph == NULL && copy == NULL);
  autoshard_graph_destroy(&graph);
  autoshard_graph_destroy(NULL);
}

static void a_loop_is_built_in_c(void) {
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_tensor x, inside, next, result;
  const char* json = NULL;
  CHECK_OK(autoshard_graph_builder_create("loop", &builder));
  CHECK_OK(autoshard_graph_builder_argument(builder, "x", "f32[8]", "optimizer_state", &x));
  CHECK_OK(autoshard_graph_builder_operator(builder, "while", "rounds", &x, 1));
  CHECK_OK(autoshard_graph_builder_integer(builder, "trip_count", 12));
  CHECK_OK(autoshard_graph_builder_phase(builder, "update"));
  CHECK_OK(autoshard_graph_builder_begin_loop(builder, 1, &inside));
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "inside", &inside, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &next));
  CHECK_OK(autoshard_graph_builder_end_loop(builder, &next, 1, &result));
  CHECK_OK(autoshard_graph_builder_result(builder, result));
  CHECK_OK(autoshard_graph_builder_state_pair(builder, x, 0));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  CHECK_OK(autoshard_graph_json(graph, &json));
  CHECK_HAS(json, "trip_count");
  autoshard_graph_destroy(&graph);
  autoshard_graph_builder_destroy(&builder);
  CHECK(builder == NULL);
}

/* w - gradient * rate in the update of a step whose source gave neither phases nor roles. */
static void phases_and_roles_are_inferred_on_request(void) {
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_tensor operands[2], loss, next;
  const char* json = NULL;
  CHECK_OK(autoshard_graph_builder_create("step", &builder));
  CHECK_OK(autoshard_graph_builder_infer_training_roles(builder));
  CHECK_OK(autoshard_graph_builder_argument(builder, "w", "f32[8]", "input", &operands[0]));
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "loss", operands, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &loss));
  CHECK_OK(autoshard_graph_builder_operator(builder, "cosine", "gradient", operands, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &operands[1]));
  CHECK_OK(autoshard_graph_builder_operator(builder, "subtract", "new_w", operands, 2));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &next));
  CHECK_OK(autoshard_graph_builder_result(builder, loss));
  CHECK_OK(autoshard_graph_builder_result(builder, next));
  CHECK_OK(autoshard_graph_builder_state_pair(builder, operands[0], 1));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  CHECK_OK(autoshard_graph_json(graph, &json));
  CHECK_HAS(json, "\"update\"");
  CHECK(autoshard_graph_builder_infer_training_roles(NULL) == AUTOSHARD_INVALID_ARGUMENT);
  autoshard_graph_destroy(&graph);
  autoshard_graph_builder_destroy(&builder);
}

static void constants_take_numbers_and_text(void) {
  const double values[2] = {1.5, -2.0};
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_tensor constants[2], compared;
  CHECK_OK(autoshard_graph_builder_create("constants", &builder));
  CHECK_OK(autoshard_graph_builder_operator(builder, "constant", "list", NULL, 0));
  CHECK_OK(autoshard_graph_builder_numbers(builder, "values", values, 2));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[2]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &constants[0]));
  CHECK_OK(autoshard_graph_builder_operator(builder, "constant", "same", NULL, 0));
  CHECK_OK(autoshard_graph_builder_number(builder, "value", 0.5));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[2]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &constants[1]));
  CHECK_OK(autoshard_graph_builder_operator(builder, "compare", NULL, constants, 2));
  CHECK_OK(autoshard_graph_builder_text(builder, "comparison_direction", "LT"));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "pred[2]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &compared));
  CHECK_OK(autoshard_graph_builder_result(builder, compared));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  autoshard_graph_destroy(&graph);
  autoshard_graph_builder_destroy(&builder);
}

static void a_model_is_read_from_a_gzip_file(void) {
  autoshard_graph* graph = NULL;
  CHECK_OK(autoshard_graph_load(AUTOSHARD_TEST_DATA "/gpt2_tiny_loop.hlo.gz", &graph));
  autoshard_graph_destroy(&graph);
}

static void meshes_have_text_and_arrays(void) {
  const char* const names[2] = {"data", "model"};
  const int64_t sizes[2] = {6, 7};
  const char* text = NULL;
  autoshard_mesh *created = NULL, *parsed = NULL;
  CHECK_OK(autoshard_mesh_create(names, sizes, 2, "h100", &created));
  CHECK_OK(autoshard_mesh_text(created, &text));
  CHECK_TEXT(text, "data=6,model=7");
  CHECK_OK(autoshard_mesh_parse("2x4", "a100", &parsed));
  CHECK_OK(autoshard_mesh_text(parsed, &text));
  CHECK_TEXT(text, "a0=2,a1=4");
  autoshard_mesh_destroy(&created);
  autoshard_mesh_destroy(&parsed);
  CHECK(created == NULL && parsed == NULL);
}

int main(void) {
  versions_agree_with_the_header();
  names_end_with_null();
  a_built_graph_survives_its_json();
  a_loop_is_built_in_c();
  phases_and_roles_are_inferred_on_request();
  constants_take_numbers_and_text();
  a_model_is_read_from_a_gzip_file();
  meshes_have_text_and_arrays();
  return check_summary();
}
