// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The only door to a Graph. Calls record; the first mistake is kept and comes out of `build()`,
// with the operator, the operand and the reason, so that a host can write straight-line code.
// After a mistake the ids handed out are placeholders that may be passed on safely.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
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

  void result(TensorId tensor);  ///< the next result of main
  void state_pair(TensorId argument, std::int32_t result_index);
  void warn(std::string message);

  /// For sources that know neither phases nor roles: `build()` finds them from the state pairs.
  /// Overwrites the phases given so far, and the roles of arguments in state pairs.
  void infer_training_roles() { infer_training_roles_ = true; }

  /// Record a mistake found by an importer; the first one wins.
  void fail(Error error);
  bool failed() const { return error_.has_value(); }

  Result<Graph> build() &&;

 private:
  struct OpenLoop {
    OperatorId loop;
    std::size_t carried = 0;
  };

  RegionId open_region() const;
  TensorId new_tensor(Tensor tensor);
  std::string fresh_name(const std::string& stem);
  OperatorId append(OperatorSpec spec);
  std::vector<TensorId> append_results(OperatorId id, std::vector<TensorType> types);
  void append_body(OperatorId loop);
  std::vector<TensorType> types_or_scalars(std::span<const TensorId> tensors) const;
  void apply_training_roles();

  // Checks record the first mistake; false means that there is one.
  bool claim(const std::string& what, const std::string& name);
  bool claim_names(OperatorSpec& spec);
  bool check_argument(const std::string& name, const TensorType& type, Role role);
  bool check_new_operator(OperatorSpec& spec);
  bool check_tensor(const std::string& what, TensorId tensor);
  bool check_operands(const OperatorSpec& spec);
  bool check_result_types(const OperatorSpec& spec);
  bool check_kind(const OperatorSpec& spec);
  bool check_loop(OperatorSpec& spec);
  bool check_body_results(OperatorId loop, const std::vector<TensorId>& results);
  bool check_main_result(std::size_t index, TensorId tensor);
  Result<void> check_complete() const;
  Result<void> check_state_pairs() const;
  Result<void> check_state_pair(std::size_t index) const;
  Result<void> check_paths() const;

  Graph graph_;
  std::vector<OpenLoop> open_loops_;       ///< innermost last; kept up even after a mistake
  std::unordered_set<std::string> names_;  ///< of operators and tensors, over all regions
  std::size_t generated_names_ = 0;
  bool infer_training_roles_ = false;
  std::optional<Error> error_;
};

}  // namespace autoshard
