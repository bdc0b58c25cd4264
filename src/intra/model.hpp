// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The cost graph with its meaning: which node stands for which operator or which form of which
// tensor. Built from a graph; turned into numbers for the solver; read back into a plan.
//
//   argument   how an argument of main lies on the mesh (also the state result it becomes)
//   operation  a strategy of an operator
//   carry      a carried value of a loop: as it enters, inside each iteration, as it leaves
//   stored     the form in which a tensor is kept after its producer, made at once
//   view       the form that one phase's consumers share, made before the first of them
//   result     how a result of main leaves the step
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "autoshard/cost_graph.hpp"
#include "autoshard/graph.hpp"
#include "intra/timeline.hpp"
#include "strategy/strategy_table.hpp"

namespace autoshard::internal {

enum class NodeKind : std::uint8_t { argument, operation, carry, stored, view, result };

/// Where a view's bytes come from.
enum class Source : std::uint8_t {
  copy,      ///< converted from the tensor; takes memory of its own while its users run
  alias,     ///< the tensor as it is stored, no bytes of its own
  previous,  ///< the view of the phase before, kept in memory until now
};

struct SpecOption {
  SpecId spec;
  Source source = Source::copy;
};

struct ModelNode {
  NodeKind kind = NodeKind::operation;
  OperatorId op;                               ///< operation; the loop of a carry
  TensorId tensor;                             ///< everything but operation
  std::shared_ptr<const StrategyTable> table;  ///< operation
  std::vector<SpecOption> options;             ///< everything but operation
  std::int64_t runs = 1;                       ///< per step
  std::vector<MemoryPiece> memory;

  std::size_t size() const { return table ? table->strategies.size() : options.size(); }
};

/// A tensor as one node gives or wants it.
struct Form {
  std::int32_t node = 0;
  SpecListId specs;
};

enum class FormLinkKind : std::uint8_t {
  convert,
  equal,  ///< inside one kernel: what is never written to memory is not converted either
  to_view,
  to_next_view,
};

struct FormLink {
  FormLinkKind kind = FormLinkKind::convert;
  TensorId tensor;
  Form from;
  Form to;
  std::int64_t runs = 1;
};

/// The forms of one tensor. `use_forms[i]` is the one that its i-th use converts from.
struct TensorForms {
  std::optional<Form> produced;  ///< absent for a tensor that nobody makes (no node)
  std::optional<Form> stored;
  std::vector<Form> views;  ///< in order of time
  std::vector<Form> use_forms;
};

struct IntraModel {
  Timeline timeline;
  std::vector<std::vector<Use>> uses;  ///< per tensor
  std::vector<ModelNode> nodes;
  std::vector<FormLink> links;
  std::vector<TensorForms> tensors;          ///< per tensor
  std::vector<std::int32_t> operator_nodes;  ///< per operator; unused for loops
  std::vector<std::int32_t> argument_nodes;  ///< per argument of main
  std::vector<std::optional<Form>>
      result_forms;  ///< per result of main: an argument or result node
};

}  // namespace autoshard::internal
