// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The only door to a Graph. Calls record; the first mistake is kept and comes out of `build()`,
// with the operator, the operand and the reason, so that a host can write straight-line code.
// After a mistake the ids handed out are placeholders that may be passed on safely.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"

namespace autoshard {

/// One operator to add. `result_types` are checked against the operands for every known kind.
struct OperatorSpec {
  std::string name;  ///< empty: made from the kind and a number
  std::string kind;
  std::vector<TensorId> operands;
  std::vector<TensorType> result_types;
  Attributes attributes = {};
  Phase phase = Phase::forward;
};

/// A loop under construction: `arguments` stand for the carried values inside the body.
struct LoopBody {
  OperatorId loop;
  std::vector<TensorId> arguments;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name = "main");

  TensorId argument(std::string name, TensorType type, Role role = Role::input);
  /// Adds an operator to the region that is open; returns its results.
  std::vector<TensorId> add(OperatorSpec spec);
  /// The same for an operator with one result.
  TensorId add_one(OperatorSpec spec);

  /// Opens the body of a "while" whose carried values start as `spec.operands`; the results of
  /// the loop have the operands' types. Everything added until `end_loop` goes into the body.
  LoopBody begin_loop(OperatorSpec spec);
  /// Closes the innermost loop; `results` become the next iteration's arguments. Returns the
  /// loop's results.
  std::vector<TensorId> end_loop(std::vector<TensorId> results);

  void result(TensorId tensor);                       ///< the next result of main
  void state_pair(TensorId argument, std::int32_t result_index);
  void warn(std::string message);

  /// Record a mistake found by an importer; the first one wins.
  void fail(Error error);
  bool failed() const { return error_.has_value(); }

  Result<Graph> build() &&;

 private:
  bool usable(const OperatorSpec& spec, std::span<const TensorId> operands);
  bool visible(TensorId tensor) const;
  TensorId new_tensor(Tensor tensor);

  Graph graph_;
  std::vector<RegionId> open_;  ///< innermost last
  std::optional<Error> error_;
};

}  // namespace autoshard
