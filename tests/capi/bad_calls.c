/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   Null handles, null out-parameters, and builders that are told nonsense: each answers with a code
   and a message that names the offender. */
#include "check.h"

/* `call` fails with `code`, and the message contains `part`. */
#define REFUSED(call, code, part)                                                             \
  do {                                                                                        \
    const int32_t refused_status = (call);                                                    \
    ++check_count;                                                                            \
    if (refused_status != (code) || !strstr(autoshard_last_error(), (part))) {                \
      ++check_failures;                                                                       \
      printf("%s:%d: %s answered %d \"%s\", expected %d \"%s\"\n", __FILE__, __LINE__, #call, \
             (int)refused_status, autoshard_last_error(), (int)(code), (part));               \
    }                                                                                         \
  } while (0)

#define NULL_REFUSED(call, parameter) \
  REFUSED(call, AUTOSHARD_INVALID_ARGUMENT, "parameter '" parameter "'")

static void null_handles(void) {
  const char* text = NULL;
  const int32_t* assignment = NULL;
  autoshard_graph* graph = NULL;
  autoshard_plan* plan = NULL;
  autoshard_solution* solution = NULL;
  autoshard_tensor tensor = 0;
  size_t count = 0;
  double number = 0;
  int64_t integer = 0;
  int32_t flag = 0;
  NULL_REFUSED(autoshard_graph_builder_argument(NULL, "x", "f32[]", "input", &tensor), "builder");
  NULL_REFUSED(autoshard_graph_builder_operator(NULL, "tanh", "", NULL, 0), "builder");
  NULL_REFUSED(autoshard_graph_builder_result_type(NULL, "f32[]"), "builder");
  NULL_REFUSED(autoshard_graph_builder_phase(NULL, "forward"), "builder");
  NULL_REFUSED(autoshard_graph_builder_integer(NULL, "a", 1), "builder");
  NULL_REFUSED(autoshard_graph_builder_number(NULL, "a", 1.0), "builder");
  NULL_REFUSED(autoshard_graph_builder_text(NULL, "a", "b"), "builder");
  NULL_REFUSED(autoshard_graph_builder_integers(NULL, "a", NULL, 0), "builder");
  NULL_REFUSED(autoshard_graph_builder_numbers(NULL, "a", NULL, 0), "builder");
  NULL_REFUSED(autoshard_graph_builder_add(NULL, 0, NULL), "builder");
  NULL_REFUSED(autoshard_graph_builder_begin_loop(NULL, 0, NULL), "builder");
  NULL_REFUSED(autoshard_graph_builder_end_loop(NULL, NULL, 0, NULL), "builder");
  NULL_REFUSED(autoshard_graph_builder_result(NULL, 0), "builder");
  NULL_REFUSED(autoshard_graph_builder_state_pair(NULL, 0, 0), "builder");
  NULL_REFUSED(autoshard_graph_builder_build(NULL, &graph), "builder");
  NULL_REFUSED(autoshard_graph_json(NULL, &text), "graph");
  NULL_REFUSED(autoshard_graph_fingerprint(NULL, &text), "graph");
  NULL_REFUSED(autoshard_mesh_text(NULL, &text), "mesh");
  NULL_REFUSED(autoshard_options_set(NULL, "seed", "1"), "options");
  NULL_REFUSED(autoshard_options_set_progress(NULL, NULL, NULL), "options");
  NULL_REFUSED(autoshard_solve_intra_op(NULL, NULL, NULL, &plan), "graph");
  NULL_REFUSED(autoshard_plan_parse_json("{}", NULL, &plan), "graph");
  NULL_REFUSED(autoshard_plan_status(NULL, &text), "plan");
  NULL_REFUSED(autoshard_plan_step_seconds(NULL, &number), "plan");
  NULL_REFUSED(autoshard_plan_peak_bytes(NULL, &integer), "plan");
  NULL_REFUSED(autoshard_plan_argument_spec(NULL, 0, &text), "plan");
  NULL_REFUSED(autoshard_plan_result_spec(NULL, 0, &text), "plan");
  NULL_REFUSED(autoshard_plan_json(NULL, &text), "plan");
  NULL_REFUSED(autoshard_plan_report(NULL, &text), "plan");
  NULL_REFUSED(autoshard_verify(NULL, NULL, &flag, &text), "graph");
  NULL_REFUSED(autoshard_solve(NULL, NULL, &solution), "problem");
  NULL_REFUSED(autoshard_solution_status(NULL, &text), "solution");
  NULL_REFUSED(autoshard_solution_cost(NULL, &text), "solution");
  NULL_REFUSED(autoshard_solution_assignment(NULL, &assignment, &count), "solution");
  NULL_REFUSED(autoshard_solution_json(NULL, &text), "solution");
  NULL_REFUSED(autoshard_check(NULL, NULL, 0, &flag, &text), "problem");
  CHECK(graph == NULL && plan == NULL && solution == NULL);
}

