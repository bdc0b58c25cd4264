/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   Builds a small graph, plans it for four devices of which each may use less than the weight's
   size, and prints how the arguments are split. */
#include <stdio.h>

#include "autoshard.h"

/* y = x w, for x f32[64,256] and w f32[256,1024]. */
static int32_t build(autoshard_graph_builder* builder, autoshard_graph** graph) {
  const int64_t x_columns = 1, w_rows = 0;
  autoshard_tensor operands[2], y;
  /* After the first failure every later call repeats it: one look at the end is enough. */
  autoshard_graph_builder_argument(builder, "x", "f32[64,256]", "input", &operands[0]);
  autoshard_graph_builder_argument(builder, "w", "f32[256,1024]", "parameter", &operands[1]);
  autoshard_graph_builder_operator(builder, "dot_general", "y", operands, 2);
  autoshard_graph_builder_integers(builder, "lhs_batching_dimensions", NULL, 0);
  autoshard_graph_builder_integers(builder, "rhs_batching_dimensions", NULL, 0);
  autoshard_graph_builder_integers(builder, "lhs_contracting_dimensions", &x_columns, 1);
  autoshard_graph_builder_integers(builder, "rhs_contracting_dimensions", &w_rows, 1);
  autoshard_graph_builder_result_type(builder, "f32[64,1024]");
  autoshard_graph_builder_add(builder, 1, &y);
  autoshard_graph_builder_result(builder, y);
  return autoshard_graph_builder_build(builder, graph);
}

static int print_specs(const autoshard_plan* plan) {
  const char *status = NULL, *spec = NULL;
  size_t index;
  if (autoshard_plan_status(plan, &status) != AUTOSHARD_OK) return 1;
  printf("%s\n", status);
  for (index = 0; autoshard_plan_argument_spec(plan, index, &spec) == AUTOSHARD_OK; ++index) {
    printf("argument %u: %s\n", (unsigned)index, spec);
  }
  return 0;
}

int main(void) {
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_mesh* mesh = NULL;
  autoshard_options* options = NULL;
  autoshard_plan* plan = NULL;
  int exit_code = 1;

  if (autoshard_graph_builder_create("example", &builder) == AUTOSHARD_OK &&
      build(builder, &graph) == AUTOSHARD_OK &&
      autoshard_mesh_parse("model=4", "a100", &mesh) == AUTOSHARD_OK &&
      autoshard_options_create(&options) == AUTOSHARD_OK &&
      autoshard_options_set(options, "memory_limit", "1MB") == AUTOSHARD_OK &&
      autoshard_solve_intra_op(graph, mesh, options, &plan) == AUTOSHARD_OK) {
    exit_code = print_specs(plan);
  } else {
    printf("error: %s\n", autoshard_last_error());
  }

  autoshard_plan_destroy(&plan);
  autoshard_options_destroy(&options);
  autoshard_mesh_destroy(&mesh);
  autoshard_graph_destroy(&graph);
  autoshard_graph_builder_destroy(&builder);
  return exit_code;
}
