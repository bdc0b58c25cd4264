// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A graph as its JSON text states it: tensors are names, and operators stand in any order.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/graph_builder.hpp"

namespace autoshard::internal {

struct RegionSource;

struct OperatorSource {
  OperatorSpec spec;  ///< without operands
  std::vector<std::string> operands;
  std::unique_ptr<RegionSource> body;  ///< null except for loops
};

struct RegionSource {
  std::vector<OperatorSource> operators;
  std::vector<std::string> results;
};

struct ArgumentSource {
  std::string name;
  TensorType type;
  Role role = Role::input;
};

struct StatePairSource {
  std::string argument;
  std::int32_t result = 0;
};

struct GraphSource {
  std::string name;
  std::vector<ArgumentSource> arguments;
  RegionSource main;
  std::vector<StatePairSource> state_pairs;
  std::vector<std::string> warnings;
};

/// Checks keys and the kinds of values; names are resolved later.
Result<GraphSource> read_graph_source(const nlohmann::json& document);

/// The names of an operator's results, as Graph names them: "dot.5", or "tuple.7:0", "tuple.7:1".
std::vector<std::string> result_names(const OperatorSource& source);

/// An order in which every operator follows the ones it uses, also from inside a loop's body. The
/// given order is kept where it can be. A cycle is an error that names its operators.
Result<std::vector<std::size_t>> topological_order(const RegionSource& region);

}  // namespace autoshard::internal
