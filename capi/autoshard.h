/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   The C interface (C99) of autoshard: plans how the tensors of an operator graph are split over a
   device mesh. docs/c_api.md is a walk through it.

   Rules that hold for every function:
   * What can fail returns a status: AUTOSHARD_OK (0) or one of the codes below; then
     autoshard_last_error() says why, naming the offender. Nothing throws, aborts or exits.
   * Out-parameters stand last. After a failure a handle written there is NULL.
   * Text and arrays that a getter answers with are borrowed: they live as long as the handle.
     Text is UTF-8 and ends with NUL.
   * A destroy function takes the address of the handle and sets it to NULL; NULL is fine.
   * A null handle or a null out-parameter is AUTOSHARD_INVALID_ARGUMENT.
   * Handles are independent of one another: a graph may be destroyed before its plan. One handle
     may be read by several threads at once; changing one (builders, options) needs a lock. */
#ifndef AUTOSHARD_H
#define AUTOSHARD_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define AUTOSHARD_API
#else
#define AUTOSHARD_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a program that was built with an older header could break. */
#define AUTOSHARD_ABI_VERSION 1

enum {
  AUTOSHARD_OK = 0,
  AUTOSHARD_INVALID_ARGUMENT = 1,
  AUTOSHARD_NOT_FOUND = 2, /* a file, a device, an option, an index past the end */
  AUTOSHARD_OUT_OF_MEMORY = 3,
  AUTOSHARD_CANCELLED = 4, /* by the progress callback, before there was any answer */
  AUTOSHARD_INTERNAL = 5   /* a bug of the library */
};

typedef struct autoshard_graph autoshard_graph;
typedef struct autoshard_graph_builder autoshard_graph_builder;
typedef struct autoshard_mesh autoshard_mesh;
typedef struct autoshard_options autoshard_options;
typedef struct autoshard_plan autoshard_plan;
typedef struct autoshard_problem autoshard_problem;   /* a bare cost graph */
typedef struct autoshard_solution autoshard_solution; /* of a problem */

/* A tensor of a graph under construction. */
typedef int32_t autoshard_tensor;

/* ---- The library ---- */

AUTOSHARD_API const char* autoshard_version(void); /* "0.1.0" */
AUTOSHARD_API int32_t autoshard_abi_version(void); /* compare with AUTOSHARD_ABI_VERSION */
/* JSON: version, compiler, solver backends and the licences of what is linked in. */
AUTOSHARD_API const char* autoshard_build_info(void);
/* Why the last call of this thread that failed did so; "" if none did. Valid until the next
   failure on this thread. */
AUTOSHARD_API const char* autoshard_last_error(void);
/* The index-th built-in device ("a100"); NULL past the last. */
AUTOSHARD_API const char* autoshard_device_name(size_t index);
/* The index-th name for autoshard_options_set; NULL past the last. */
AUTOSHARD_API const char* autoshard_option_name(size_t index);

/* ---- Building a graph (operators and their attributes: docs/graph.md) ----
   After the first failure every call on the builder, and the build, returns that same failure. */

AUTOSHARD_API int32_t autoshard_graph_builder_create(const char* name,
                                                     autoshard_graph_builder** out);
AUTOSHARD_API void autoshard_graph_builder_destroy(autoshard_graph_builder** builder);
/* type: "f32[8,1024]". role: "input", "parameter" or "optimizer_state". */
AUTOSHARD_API int32_t autoshard_graph_builder_argument(autoshard_graph_builder* builder,
                                                       const char* name, const char* type,
                                                       const char* role, autoshard_tensor* out);

/* Describes the next operator: kind ("dot_general"), name (NULL or "": one is made), operands.
   The calls up to autoshard_graph_builder_add or _begin_loop then complete it. */
AUTOSHARD_API int32_t autoshard_graph_builder_operator(autoshard_graph_builder* builder,
                                                       const char* kind, const char* name,
                                                       const autoshard_tensor* operands,
                                                       size_t count);
AUTOSHARD_API int32_t autoshard_graph_builder_result_type(autoshard_graph_builder* builder,
                                                          const char* type);
/* "forward" (the default), "backward" or "update" (once per step, not per microbatch). */
AUTOSHARD_API int32_t autoshard_graph_builder_phase(autoshard_graph_builder* builder,
                                                    const char* phase);
AUTOSHARD_API int32_t autoshard_graph_builder_integer(autoshard_graph_builder* builder,
                                                      const char* attribute, int64_t value);
AUTOSHARD_API int32_t autoshard_graph_builder_number(autoshard_graph_builder* builder,
                                                     const char* attribute, double value);
