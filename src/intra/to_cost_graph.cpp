// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/to_cost_graph.hpp"

#include <algorithm>
#include <chrono>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "intra/pins.hpp"
#include "strategy/work.hpp"

namespace autoshard::internal {
namespace {

using Clock = std::chrono::steady_clock;

class CostGraphBuilder {
 public:
  CostGraphBuilder(const Graph& graph, IntraModel& model, ReshardingTables& tables,
                   const SpecTable& specs)
      : graph_(graph), model_(model), tables_(tables), specs_(specs) {}

  /// Error `cancelled` when the caller's time or patience ends first.
  Result<CostGraph> run(const CostModel& prices, const SolveOptions& budget) {
    CostGraph result;
    result.name = graph_.name();
    for (ModelNode& node : model_.nodes) {
      result.nodes.push_back({node_costs(node, prices), std::move(node.memory)});
    }
    for (const FormLink& link : model_.links) {
      if (!may_go_on(budget)) return Error{ErrorCode::cancelled, "cost graph: out of time"};
      result.edges.push_back({link.from.node, link.to.node, link_table(link)});
    }
    return result;
  }

 private:
  bool may_go_on(const SolveOptions& budget) {
    constexpr double kSecondsPerReport = 0.1;
    const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (spent > budget.time_limit_seconds) return false;
    if (budget.cancel && budget.cancel->load()) return false;
    if (!budget.progress || spent < next_report_) return true;
    next_report_ = spent + kSecondsPerReport;
    return budget.progress({"cost graph", spent, std::nullopt, std::nullopt});
  }

  std::vector<std::int64_t> node_costs(const ModelNode& node, const CostModel& prices) const {
    std::vector<std::int64_t> costs;
    if (node.table) {
      const double runs = static_cast<double>(node.runs);
      for (const Strategy& strategy : node.table->strategies) {
        costs.push_back(picoseconds(strategy.seconds * runs));
      }
      return costs;
    }
    for (const SpecOption& option : node.options) {
      const bool argument = node.kind == NodeKind::argument;
      costs.push_back(argument ? picoseconds(prices.operator_seconds(argument_work(
                                     graph_[node.tensor], specs_[option.spec])))
                               : 0);
    }
    return costs;
  }

  CostTable link_table(const FormLink& link) {
    if (link.kind == FormLinkKind::equal)
      return tables_.equal_table(link.from.specs, link.to.specs);
    const CostTable convert =
        tables_.table(graph_[link.tensor].type, link.from.specs, link.to.specs, link.runs);
    if (link.kind == FormLinkKind::convert) return convert;
    const auto& to = model_.nodes[static_cast<std::size_t>(link.to.node)].options;
    return link.kind == FormLinkKind::to_view ? to_view(*convert, to, link)
                                              : to_next_view(to, link);
  }

  /// A copy pays the conversion, an alias must be the same spec, a kept view comes from elsewhere.
  CostTable to_view(const std::vector<std::int64_t>& convert, const std::vector<SpecOption>& to,
                    const FormLink& link) const {
    auto costs = std::make_shared<std::vector<std::int64_t>>(convert);
    const auto& from = specs_[link.from.specs];
    for (std::size_t row = 0; row < from.size(); ++row) {
      for (std::size_t column = 0; column < to.size(); ++column) {
        std::int64_t& cost = (*costs)[row * to.size() + column];
        if (to[column].source == Source::previous) cost = 0;
        if (to[column].source == Source::alias && from[row] != to[column].spec) cost = kForbidden;
      }
    }
    return costs;
  }

  /// Only a copy, or what was itself kept, can be kept on for the next phase, in the same spec.
  CostTable to_next_view(const std::vector<SpecOption>& to, const FormLink& link) const {
    const auto& from = model_.nodes[static_cast<std::size_t>(link.from.node)].options;
    auto costs = std::make_shared<std::vector<std::int64_t>>();
    for (const SpecOption& a : from) {
      for (const SpecOption& b : to) {
        const bool keeps = a.source != Source::alias && a.spec == b.spec;
        costs->push_back(b.source == Source::previous && !keeps ? kForbidden : 0);
      }
    }
    return costs;
  }

  const Clock::time_point begin_ = Clock::now();
  double next_report_ = 0.1;
  const Graph& graph_;
  IntraModel& model_;
  ReshardingTables& tables_;
  const SpecTable& specs_;
};

/// Forbids every other spec of a tensor's first form. False: it cannot have that spec.
bool pin(const IntraModel& model, const SpecTable& specs, const PinnedSpec& pinned,
         CostGraph& costs) {
  const auto& form = model.tensors[pinned.tensor.index()].produced;
  if (!form) return false;
  CostNode& node = costs.nodes[static_cast<std::size_t>(form->node)];
  const auto& list = specs[form->specs];
  bool found = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool same = specs[list[i]] == pinned.spec;
    found = found || same;
    if (!same) node.costs[i] = kForbidden;
  }
  return found;
}

}  // namespace

Result<CostGraph> to_cost_graph(const Graph& graph, IntraModel& model, ReshardingTables& tables,
                                const SpecTable& specs, const IntraOpOptions& options) {
  AUTOSHARD_TRY(
      CostGraph costs,
      CostGraphBuilder(graph, model, tables, specs).run(*options.cost_model, options.solve));
  costs.usage_limit = options.memory_limit_bytes;
  for (const PinnedSpec& pinned : options.pinned) {
    if (pin(model, specs, pinned, costs)) continue;
    const DeviceMesh& mesh = tables.mesh();
    return invalid("tensor '{}': it cannot be pinned to {}: {}", graph.path(pinned.tensor),
                   to_string(pinned.spec, mesh), pin_obstacle(graph, mesh, options.target, pinned));
  }
  return costs;
}

}  // namespace autoshard::internal
