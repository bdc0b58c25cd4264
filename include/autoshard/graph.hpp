// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The operator graph that a framework hands us: operators in topological order over tensors,
// regions for loops, roles, state pairs and phases. It is immutable; `GraphBuilder` is the only
// way to make one, so every Graph is valid. It knows nothing about devices.
//
// Operators are named by the StableHLO vocabulary ("dot_general", "broadcast_in_dim"). There are
// no tuples (several results instead), no calls (inlined), and reducers are an attribute
// (`reducer` = "sum", "max", ...) rather than a region. docs/graph.md lists operators and
// attributes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autoshard/ids.hpp"
#include "autoshard/types.hpp"

namespace autoshard {

using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                               std::vector<double>>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

enum class Phase : std::uint8_t { forward, backward, update };
enum class Role : std::uint8_t { intermediate, input, parameter, optimizer_state };

std::string_view name(Phase phase);
std::string_view name(Role role);
std::optional<Phase> parse_phase(std::string_view text);
std::optional<Role> parse_role(std::string_view text);

struct Operator {
  std::string name;  ///< unique in the graph, e.g. "dot.5"
  std::string kind;  ///< StableHLO mnemonic without the dialect, e.g. "dot_general"
  std::vector<TensorId> operands;
  std::vector<TensorId> results;
  Attributes attributes;
  /// For "while": one body region, whose arguments are the carried values. Run `trip_count` times
  /// (attribute; absent when unknown). Bodies may use tensors of the regions around them.
  std::optional<RegionId> body;
  RegionId region;  ///< where the operator stands
  Phase phase = Phase::forward;

  const std::vector<std::int64_t>* ints(std::string_view attribute) const;  ///< null when absent
  std::optional<std::int64_t> integer(std::string_view attribute) const;
  std::optional<double> number(std::string_view attribute) const;  ///< integer or double
  const std::string* text(std::string_view attribute) const;       ///< null when absent
};

struct Tensor {
  std::string name;  ///< unique in its region: "dot.5" or "tuple.7:1", an argument's own name
  TensorType type;
  std::optional<OperatorId> producer;  ///< absent for arguments of a region
  std::int32_t index = 0;              ///< which result of the producer, or which argument
  RegionId region;
  Role role = Role::intermediate;  ///< of main's arguments; intermediate elsewhere
};

struct Region {
  std::vector<TensorId> arguments;
  std::vector<OperatorId> operators;  ///< in topological order
  std::vector<TensorId> results;
  std::optional<OperatorId> owner;  ///< the loop; absent for main
};

/// An argument of main and a result of main that are one piece of state: the result replaces the
/// argument in the next step and reuses its memory (a donated buffer).
struct StatePair {
  TensorId input;
  std::int32_t output = 0;  ///< index into the results of main
};

class Graph {
 public:
  const std::string& name() const { return name_; }
  std::span<const Operator> operators() const { return operators_; }
  std::span<const Tensor> tensors() const { return tensors_; }
  std::span<const Region> regions() const { return regions_; }
  std::span<const StatePair> state_pairs() const { return state_pairs_; }
  /// What an importer wants the user to know, e.g. a loop whose trip count it could not find.
  std::span<const std::string> warnings() const { return warnings_; }

  const Operator& operator[](OperatorId id) const { return operators_[id.index()]; }
  const Tensor& operator[](TensorId id) const { return tensors_[id.index()]; }
  const Region& operator[](RegionId id) const { return regions_[id.index()]; }
  const Region& main() const { return regions_.front(); }

  /// A stable key of a tensor across runs: "dot.5:0", "while.3/dot.5:0" in a body, "arg:tokens".
  std::string path(TensorId id) const;
  /// 16 hexadecimal digits over structure, types and attributes, not over names.
  std::string fingerprint() const;

 private:
  friend class GraphBuilder;
  std::string name_;
  std::vector<Operator> operators_;
  std::vector<Tensor> tensors_;
  std::vector<Region> regions_;  ///< regions_[0] is main
  std::vector<StatePair> state_pairs_;
  std::vector<std::string> warnings_;
};

}  // namespace autoshard
