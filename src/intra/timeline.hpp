// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// When things happen in a step: program order, a loop's body between the start and the end of the
// loop, each position one unit of time.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::internal {

struct Timeline {
  std::vector<std::int64_t> start;  ///< per operator
  std::vector<std::int64_t> end;    ///< per operator; later than start for loops only
  std::vector<std::int64_t> runs;   ///< per region: how often it runs in a step
  std::int64_t length = 0;          ///< results of main leave at this time
};

Timeline make_timeline(const Graph& graph);

enum class UseKind : std::uint8_t { operand, carry_in, carry_out, result };

/// One place that reads a tensor. `begin` and `end` are times in the tensor's own region: a use
/// inside a loop there spans the whole loop, and happens once for all its iterations.
struct Use {
  UseKind kind = UseKind::operand;
  OperatorId op;           ///< the reader; the loop of a carried value; unused for results
  std::int32_t index = 0;  ///< which operand, carried value or result
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Phase phase = Phase::forward;
};

/// Per tensor, in order of time.
std::vector<std::vector<Use>> collect_uses(const Graph& graph, const Timeline& timeline);

/// When a tensor comes to be: 0 for arguments of main, the loop's start for a carried value.
std::int64_t birth(const Graph& graph, const Timeline& timeline, TensorId tensor);

}  // namespace autoshard::internal
