// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/read_plan.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "strategy/work.hpp"

namespace autoshard::internal {
namespace {

class PlanReader {
 public:
  PlanReader(const PlanSources& sources, std::span<const std::int32_t> assignment,
             IntraOpPlan& plan)
      : graph_(*sources.graph),
        model_(*sources.model),
        specs_(*sources.specs),
        tables_(*sources.tables),
        share_conversions_(sources.share_conversions),
        assignment_(assignment),
        plan_(plan),
        produced_(graph_.tensors().size()) {}

  Result<void> run() {
    plan_.operators.resize(graph_.operators().size());
    plan_.regions.resize(graph_.regions().size());
    for (std::size_t i = 0; i < produced_.size(); ++i) add_produced(TensorId(i));
    for (std::size_t i = 0; i < produced_.size(); ++i) {
      AUTOSHARD_CHECK_OK(add_forms(TensorId(i)));
    }
    size_placements();
    for (std::size_t i = 0; i < produced_.size(); ++i) {
      AUTOSHARD_CHECK_OK(place_uses(TensorId(i)));
    }
    place_producers();
    return {};
  }

 private:
  std::size_t choice(std::int32_t node) const {
    return static_cast<std::size_t>(assignment_[static_cast<std::size_t>(node)]);
  }
  SpecId chosen_spec(const Form& form) const { return specs_[form.specs][choice(form.node)]; }
  const SpecOption& chosen_option(const Form& form) const {
    return model_.nodes[static_cast<std::size_t>(form.node)].options[choice(form.node)];
  }
  std::int64_t runs(TensorId tensor) const {
    return model_.timeline.runs[graph_[tensor].region.index()];
  }

  CopyId add_copy(TensorCopy copy, SpecId spec) {
    plan_.copies.push_back(std::move(copy));
    copy_specs_.push_back(spec);
    return CopyId(plan_.copies.size() - 1);
  }

  void add_produced(TensorId tensor) {
    const Form& form = *model_.tensors[tensor.index()].produced;
    const SpecId spec = chosen_spec(form);
    TensorCopy copy;
    copy.tensor = tensor;
    copy.spec = specs_[spec];
    copy.count = runs(tensor);
    const auto producer = graph_[tensor].producer;
    if (producer) copy.phase = graph_[*producer].phase;
    produced_[tensor.index()] = add_copy(std::move(copy), spec);
  }

  /// The copy of `source` in another spec; made once however many ask for it.
  Result<CopyId> convert(CopyId source, SpecId spec, Phase phase) {
    if (copy_specs_[source.index()] == spec) return source;
    const auto key = std::tuple(source, spec);
    if (const auto it = conversions_.find(key); it != conversions_.end()) return it->second;
    const TensorId tensor = plan_.copies[source.index()].tensor;
    auto path = tables_.path(graph_[tensor].type, copy_specs_[source.index()], spec);
    if (!path) {
      return internal_error("tensor '{}': no way from {} to {}", graph_.path(tensor),
                            to_string(plan_.copies[source.index()].spec, plan_.mesh),
                            to_string(specs_[spec], plan_.mesh));
    }
    TensorCopy copy;
    copy.tensor = tensor;
    copy.spec = specs_[spec];
    copy.source = source;
    copy.steps = std::move(path->steps);
    copy.step_specs = std::move(path->specs);
    copy.phase = phase;
    copy.count = runs(tensor);
    copy.seconds = path->seconds;
    return conversions_[key] = add_copy(std::move(copy), spec);
  }

  Result<void> add_forms(TensorId tensor) {
    const TensorForms& forms = model_.tensors[tensor.index()];
    CopyId base = produced_[tensor.index()];
    form_copies_[forms.produced->node] = base;
    if (forms.stored) {
      const Phase phase = plan_.copies[base.index()].phase;
      AUTOSHARD_TRY(const CopyId stored, convert(base, chosen_spec(*forms.stored), phase));
      if (stored != base) plan_.copies[stored.index()].at_once = true;
      base = stored;
      form_copies_[forms.stored->node] = base;
    }
    CopyId previous = base;
    for (const Form& view : forms.views) {
      AUTOSHARD_TRY(previous, view_copy(tensor, view, base, previous));
      form_copies_[view.node] = previous;
    }
    return {};
  }

  Result<CopyId> view_copy(TensorId tensor, const Form& view, CopyId base, CopyId previous) {
    const SpecOption& option = chosen_option(view);
    if (option.source == Source::previous) return previous;
    // A second copy in the same spec is made again, not shared: it was given up in between.
    conversions_.erase(std::tuple(base, option.spec));
    const auto& forms = model_.tensors[tensor.index()];
    const auto first = std::find_if(forms.use_forms.begin(), forms.use_forms.end(),
                                    [&](const Form& form) { return form.node == view.node; });
    const auto use = static_cast<std::size_t>(first - forms.use_forms.begin());
    return convert(base, option.spec, model_.uses[tensor.index()][use].phase);
  }

