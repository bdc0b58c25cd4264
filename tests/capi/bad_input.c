/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   Bad text and bad files: each case asserts the code and that the message names the offender. */
#include "check.h"

struct text_case {
  const char *input, *second; /* second: an option's value */
  int32_t code;
  const char* part;
};

#define INVALID AUTOSHARD_INVALID_ARGUMENT
#define MISSING AUTOSHARD_NOT_FOUND
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static void expect(int32_t status, const struct text_case* bad) {
  ++check_count;
  if (status == bad->code && strstr(autoshard_last_error(), bad->part)) return;
  ++check_failures;
  printf("\"%.60s\": answered %d \"%s\", expected %d \"%s\"\n", bad->input, (int)status,
         autoshard_last_error(), (int)bad->code, bad->part);
}

static const struct text_case meshes[] = {
    {"", "a100", INVALID, "mesh"},
    {"0", "a100", INVALID, "'a0': size 0"},
    {"data=0", "a100", INVALID, "'data': size 0"},
    {"data=-2,model=4", "a100", INVALID, "'data': size -2"},
    {"data=2,data=4", "a100", INVALID, "'data': the name is used twice"},
    {"data=2,model", "a100", INVALID, "'model'"},
    {"data=2,=4", "a100", INVALID, "''"},
    {"data=two", "a100", INVALID, "'two'"},
    {"data=2.5", "a100", INVALID, "'2.5'"},
    {"2x", "a100", INVALID, "'2x'"},
    {"2*4", "a100", INVALID, "'2*4'"},
    {"99999999999999999999", "a100", INVALID, "'99999999999999999999'"},
    {"data=4611686018427387904,model=4", "a100", INVALID, "'data'"},
    {"data=2000,model=3000", "a100", INVALID, "'model'"},
    {"2data=2", "a100", INVALID, "'2data'"},
    {"data=2", "z9000", MISSING, "'z9000'"},
    {"data=2", "", MISSING, "''"},
};

static void meshes_are_refused(void) {
  size_t i;
  for (i = 0; i < COUNT(meshes); ++i) {
    autoshard_mesh* mesh = NULL;
    expect(autoshard_mesh_parse(meshes[i].input, meshes[i].second, &mesh), &meshes[i]);
    CHECK(mesh == NULL);
  }
}

static void mesh_arrays_are_refused(void) {
  static const char* const names[2] = {"data", "data"};
  static const int64_t sizes[2] = {2, -1};
  static const struct text_case empty = {"no axes", NULL, INVALID, "mesh: it has no axis"};
  static const struct text_case twice = {"same name", NULL, INVALID, "'data'"};
  autoshard_mesh* mesh = NULL;
  expect(autoshard_mesh_create(names, sizes, 0, "a100", &mesh), &empty);
  expect(autoshard_mesh_create(names, sizes, 2, "a100", &mesh), &twice);
  CHECK(mesh == NULL);
}

static const struct text_case options[] = {
    {"memroy_limit", "16GB", MISSING, "option 'memroy_limit'"},
    {"", "1", MISSING, "option ''"},
    {"memory_limit", "", INVALID, "option 'memory_limit'"},
    {"memory_limit", "0", INVALID, "option 'memory_limit'"},
    {"memory_limit", "-16GB", INVALID, "'-16GB'"},
    {"memory_limit", "16XB", INVALID, "'16XB'"},
    {"memory_limit", "16 GB", INVALID, "'16 GB'"},
    {"memory_limit", "GB", INVALID, "'GB'"},
    {"memory_limit", "99999999999TB", INVALID, "'99999999999TB'"},
    {"memory_limit", "nan", INVALID, "'nan'"},
    {"time_limit", "0", INVALID, "option 'time_limit': '0'"},
    {"time_limit", "-1", INVALID, "option 'time_limit': '-1'"},
    {"time_limit", "soon", INVALID, "option 'time_limit': 'soon'"},
    {"time_limit", "inf", INVALID, "option 'time_limit': 'inf'"},
    {"time_limit", "1s", INVALID, "option 'time_limit': '1s'"},
    {"work_limit", "0", INVALID, "option 'work_limit': '0'"},
    {"work_limit", "1e400", INVALID, "option 'work_limit': '1e400'"},
    {"pin", "arg:x", INVALID, "option 'pin': 'arg:x' is not a path and a spec"},
    {"threads", "0", INVALID, "option 'threads': '0'"},
    {"threads", "2.5", INVALID, "option 'threads': '2.5'"},
    {"threads", "1000000", INVALID, "option 'threads': '1000000'"},
    {"seed", "-1", INVALID, "option 'seed': '-1'"},
    {"seed", "18446744073709551616", INVALID, "option 'seed'"},
    {"gap_target", "-0.1", INVALID, "option 'gap_target': '-0.1'"},
    {"target", "pytorch", MISSING, "'pytorch'"},
};