AUTOSHARD_API int32_t autoshard_graph_builder_text(autoshard_graph_builder* builder,
                                                   const char* attribute, const char* value);
AUTOSHARD_API int32_t autoshard_graph_builder_integers(autoshard_graph_builder* builder,
                                                       const char* attribute, const int64_t* values,
                                                       size_t count);
AUTOSHARD_API int32_t autoshard_graph_builder_numbers(autoshard_graph_builder* builder,
                                                      const char* attribute, const double* values,
                                                      size_t count);
/* Adds the operator described. `count` is the number of result types given; `results` has as
   many entries (NULL when count is 0). */
AUTOSHARD_API int32_t autoshard_graph_builder_add(autoshard_graph_builder* builder, size_t count,
                                                  autoshard_tensor* results);
/* Opens the body of the "while" described, whose operands are the carried values. `count` is
   their number; `arguments` receives the tensors that stand for them inside the body. */
AUTOSHARD_API int32_t autoshard_graph_builder_begin_loop(autoshard_graph_builder* builder,
                                                         size_t count, autoshard_tensor* arguments);
/* Closes the innermost body; next[i] becomes the i-th argument of the next round. */
AUTOSHARD_API int32_t autoshard_graph_builder_end_loop(autoshard_graph_builder* builder,
                                                       const autoshard_tensor* next, size_t count,
                                                       autoshard_tensor* results);
/* The next result of the graph. */
AUTOSHARD_API int32_t autoshard_graph_builder_result(autoshard_graph_builder* builder,
                                                     autoshard_tensor tensor);
/* Result number `result` replaces `argument` in the next step and reuses its memory. */
AUTOSHARD_API int32_t autoshard_graph_builder_state_pair(autoshard_graph_builder* builder,
                                                         autoshard_tensor argument, int32_t result);
/* For sources that know neither phases nor roles: the build finds them from the state pairs, and
   overwrites the phases given and the roles of the arguments in state pairs (docs/graph.md). */
AUTOSHARD_API int32_t
autoshard_graph_builder_infer_training_roles(autoshard_graph_builder* builder);
/* Checks the whole and ends the builder: afterwards it can only be destroyed. */
AUTOSHARD_API int32_t autoshard_graph_builder_build(autoshard_graph_builder* builder,
                                                    autoshard_graph** out);

/* ---- Graphs ---- */

AUTOSHARD_API int32_t autoshard_graph_parse_json(const char* text, autoshard_graph** out);
AUTOSHARD_API int32_t autoshard_graph_parse_hlo(const char* text, autoshard_graph** out);
/* A file of HLO text or JSON, plain or .gz. */
AUTOSHARD_API int32_t autoshard_graph_load(const char* path, autoshard_graph** out);
AUTOSHARD_API int32_t autoshard_graph_json(const autoshard_graph* graph, const char** out);
/* 16 hexadecimal digits over structure, types and attributes, not over names. */
AUTOSHARD_API int32_t autoshard_graph_fingerprint(const autoshard_graph* graph, const char** out);
AUTOSHARD_API void autoshard_graph_destroy(autoshard_graph** graph);

/* ---- Device meshes ---- */

/* text: "data=2,model=4", or "2x4" for axes a0, a1. device: see autoshard_device_name. */
AUTOSHARD_API int32_t autoshard_mesh_parse(const char* text, const char* device,
                                           autoshard_mesh** out);
/* `count` axes, the last one innermost. */
AUTOSHARD_API int32_t autoshard_mesh_create(const char* const* names, const int64_t* sizes,
                                            size_t count, const char* device, autoshard_mesh** out);
AUTOSHARD_API int32_t autoshard_mesh_text(const autoshard_mesh* mesh, const char** out);
AUTOSHARD_API void autoshard_mesh_destroy(autoshard_mesh** mesh);

/* ---- Options (names, units and ranges: docs/options.md) ---- */

typedef struct autoshard_progress {
  size_t size; /* of this structure in the library: later fields exist if it is large enough */
  const char* phase;
  double seconds;          /* since the solve began */
  const char* cost;        /* best so far, decimal; NULL: none yet */
  const char* lower_bound; /* best so far, decimal; NULL: none yet */
} autoshard_progress;

/* Called now and then from the thread that solves; a nonzero answer cancels the solve. */
typedef int32_t (*autoshard_progress_callback)(const autoshard_progress* progress, void* user_data);

AUTOSHARD_API int32_t autoshard_options_create(autoshard_options** out);
AUTOSHARD_API int32_t autoshard_options_set(autoshard_options* options, const char* name,
                                            const char* value);
