// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/liveness.hpp"

#include <optional>

namespace autoshard::internal {
namespace {

/// The operator of region `outer` that `op` is, or is somewhere inside of.
OperatorId enclosing(const Graph& graph, OperatorId op, RegionId outer) {
  while (graph[op].region != outer) op = *graph[graph[op].region].owner;
  return op;
}

/// Walks the operators in the order they run, bodies at the place of their loop; whatever comes
/// later overwrites.
class LastUse {
 public:
  explicit LastUse(const Graph& graph) : graph_(graph), user_(graph.tensors().size()) {
    visit(RegionId{0});
    for (const Region& region : graph.regions()) {
      for (const TensorId result : region.results) keep(result, region);
    }
  }
  const std::optional<OperatorId>& of(std::size_t tensor) const { return user_[tensor]; }

 private:
  void visit(RegionId region) {
    for (const OperatorId op : graph_[region].operators) {
      for (const TensorId tensor : graph_[op].results) use(tensor, op);
      for (const TensorId tensor : graph_[op].operands) use(tensor, op);
      if (!graph_[op].body) continue;
      visit(*graph_[op].body);
      for (const TensorId tensor : graph_[*graph_[op].body].results) use(tensor, op);
    }
  }

  void use(TensorId tensor, OperatorId op) {
    const RegionId region = graph_[tensor].region;
    // A loop's own results of the body are used at its end, from outside: they are kept anyway.
    if (graph_[op].body && region == *graph_[op].body) return;
    user_[tensor.index()] = enclosing(graph_, op, region);
  }

  void keep(TensorId tensor, const Region& region) {
    const bool main = !region.owner;
    const bool own = main || graph_[tensor].region == *graph_[*region.owner].body;
    if (own) user_[tensor.index()] = std::nullopt;
  }

  const Graph& graph_;
  std::vector<std::optional<OperatorId>> user_;
};

}  // namespace

std::vector<std::vector<TensorId>> last_uses(const Graph& graph) {
  const LastUse last(graph);
  std::vector<std::vector<TensorId>> dying(graph.operators().size());
  for (std::size_t t = 0; t < graph.tensors().size(); ++t) {
    if (last.of(t)) dying[last.of(t)->index()].push_back(TensorId{t});
  }
  return dying;
}

std::vector<std::vector<TensorId>> tensors_by_region(const Graph& graph) {
  std::vector<std::vector<TensorId>> tensors(graph.regions().size());
  for (std::size_t t = 0; t < graph.tensors().size(); ++t) {
    tensors[graph.tensors()[t].region.index()].push_back(TensorId{t});
  }
  return tensors;
}

}  // namespace autoshard::internal
