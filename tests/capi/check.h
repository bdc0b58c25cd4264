/* Copyright the autoshard authors.
   SPDX-License-Identifier: Apache-2.0

   The little that the C tests need: checks that count and go on, and the small graph that most of
   them use. */
#ifndef AUTOSHARD_TESTS_CAPI_CHECK_H
#define AUTOSHARD_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <string.h>

#include "autoshard.h"

static int check_count = 0, check_failures = 0;

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    ++check_count;                                                                        \
    if (!(condition)) {                                                                   \
      ++check_failures;                                                                   \
      printf("%s:%d: %s does not hold; last error: %s\n", __FILE__, __LINE__, #condition, \
             autoshard_last_error());                                                     \
    }                                                                                     \
  } while (0)

#define CHECK_OK(call) CHECK((call) == AUTOSHARD_OK)
#define CHECK_TEXT(actual, expected) CHECK(strcmp((actual), (expected)) == 0)
#define CHECK_HAS(text, part) CHECK(strstr((text), (part)) != NULL)

/* For main's return. */
static int check_summary(void) {
  printf("%d checks, %d failed\n", check_count, check_failures);
  fflush(stdout); /* a leak checker may end the program without */
  return check_failures == 0 ? 0 : 1;
}

/* y = x * w, then tanh: arguments x f32[64,256] and w f32[256,1024]. */
static inline autoshard_graph* small_graph(void) {
  const int64_t one = 1, zero = 0;
  autoshard_graph_builder* builder = NULL;
  autoshard_graph* graph = NULL;
  autoshard_tensor operands[2], product, result;
  CHECK_OK(autoshard_graph_builder_create("small", &builder));
  CHECK_OK(autoshard_graph_builder_argument(builder, "x", "f32[64,256]", "input", &operands[0]));
  CHECK_OK(
      autoshard_graph_builder_argument(builder, "w", "f32[256,1024]", "parameter", &operands[1]));
  CHECK_OK(autoshard_graph_builder_operator(builder, "dot_general", "product", operands, 2));
  CHECK_OK(autoshard_graph_builder_integers(builder, "lhs_batching_dimensions", NULL, 0));
  CHECK_OK(autoshard_graph_builder_integers(builder, "rhs_batching_dimensions", NULL, 0));
  CHECK_OK(autoshard_graph_builder_integers(builder, "lhs_contracting_dimensions", &one, 1));
  CHECK_OK(autoshard_graph_builder_integers(builder, "rhs_contracting_dimensions", &zero, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[64,1024]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &product));
  CHECK_OK(autoshard_graph_builder_operator(builder, "tanh", NULL, &product, 1));
  CHECK_OK(autoshard_graph_builder_result_type(builder, "f32[64,1024]"));
  CHECK_OK(autoshard_graph_builder_add(builder, 1, &result));
  CHECK_OK(autoshard_graph_builder_result(builder, result));
  CHECK_OK(autoshard_graph_builder_build(builder, &graph));
  autoshard_graph_builder_destroy(&builder);
  return graph;
}

#endif