static void options_are_refused(void) {
  size_t i;
  autoshard_options* handle = NULL;
  CHECK_OK(autoshard_options_create(&handle));
  for (i = 0; i < COUNT(options); ++i) {
    expect(autoshard_options_set(handle, options[i].input, options[i].second), &options[i]);
  }
  autoshard_options_destroy(&handle);
}

#define PROBLEM(nodes, edges) "{\"problem\":{\"nodes\":" nodes ",\"edges\":" edges "}}"
#define NO_EDGES "{\"nodes\":[],\"costs\":[]}"
#define TWO_NODES "{\"intervals\":[[0,9],[0,9]],\"costs\":[[1,2],[3]],\"usages\":[[0,0],[0]]}"

static const struct text_case problems[] = {
    {"", NULL, INVALID, "byte"},
    {"{", NULL, INVALID, "byte"},
    {"[]", NULL, INVALID, "byte"},
    {"{}", NULL, INVALID, "'problem'"},
    {"nonsense", NULL, INVALID, "byte"},
    {PROBLEM(TWO_NODES, NO_EDGES) "x", NULL, INVALID, "after the problem"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[],\"usages\":[[]]}", NO_EDGES), NULL, INVALID,
     "1 intervals, 0 costs"},
    {PROBLEM("{\"intervals\":[[0]],\"costs\":[[1]],\"usages\":[[1]]}", NO_EDGES), NULL, INVALID,
     "node 0"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[1,2]],\"usages\":[[1]]}", NO_EDGES), NULL, INVALID,
     "node 0: 1 usages for 2"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[]],\"usages\":[[]]}", NO_EDGES), NULL, INVALID,
     "node 0"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[1]],\"usages\":[[-1]]}", NO_EDGES), NULL, INVALID,
     "node 0: strategy 0 has negative usage -1"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[99999999999999999999]],\"usages\":[[1]]}",
             NO_EDGES),
     NULL, INVALID, "node 0"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[5000000000000000000]],\"usages\":[[1]]}",
             NO_EDGES),
     NULL, INVALID, "node 0: strategy 0 has cost 5000000000000000000"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[1.5]],\"usages\":[[1]]}", NO_EDGES), NULL, INVALID,
     "node 0"},
    {PROBLEM("{\"intervals\":[[0,9]],\"costs\":[[\"1\"]],\"usages\":[[1]]}", NO_EDGES), NULL,
     INVALID, "node 0"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[0,2]],\"costs\":[[1,2]]}"), NULL, INVALID,
     "edge 0: node 2 is not in [0, 2)"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[0,-1]],\"costs\":[[1,2]]}"), NULL, INVALID,
     "edge 0: node -1"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[1,1]],\"costs\":[[1]]}"), NULL, INVALID, "edge 0"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[0,1,0]],\"costs\":[[1,2]]}"), NULL, INVALID,
     "edge 0: joins 3"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[0,1]],\"costs\":[[1,2,3]]}"), NULL, INVALID,
     "edge 0: its table has 3 entries, expected 2 x 1"},
    {PROBLEM(TWO_NODES, "{\"nodes\":[[0,1]],\"costs\":[]}"), NULL, INVALID, "edges: 1 pairs"},
    {"{\"problem\":{\"nodes\":" TWO_NODES ",\"edges\":" NO_EDGES ",\"usage_limit\":-1}}", NULL,
     INVALID, "usage_limit: is -1"},
};

static void problems_are_refused(void) {
  size_t i;
  for (i = 0; i < COUNT(problems); ++i) {
    autoshard_problem* problem = NULL;
    expect(autoshard_problem_parse(problems[i].input, &problem), &problems[i]);
    CHECK(problem == NULL);
  }
}