static void null_destroy_is_fine(void) {
  autoshard_graph_builder_destroy(NULL);
  autoshard_graph_destroy(NULL);
  autoshard_mesh_destroy(NULL);
  autoshard_options_destroy(NULL);
  autoshard_plan_destroy(NULL);
  autoshard_problem_destroy(NULL);
  autoshard_solution_destroy(NULL);
}

static void null_texts_and_out_parameters(void) {
  const int64_t size = 2;
  const char* const no_name = NULL;
  autoshard_graph* graph = NULL;
  autoshard_graph_builder* builder = NULL;
  autoshard_mesh* mesh = NULL;
  autoshard_options* options = NULL;
  autoshard_problem* problem = NULL;
  NULL_REFUSED(autoshard_graph_builder_create(NULL, &builder), "name");
  NULL_REFUSED(autoshard_graph_builder_create("g", NULL), "out");
  NULL_REFUSED(autoshard_graph_parse_json(NULL, &graph), "text");
  NULL_REFUSED(autoshard_graph_parse_json("{}", NULL), "out");
  NULL_REFUSED(autoshard_graph_parse_hlo(NULL, &graph), "text");
  NULL_REFUSED(autoshard_graph_load(NULL, &graph), "path");
  NULL_REFUSED(autoshard_mesh_parse(NULL, "a100", &mesh), "text");
  NULL_REFUSED(autoshard_mesh_parse("2", NULL, &mesh), "device");
  NULL_REFUSED(autoshard_mesh_parse("2", "a100", NULL), "out");
  NULL_REFUSED(autoshard_mesh_create(NULL, &size, 1, "a100", &mesh), "names");
  NULL_REFUSED(autoshard_mesh_create(&no_name, NULL, 1, "a100", &mesh), "sizes");
  NULL_REFUSED(autoshard_mesh_create(&no_name, &size, 1, "a100", &mesh), "names");
  NULL_REFUSED(autoshard_options_create(NULL), "out");
  NULL_REFUSED(autoshard_problem_parse(NULL, &problem), "text");
  NULL_REFUSED(autoshard_problem_load(NULL, &problem), "path");
  CHECK_OK(autoshard_options_create(&options));
  NULL_REFUSED(autoshard_options_set(options, NULL, "1"), "name");
  NULL_REFUSED(autoshard_options_set(options, "seed", NULL), "value");
  autoshard_options_destroy(&options);
}

/* One operator on x f32[8,4], and what is wrong with it. */
struct operator_case {
  const char *kind, *result, *attribute;
  int64_t first, second; /* of the attribute, a list of two; -99: none */
  const char* part;
};