  void size_placements() {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      plan_.operators[i].operands.resize(graph_.operators()[i].operands.size());
      plan_.operators[i].results.resize(graph_.operators()[i].results.size());
    }
    for (std::size_t i = 0; i < graph_.regions().size(); ++i) {
      plan_.regions[i].arguments.resize(graph_.regions()[i].arguments.size());
      plan_.regions[i].results.resize(graph_.regions()[i].results.size());
    }
  }

  Result<void> place_uses(TensorId tensor) {
    const auto& uses = model_.uses[tensor.index()];
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const CopyId from = form_copies_.at(model_.tensors[tensor.index()].use_forms[i].node);
      // Multi-result producers share a node; the copy must be this tensor's.
      const CopyId own =
          plan_.copies[from.index()].tensor == tensor ? from : produced_[tensor.index()];
      const bool same_user = i > 0 && uses[i].op == uses[i - 1].op;
      if (!share_conversions_ && !same_user) forget_conversions(own);
      AUTOSHARD_TRY(const CopyId copy, convert(own, wanted_spec(uses[i]), uses[i].phase));
      slot(uses[i]) = copy;
    }
    return {};
  }

  void forget_conversions(CopyId source) {
    std::erase_if(conversions_,
                  [&](const auto& entry) { return std::get<CopyId>(entry.first) == source; });
  }

  SpecId wanted_spec(const Use& use) const {
    const auto index = static_cast<std::size_t>(use.index);
    if (use.kind == UseKind::operand) {
      const std::int32_t node = model_.operator_nodes[use.op.index()];
      const auto& table = *model_.nodes[static_cast<std::size_t>(node)].table;
      return table.strategies[choice(node)].operands[index];
    }
    if (use.kind == UseKind::result) return chosen_spec(*model_.result_forms[index]);
    const Region& body = graph_[*graph_[use.op].body];
    return chosen_spec(*model_.tensors[body.arguments[index].index()].produced);
  }

  CopyId& slot(const Use& use) {
    const auto index = static_cast<std::size_t>(use.index);
    switch (use.kind) {
      case UseKind::result:
        return plan_.regions[0].results[index];
      case UseKind::carry_out:
        return plan_.regions[graph_[use.op].body->index()].results[index];
      default:
        return plan_.operators[use.op.index()].operands[index];
    }
  }

  void place_producers() {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      const Operator& op = graph_.operators()[i];
      OperatorPlacement& placement = plan_.operators[i];
      placement.count = model_.timeline.runs[op.region.index()];
      for (std::size_t k = 0; k < op.results.size(); ++k) {
        placement.results[k] = produced_[op.results[k].index()];
      }
      if (op.body) continue;
      const std::int32_t node = model_.operator_nodes[i];
      const auto& table = *model_.nodes[static_cast<std::size_t>(node)].table;
      placement.seconds = table.strategies[choice(node)].seconds;
    }
    for (std::size_t i = 0; i < graph_.regions().size(); ++i) {
      const Region& region = graph_.regions()[i];
      for (std::size_t k = 0; k < region.arguments.size(); ++k) {
        plan_.regions[i].arguments[k] = produced_[region.arguments[k].index()];
      }
    }
  }

  const Graph& graph_;
  const IntraModel& model_;
  const SpecTable& specs_;
  ReshardingTables& tables_;
  bool share_conversions_;
  std::span<const std::int32_t> assignment_;
  IntraOpPlan& plan_;
  std::vector<CopyId> produced_;    ///< per tensor
  std::vector<SpecId> copy_specs_;  ///< per copy
  std::map<std::tuple<CopyId, SpecId>, CopyId> conversions_;
  std::map<std::int32_t, CopyId> form_copies_;  ///< per node of the model
};

}  // namespace

Result<void> read_plan(const PlanSources& sources, std::span<const std::int32_t> assignment,
                       IntraOpPlan& plan) {
  return PlanReader(sources, assignment, plan).run();
}

void add_totals(const Graph& graph, const CostModel& prices, IntraOpPlan& plan) {
  for (const CopyId id : plan.regions[0].arguments) {
    const TensorCopy& copy = plan.copies[id.index()];
    plan.compute_seconds += prices.operator_seconds(argument_work(graph[copy.tensor], copy.spec));
  }
  for (const OperatorPlacement& op : plan.operators) {
    plan.compute_seconds += op.seconds * static_cast<double>(op.count);
  }
  std::map<std::pair<CollectiveKind, std::vector<AxisRef>>, CollectiveTotal> totals;
  for (const TensorCopy& copy : plan.copies) {
    plan.collective_seconds += copy.seconds * static_cast<double>(copy.count);
    for (const Collective& step : copy.steps) {
      if (step.kind == CollectiveKind::slice) continue;
      CollectiveTotal& total = totals[{step.kind, step.axes}];
      total.kind = step.kind;
      total.axes = step.axes;
      total.count += copy.count;
      total.seconds += prices.collective_seconds(step) * static_cast<double>(copy.count);
      total.buffer_bytes += step.buffer_bytes * copy.count;
      total.sent_bytes_per_device += sent_bytes_per_device(step) * copy.count;
    }
  }
  for (auto& [key, total] : totals) plan.collectives.push_back(std::move(total));
  plan.step_seconds = plan.compute_seconds + plan.collective_seconds;
}

}  // namespace autoshard::internal
