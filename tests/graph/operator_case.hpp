// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One operator with types instead of tensors, for tables of good and bad operators.
#pragma once

#include <string>
#include <vector>

#include "graph/checks/table.hpp"
#include "support/step_graphs.hpp"

namespace autoshard::test {

struct OperatorCase {
  std::string kind;
  std::vector<TensorType> operands;
  std::vector<TensorType> results;
  Attributes attributes = {};
  std::string message = {};  ///< expected, without the operator's name; empty when it is good
};

inline std::int64_t integer(std::int64_t value) { return value; }

/// Builds a graph of this operator called "op" alone.
inline Result<Graph> build(const OperatorCase& example) {
  GraphBuilder builder;
  std::vector<TensorId> operands;
  for (const TensorType& type : example.operands) operands.push_back(builder.argument("", type));
  builder.add({"op", example.kind, operands, example.results, example.attributes});
  return std::move(builder).build();
}

/// Accepted as stated, and the results are found without being told.
inline void check_inferred(const std::vector<OperatorCase>& cases) {
  for (const OperatorCase& example : cases) {
    CAPTURE(example.kind);
    CAPTURE(to_string(example.results.front()));
    const Result<Graph> graph = build(example);
    CHECK_MESSAGE(graph.ok(), (graph.ok() ? "" : graph.error().message));
    const auto types =
        internal::infer_result_types(example.kind, example.operands, example.attributes);
    REQUIRE(types.ok());
    CHECK(*types == example.results);
  }
}

/// Every case is refused with its message.
inline void check_refused(const std::vector<OperatorCase>& cases) {
  for (const OperatorCase& example : cases) {
    CAPTURE(example.kind);
    CAPTURE(example.message);
    const Result<Graph> graph = build(example);
    REQUIRE_FALSE(graph.ok());
    CHECK(graph.error().code == ErrorCode::invalid_argument);
    CHECK(graph.error().message == "operator 'op': " + example.message);
  }
}

}  // namespace autoshard::test
