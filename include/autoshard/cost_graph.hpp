// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The numeric problem under every intra-operator plan: choose one strategy per node so that node
// costs plus edge costs are least while memory stays under a limit at every time. It knows
// numbers only: no operators, no meshes, no units. `evaluate` is the referee: it recomputes an
// answer from the definition and shares no code with any solver.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autoshard/error.hpp"

namespace autoshard {

/// Totals may pass 64 bits (the public contest's infinity is 10^18 and may be paid many times).
__extension__ typedef __int128 Int128;

std::string to_string(Int128 value);

/// Marks a strategy or a pair of strategies that does not exist. It takes part in no arithmetic.
inline constexpr std::int64_t kForbidden = INT64_MAX;

/// Memory that a node holds during [begin, end): `usage[s]` under strategy s.
struct MemoryPiece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::vector<std::int64_t> usage;  ///< one entry per strategy, >= 0
};

struct CostNode {
  std::vector<std::int64_t> costs;  ///< one entry per strategy; may be kForbidden
  std::vector<MemoryPiece> memory;  ///< pieces may overlap: they add up
};

/// Row-major |strategies of from| x |strategies of to|; shared, as equal layers have equal tables.
using CostTable = std::shared_ptr<const std::vector<std::int64_t>>;

/// Parallel edges add up, in either orientation. from != to.
struct CostEdge {
  std::int32_t from = 0;
  std::int32_t to = 0;
  CostTable costs;
};

struct CostGraph {
  std::string name;
  std::vector<CostNode> nodes;
  std::vector<CostEdge> edges;
  std::optional<std::int64_t> usage_limit;  ///< absent: memory is not limited
};

/// Checks sizes, ranges and signs; the error names the node or edge.
Result<void> validate(const CostGraph& graph);

struct Evaluation {
  Int128 cost = 0;             ///< without the forbidden entries
  Int128 peak_usage = 0;       ///< over all times
  std::int64_t peak_time = 0;  ///< first time at which the peak is reached
  std::int64_t forbidden = 0;  ///< how many forbidden nodes and pairs the assignment uses
  bool within_limit = true;
  bool legal() const { return forbidden == 0 && within_limit; }
};

/// Recomputes an answer. Errors: wrong length, strategy out of range (both name the node).
Result<Evaluation> evaluate(const CostGraph& graph, std::span<const std::int32_t> assignment);

}  // namespace autoshard