static void assignments_are_refused(void) {
  static const int32_t assignment[3] = {0, 7, 0};
  static const struct text_case cases[] = {
      {"too short", NULL, INVALID, "1 entries for 2 nodes"},
      {"too long", NULL, INVALID, "3 entries for 2 nodes"},
      {"out of range", NULL, INVALID, "node 1: strategy 7 is not in [0, 1)"},
  };
  autoshard_problem* problem = NULL;
  const char* report = NULL;
  int32_t legal = 0;
  CHECK_OK(autoshard_problem_parse(PROBLEM(TWO_NODES, NO_EDGES), &problem));
  expect(autoshard_check(problem, assignment, 1, &legal, &report), &cases[0]);
  expect(autoshard_check(problem, assignment, 3, &legal, &report), &cases[1]);
  expect(autoshard_check(problem, assignment, 2, &legal, &report), &cases[2]);
  autoshard_problem_destroy(&problem);
}

#define HLO(lines) "HloModule m\n\nENTRY main {\n" lines "}\n"
#define ARGUMENT "  x = f32[8,4]{1,0} parameter(0)\n"

static const struct text_case hlo_texts[] = {
    {"", NULL, INVALID, "HloModule"},
    {"garbage", NULL, INVALID, "line 1"},
    {"HloModule m\n", NULL, INVALID, "ENTRY"},
    {"HloModule m\n\nENTRY main {\n" ARGUMENT, NULL, INVALID, "line"},
    {HLO(ARGUMENT "  ROOT y = f32[8,4]{1,0} tanh(z)\n"), NULL, INVALID, "z"},
    {HLO(ARGUMENT "  ROOT y = f32[8,4]{1,0} tanh(y)\n"), NULL, INVALID, "y"},
    {HLO(ARGUMENT "  ROOT y = f32[8,5]{1,0} tanh(x)\n"), NULL, INVALID, "'y'"},
    {HLO(ARGUMENT "  ROOT y = q32[8,4]{1,0} tanh(x)\n"), NULL, INVALID, "q32"},
    {HLO(ARGUMENT "  ROOT y = f32[8,-4]{1,0} tanh(x)\n"), NULL, INVALID, "line 5"},
    {HLO(ARGUMENT "  ROOT y = f32[8,99999999999999999999]{1,0} tanh(x)\n"), NULL, INVALID,
     "line 5"},
    {HLO(ARGUMENT "  ROOT y = f32[8,4]{1,0} add(x)\n"), NULL, INVALID, "'y'"},
    {HLO(ARGUMENT "  ROOT y = f32[4,8]{1,0} transpose(x), dimensions={0,9}\n"), NULL, INVALID,
     "'y'"},
    {HLO(ARGUMENT "  ROOT y = f32[8,4]{1,0} tanh(x\n"), NULL, INVALID, "'y'"},
    {HLO(ARGUMENT "  x = f32[8,4]{1,0} tanh(x)\n  ROOT y = f32[8,4]{1,0} tanh(x)\n"), NULL, INVALID,
     "x"},
};

static void hlo_texts_are_refused(void) {
  size_t i;
  for (i = 0; i < COUNT(hlo_texts); ++i) {
    autoshard_graph* graph = NULL;
    expect(autoshard_graph_parse_hlo(hlo_texts[i].input, &graph), &hlo_texts[i]);
    CHECK(graph == NULL);
  }
}

static const struct text_case graph_texts[] = {
    {"", NULL, INVALID, "JSON"},       {"{", NULL, INVALID, "JSON"},
    {"[]", NULL, INVALID, "object"},   {"{}", NULL, INVALID, "autoshard_graph"},
    {"null", NULL, INVALID, "object"}, {"{\"a\":\x80}", NULL, INVALID, "JSON"},
};

static void graph_texts_are_refused(void) {
  size_t i;
  for (i = 0; i < COUNT(graph_texts); ++i) {
    autoshard_graph* graph = NULL;
    expect(autoshard_graph_parse_json(graph_texts[i].input, &graph), &graph_texts[i]);
    CHECK(graph == NULL);
  }
}

int main(void) {
  meshes_are_refused();
  mesh_arrays_are_refused();
  options_are_refused();
  problems_are_refused();
  assignments_are_refused();
  hlo_texts_are_refused();
  graph_texts_are_refused();
  return check_summary();
}
