// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/timeline.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

void lay_out(const Graph& graph, RegionId region, std::int64_t runs, Timeline& timeline) {
  timeline.runs[region.index()] = runs;
  for (OperatorId id : graph[region].operators) {
    const Operator& op = graph[id];
    timeline.start[id.index()] = timeline.length++;
    if (op.body) {
      lay_out(graph, *op.body, runs * op.integer("trip_count").value_or(1), timeline);
      ++timeline.length;
    }
    timeline.end[id.index()] = timeline.length - 1;
  }
}

/// The operator of `region` that is `id`, or the loop there that contains it.
OperatorId ancestor_in(const Graph& graph, OperatorId id, RegionId region) {
  while (graph[id].region != region) id = *graph[graph[id].region].owner;
  return id;
}

}  // namespace

Timeline make_timeline(const Graph& graph) {
  Timeline timeline;
  timeline.start.resize(graph.operators().size());
  timeline.end.resize(graph.operators().size());
  timeline.runs.resize(graph.regions().size(), 1);
  lay_out(graph, RegionId(0), 1, timeline);
  return timeline;
}

std::vector<std::vector<Use>> collect_uses(const Graph& graph, const Timeline& timeline) {
  std::vector<std::vector<Use>> uses(graph.tensors().size());
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    const UseKind kind = op.body ? UseKind::carry_in : UseKind::operand;
    for (std::size_t k = 0; k < op.operands.size(); ++k) {
      const TensorId tensor = op.operands[k];
      const OperatorId reader = ancestor_in(graph, OperatorId(i), graph[tensor].region);
      const std::int64_t begin = timeline.start[reader.index()];
      const std::int64_t end = kind == UseKind::carry_in && reader == OperatorId(i)
                                   ? begin
                                   : timeline.end[reader.index()];
      uses[tensor.index()].push_back(
          {kind, OperatorId(i), static_cast<std::int32_t>(k), begin, end, op.phase});
    }
  }
  for (const Region& region : graph.regions()) {
    for (std::size_t k = 0; k < region.results.size(); ++k) {
      const TensorId tensor = region.results[k];
      Use use{UseKind::result, {},           static_cast<std::int32_t>(k), timeline.length,
              timeline.length, Phase::update};
      if (region.owner) {
        const OperatorId loop = *region.owner;
        const OperatorId reader = graph[tensor].region == *graph[loop].body
                                      ? loop
                                      : ancestor_in(graph, loop, graph[tensor].region);
        const std::int64_t time = timeline.end[reader.index()];
        use = {UseKind::carry_out, loop, static_cast<std::int32_t>(k), time, time,
               graph[loop].phase};
      }
      uses[tensor.index()].push_back(use);
    }
  }
  for (auto& list : uses) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Use& a, const Use& b) { return a.begin < b.begin; });
  }
  return uses;
}

std::int64_t birth(const Graph& graph, const Timeline& timeline, TensorId id) {
  const Tensor& tensor = graph[id];
  if (tensor.producer) return timeline.end[tensor.producer->index()];
  const auto owner = graph[tensor.region].owner;
  return owner ? timeline.start[owner->index()] : 0;
}

}  // namespace autoshard::internal