/* callback NULL: none. */
AUTOSHARD_API int32_t autoshard_options_set_progress(autoshard_options* options,
                                                     autoshard_progress_callback callback,
                                                     void* user_data);
AUTOSHARD_API void autoshard_options_destroy(autoshard_options** options);

/* ---- Plans ---- */

/* options NULL: the defaults. Limits that cannot be met are no failure: the plan's status is then
   "infeasible", and its report says what is needed. */
AUTOSHARD_API int32_t autoshard_solve_intra_op(const autoshard_graph* graph,
                                               const autoshard_mesh* mesh,
                                               const autoshard_options* options,
                                               autoshard_plan** out);
/* Reads what autoshard_plan_json wrote; a plan of another graph is refused. */
AUTOSHARD_API int32_t autoshard_plan_parse_json(const char* text, const autoshard_graph* graph,
                                                autoshard_plan** out);
/* "optimal", "feasible", "infeasible", "time_limit" or "cancelled". */
AUTOSHARD_API int32_t autoshard_plan_status(const autoshard_plan* plan, const char** out);
/* Seconds of one step and peak bytes of one device; AUTOSHARD_NOT_FOUND without an answer. */
AUTOSHARD_API int32_t autoshard_plan_step_seconds(const autoshard_plan* plan, double* out);
AUTOSHARD_API int32_t autoshard_plan_peak_bytes(const autoshard_plan* plan, int64_t* out);
/* How the index-th argument or result of the graph is split: `[{"data"}, {}]`.
   AUTOSHARD_NOT_FOUND past the last, and without an answer. */
AUTOSHARD_API int32_t autoshard_plan_argument_spec(const autoshard_plan* plan, size_t index,
                                                   const char** out);
AUTOSHARD_API int32_t autoshard_plan_result_spec(const autoshard_plan* plan, size_t index,
                                                 const char** out);
/* Everything, as docs/plan.md describes it. */
AUTOSHARD_API int32_t autoshard_plan_json(const autoshard_plan* plan, const char** out);
/* The table of `autoshard plan`. */
AUTOSHARD_API int32_t autoshard_plan_report(const autoshard_plan* plan, const char** out);
AUTOSHARD_API void autoshard_plan_destroy(autoshard_plan** plan);
/* Runs the graph on a small interpreter densely and as the plan says, and compares values and
   bytes moved. *passed is 1 or 0; *report is text that is valid until the next verify or check
   of this thread. */
AUTOSHARD_API int32_t autoshard_verify(const autoshard_graph* graph, const autoshard_plan* plan,
                                       int32_t* passed, const char** report);

/* ---- Bare cost graphs (the JSON format of the public IOPDDL contest) ---- */

AUTOSHARD_API int32_t autoshard_problem_parse(const char* text, autoshard_problem** out);
/* Plain or .gz. */
AUTOSHARD_API int32_t autoshard_problem_load(const char* path, autoshard_problem** out);
AUTOSHARD_API void autoshard_problem_destroy(autoshard_problem** problem);
/* options NULL: the defaults. A problem without a legal answer is a solution whose status is
   "infeasible". */
AUTOSHARD_API int32_t autoshard_solve(const autoshard_problem* problem,
                                      const autoshard_options* options, autoshard_solution** out);
AUTOSHARD_API int32_t autoshard_solution_status(const autoshard_solution* solution,
                                                const char** out);
/* Decimal, as costs may pass 64 bits; AUTOSHARD_NOT_FOUND without an answer. */
AUTOSHARD_API int32_t autoshard_solution_cost(const autoshard_solution* solution, const char** out);
/* One strategy per node; *count is 0 without an answer. */
AUTOSHARD_API int32_t autoshard_solution_assignment(const autoshard_solution* solution,
                                                    const int32_t** out, size_t* count);
/* What `autoshard solve --format json` prints. */
AUTOSHARD_API int32_t autoshard_solution_json(const autoshard_solution* solution, const char** out);
AUTOSHARD_API void autoshard_solution_destroy(autoshard_solution** solution);
/* Recomputes the cost and the memory of an assignment from their definition. *legal is 1 or 0;
   *report is the JSON of `autoshard check --format json`, valid until the next verify or check of
   this thread. A wrong length or a strategy out of range is AUTOSHARD_INVALID_ARGUMENT. */
AUTOSHARD_API int32_t autoshard_check(const autoshard_problem* problem, const int32_t* assignment,
                                      size_t count, int32_t* legal, const char** report);

#ifdef __cplusplus
}
#endif

#endif