static const struct operator_case operator_cases[] = {
    {"tanh", "f32[8,5]", NULL, 0, 0, "operator 'bad': result 0 has type f32[8,5]"},
    {"tanh", "f32[8]", NULL, 0, 0, "operator 'bad'"},
    {"tanh", "q32[8,4]", NULL, 0, 0, "'q32[8,4]'"},
    {"tanh", "f32[8,4", NULL, 0, 0, "'f32[8,4'"},
    {"tanh", "f32[-8,4]", NULL, 0, 0, "f32[-8,4]"},
    {"tanh", "", NULL, 0, 0, "operator 'bad'"},
    {"tanh", "f32[9223372036854775807,9223372036854775807]", NULL, 0, 0, "operator 'bad'"},
    {"tanh", "f32[99999999999999999999]", NULL, 0, 0, "operator 'bad'"},
    {"", "f32[8,4]", NULL, 0, 0, "operator 'bad'"},
    {"add", "f32[8,4]", NULL, 0, 0, "operator 'bad'"},
    {"while", "f32[8,4]", NULL, 0, 0, "operator 'bad'"},
    {"transpose", "f32[4,8]", NULL, 0, 0, "permutation"},
    {"transpose", "f32[4,8]", "permutation", 0, 0, "permutation"},
    {"transpose", "f32[4,8]", "permutation", 0, 2, "permutation"},
    {"transpose", "f32[4,8]", "permutation", -1, 0, "permutation"},
    {"reshape", "f32[31]", NULL, 0, 0, "operator 'bad': operand 0 has 32 elements"},
    {"broadcast_in_dim", "f32[8,4]", "broadcast_dimensions", 0, 7, "broadcast_dimensions"},
    {"concatenate", "f32[8,4]", NULL, 0, 0, "dimension"},
    {"slice", "f32[8,4]", "start_indices", 0, 0, "operator 'bad'"},
    {"reverse", "f32[8,4]", "dimensions", 1, 1, "dimensions"},
};

static autoshard_graph_builder* builder_with_x(autoshard_tensor* x) {
  autoshard_graph_builder* builder = NULL;
  CHECK_OK(autoshard_graph_builder_create("g", &builder));
  CHECK_OK(autoshard_graph_builder_argument(builder, "x", "f32[8,4]", "input", x));
  return builder;
}

static void describe(autoshard_graph_builder* builder, const struct operator_case* bad,
                     autoshard_tensor x) {
  const int64_t values[2] = {bad->first, bad->second};
  autoshard_graph_builder_operator(builder, bad->kind, "bad", &x, 1);
  if (bad->attribute) autoshard_graph_builder_integers(builder, bad->attribute, values, 2);
  autoshard_graph_builder_result_type(builder, bad->result);
}

static void operators_are_refused(void) {
  size_t i;
  for (i = 0; i < sizeof operator_cases / sizeof operator_cases[0]; ++i) {
    autoshard_tensor x, result;
    autoshard_graph* graph = NULL;
    autoshard_graph_builder* builder = builder_with_x(&x);
    describe(builder, &operator_cases[i], x);
    REFUSED(autoshard_graph_builder_add(builder, 1, &result), AUTOSHARD_INVALID_ARGUMENT,
            operator_cases[i].part);
    /* The first failure stays. */
    REFUSED(autoshard_graph_builder_build(builder, &graph), AUTOSHARD_INVALID_ARGUMENT,
            operator_cases[i].part);
    CHECK(graph == NULL);
    autoshard_graph_builder_destroy(&builder);
  }
}

/* A call on a fresh builder with x f32[8,4]. */
#define FRESH_REFUSED(call, part)                    \
  do {                                               \
    builder = builder_with_x(&x);                    \
    REFUSED(call, AUTOSHARD_INVALID_ARGUMENT, part); \
    autoshard_graph_builder_destroy(&builder);       \
  } while (0)

static void arguments_and_ids_are_refused(void) {
  autoshard_graph_builder* builder = NULL;
  autoshard_tensor x, out;
  FRESH_REFUSED(autoshard_graph_builder_argument(builder, "x", "f32[1]", "input", &out), "'x'");
  FRESH_REFUSED(autoshard_graph_builder_argument(builder, "y", "f33[1]", "input", &out),
                "'f33[1]'");
  FRESH_REFUSED(autoshard_graph_builder_argument(builder, "y", "f32[-1]", "input", &out), "'y'");
  FRESH_REFUSED(autoshard_graph_builder_argument(builder, "y", "f32[1]", "weight", &out),
                "'weight' is not a role");
  FRESH_REFUSED(autoshard_graph_builder_argument(builder, "y", "f32[1]", "intermediate", &out),
                "'y'");
  FRESH_REFUSED(autoshard_graph_builder_result(builder, 999), "id 999");
  FRESH_REFUSED(autoshard_graph_builder_result(builder, -1), "id -1");
  FRESH_REFUSED(autoshard_graph_builder_phase(builder, "forward"), "no operator has been begun");
  FRESH_REFUSED(autoshard_graph_builder_add(builder, 1, &out), "no operator has been begun");
  FRESH_REFUSED(autoshard_graph_builder_end_loop(builder, &x, 1, &out), "no loop is open");
}

static void operators_out_of_order_are_refused(void) {
  autoshard_graph* graph = NULL;
  autoshard_tensor x, out[2], later = 1;
  autoshard_graph_builder* builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "first", &x, 1));
  REFUSED(autoshard_graph_builder_operator(builder, "tanh", "second", &x, 1),
          AUTOSHARD_INVALID_ARGUMENT, "'first': has not been added");
  autoshard_graph_builder_destroy(&builder);

  builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "first", &x, 1));
  REFUSED(autoshard_graph_builder_build(builder, &graph), AUTOSHARD_INVALID_ARGUMENT,
          "'first': has not been added");
  autoshard_graph_builder_destroy(&builder);

  builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "first", &x, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8,4]"));
  REFUSED(autoshard_graph_builder_add(builder, 2, out), AUTOSHARD_INVALID_ARGUMENT,
          "'first': count is 2 for 1");
  autoshard_graph_builder_destroy(&builder);

  builder = builder_with_x(&x); /* a cycle: the operand is the operator's own result */
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", "cycle", &later, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[8,4]"));
  REFUSED(autoshard_graph_builder_add(builder, 1, out), AUTOSHARD_INVALID_ARGUMENT,
          "operator 'cycle': operand 0");
  autoshard_graph_builder_destroy(&builder);
}

static void unfinished_and_used_builders_are_refused(void) {
  autoshard_graph* graph = NULL;
  autoshard_tensor x, inside;
  autoshard_graph_builder* builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_operator(builder, "while", "rounds", &x, 1));
  CHECK_OK(autoshard_graph_builder_begin_loop(builder, 1, &inside));
  REFUSED(autoshard_graph_builder_build(builder, &graph), AUTOSHARD_INVALID_ARGUMENT, "'rounds'");
  autoshard_graph_builder_destroy(&builder);

  builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_result(builder, x));
  CHECK_OK(autoshard_graph_builder_state_pair(builder, x, 3));
  REFUSED(autoshard_graph_builder_build(builder, &graph), AUTOSHARD_INVALID_ARGUMENT,
          "state pair 0");
  autoshard_graph_builder_destroy(&builder);

  builder = builder_with_x(&x);
  CHECK_OK(autoshard_graph_builder_result(builder, x));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  autoshard_graph_destroy(&graph);
  REFUSED(autoshard_graph_builder_build(builder, &graph), AUTOSHARD_INVALID_ARGUMENT,
          "has been built");
  REFUSED(autoshard_graph_builder_result(builder, x), AUTOSHARD_INVALID_ARGUMENT, "has been built");
  autoshard_graph_builder_destroy(&builder);
}

int main(void) {
  null_handles();
  null_destroy_is_fine();
  null_texts_and_out_parameters();
  operators_are_refused();
  arguments_and_ids_are_refused();
  operators_out_of_order_are_refused();
  unfinished_and_used_builders_are_refused();
  return check_summary();
}
