// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/build_model.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "intra/pins.hpp"

namespace autoshard::internal {
namespace {

/// A tensor below this share of the limit gets no memory bookkeeping for single uses.
constexpr std::int64_t kSmallShare = 2000;
/// A conversion is made at once, and its result kept, when the use is further away than this.
constexpr std::int64_t kFarUse = 16;

class ModelBuilder {
 public:
  explicit ModelBuilder(const ModelInputs& inputs)
      : in_(inputs), graph_(*inputs.graph), storage_(inputs.context->storage) {}

  IntraModel run() {
    model_.timeline = make_timeline(graph_);
    model_.uses = collect_uses(graph_, model_.timeline);
    model_.tensors.resize(graph_.tensors().size());
    add_arguments();
    add_operators(graph_.main());
    add_results();
    for (std::size_t i = 0; i < graph_.tensors().size(); ++i) add_forms(TensorId(i));
    for (std::size_t i = 0; i < graph_.tensors().size(); ++i) link_uses(TensorId(i));
    if (in_.memory_limit) add_memory(in_, model_);
    return std::move(model_);
  }

 private:
  std::int64_t runs(TensorId tensor) const {
    return model_.timeline.runs[graph_[tensor].region.index()];
  }

  std::int32_t add_node(ModelNode node) {
    model_.nodes.push_back(std::move(node));
    return static_cast<std::int32_t>(model_.nodes.size() - 1);
  }

  Form add_spec_node(NodeKind kind, TensorId tensor, const std::vector<SpecOption>& options) {
    ModelNode node;
    node.kind = kind;
    node.tensor = tensor;
    node.options = options;
    node.runs = runs(tensor);
    std::vector<SpecId> specs;
    for (const SpecOption& option : options) specs.push_back(option.spec);
    return {add_node(std::move(node)), in_.specs->add_list(specs)};
  }

  Form add_whole_node(NodeKind kind, TensorId tensor, bool uneven) {
    std::vector<SpecOption> options;
    for (SpecId spec : in_.strategies->whole_specs(graph_[tensor].type, uneven)) {
      options.push_back({spec, Source::copy});
    }
    if (kind == NodeKind::argument) add_reordered_pin(tensor, options);
    return add_spec_node(kind, tensor, options);
  }

  void add_reordered_pin(TensorId argument, std::vector<SpecOption>& options) const {
    if (in_.pins.empty()) return;
    std::vector<ShardingSpec> specs;
    for (const SpecOption& option : options) specs.push_back((*in_.specs)[option.spec]);
    const std::optional<ShardingSpec> pin = reordered_pin(in_.pins, argument, specs);
    if (pin) options.push_back({in_.specs->add(*pin), Source::copy});
  }

  void add_arguments() {
    for (TensorId tensor : graph_.main().arguments) {
      const Form form =
          add_whole_node(NodeKind::argument, tensor, in_.context->target->uneven_arguments);
      model_.argument_nodes.push_back(form.node);
      model_.tensors[tensor.index()].produced = form;
    }
  }

  void add_operators(const Region& region) {
    model_.operator_nodes.resize(graph_.operators().size());
    for (OperatorId id : region.operators) {
      if (graph_[id].body) {
        add_loop(id);
      } else {
        add_operator(id);
      }
    }
  }

  void add_operator(OperatorId id) {
    const Operator& op = graph_[id];
    ModelNode node;
    node.kind = NodeKind::operation;
    node.op = id;
    node.table = in_.strategies->operator_table(id);
    if (stays_replicated(op)) node.table = first_only(*node.table);
    node.runs = model_.timeline.runs[op.region.index()];
    const auto table = node.table;
    const std::int32_t index = add_node(std::move(node));
    model_.operator_nodes[id.index()] = index;
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      model_.tensors[op.results[i].index()].produced = Form{index, table->result_specs[i]};
    }
  }

  /// What is free is remade by each consumer in the spec that it wants, so one strategy will do,
  /// except where a consumer may want it partial (zeros that a scatter adds to).
  bool stays_replicated(const Operator& op) const {
    return op.results.size() == 1 && storage_[op.results[0].index()] == Storage::free &&
           !(in_.strategies->may_be_partial(op.results[0]) && wanted_partial(op.results[0]));
  }

  bool wanted_partial(TensorId tensor) const {
    for (const Use& use : model_.uses[tensor.index()]) {
      if (use.kind != UseKind::operand) continue;
      const auto table = in_.strategies->operator_table(use.op);
      const auto list = table->operand_specs[static_cast<std::size_t>(use.index)];
      if (has_partial(list)) return true;
    }
    return false;
  }

  bool has_partial(SpecListId list) const {
    const auto& specs = (*in_.specs)[list];
    return std::any_of(specs.begin(), specs.end(),
                       [&](SpecId spec) { return !(*in_.specs)[spec].partial.empty(); });
  }

  std::shared_ptr<const StrategyTable> first_only(const StrategyTable& table) const {
    auto single = std::make_shared<StrategyTable>();
    single->known = table.known;
    single->strategies = {table.strategies.front()};
    for (SpecId spec : single->strategies[0].operands) {
      single->operand_specs.push_back(in_.specs->add_list({spec}));
    }
    for (SpecId spec : single->strategies[0].results) {
      single->result_specs.push_back(in_.specs->add_list({spec}));
    }
    return single;
  }

  void add_loop(OperatorId id) {
    const Operator& loop = graph_[id];
    const Region& body = graph_[*loop.body];
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      const Form form = add_whole_node(NodeKind::carry, body.arguments[i],
                                       in_.context->target->uneven_intermediates);
      model_.nodes.back().op = id;
      model_.tensors[body.arguments[i].index()].produced = form;
      model_.tensors[loop.results[i].index()].produced = form;
    }
    add_operators(body);
  }

  void add_results() {
    std::vector<std::optional<TensorId>> state(graph_.main().results.size());
    for (const StatePair& pair : graph_.state_pairs()) {
      state[static_cast<std::size_t>(pair.output)] = pair.input;
    }
    for (std::size_t i = 0; i < state.size(); ++i) {
      const TensorId result = graph_.main().results[i];
      model_.result_forms.push_back(
          state[i]
              ? *model_.tensors[state[i]->index()].produced
              : add_whole_node(NodeKind::result, result, in_.context->target->uneven_arguments));
    }
  }

  // --- forms between a tensor's producer and its uses

  void add_forms(TensorId tensor) {
    TensorForms& forms = model_.tensors[tensor.index()];
    if (!forms.produced) return;
    const auto& uses = model_.uses[tensor.index()];
    forms.use_forms.assign(uses.size(), *forms.produced);
    const Storage storage = storage_[tensor.index()];
    const bool fixed = storage == Storage::free || storage == Storage::fused;
    if (uses.empty() || fixed || graph_[tensor].type.rank() == 0) return;
    const auto groups = phase_groups(uses);
    const bool made_here = graph_[tensor].producer && !is_carry(forms);
    if (made_here && wants_stored_form(tensor, groups.size())) add_stored(tensor);
    const bool views = groups.size() > 1 || (!forms.stored && wants_view(tensor));
    if (views) add_views(tensor, groups);
  }

  bool is_carry(const TensorForms& forms) const {
    return model_.nodes[static_cast<std::size_t>(forms.produced->node)].kind == NodeKind::carry;
  }

  /// Uses by phase, in order of time; each entry lists indices of uses.
  std::vector<std::vector<std::size_t>> phase_groups(const std::vector<Use>& uses) const {
    std::vector<std::vector<std::size_t>> groups(3);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      groups[static_cast<std::size_t>(uses[i].phase)].push_back(i);
    }
    std::erase_if(groups, [](const auto& group) { return group.empty(); });
    std::sort(groups.begin(), groups.end());
    return groups;
  }

  bool wants_stored_form(TensorId tensor, std::size_t groups) const {
    const auto& uses = model_.uses[tensor.index()];
    const std::int64_t born = birth(graph_, model_.timeline, tensor);
    const bool far = uses.back().begin - born > kFarUse;
    if (in_.strategies->may_be_partial(tensor)) return uses.size() > 1 || far;
    return groups == 1 && uses.size() > 1;
  }

  bool wants_view(TensorId tensor) const {
    return model_.uses[tensor.index()].size() > 1 || is_large(tensor);
  }

  bool is_large(TensorId tensor) const {
    return in_.memory_limit && graph_[tensor].type.bytes() > *in_.memory_limit / kSmallShare;
  }

  /// Specs in which some of the uses read the tensor.
  std::vector<SpecId> wanted_specs(TensorId tensor, const std::vector<std::size_t>& uses) const {
    std::set<SpecId> wanted;
    for (std::size_t index : uses) {
      for (SpecId spec : (*in_.specs)[use_target(model_.uses[tensor.index()][index]).specs]) {
        wanted.insert(spec);
      }
    }
    return {wanted.begin(), wanted.end()};
  }

  void add_stored(TensorId tensor) {
    TensorForms& forms = model_.tensors[tensor.index()];
    std::vector<std::size_t> all(model_.uses[tensor.index()].size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<SpecOption> options;
    for (SpecId spec : stored_specs(tensor, all)) options.push_back({spec, Source::copy});
    const Form stored = add_spec_node(NodeKind::stored, tensor, options);
    model_.links.push_back({FormLinkKind::convert, tensor, *forms.produced, stored, runs(tensor)});
    forms.stored = stored;
    forms.use_forms.assign(all.size(), stored);
  }

  /// What the uses want, and what the producer makes: it may be kept as it is.
  std::vector<SpecId> stored_specs(TensorId tensor, const std::vector<std::size_t>& uses) const {
    const std::vector<SpecId> wanted = wanted_specs(tensor, uses);
    std::set<SpecId> specs(wanted.begin(), wanted.end());
    for (SpecId spec : (*in_.specs)[model_.tensors[tensor.index()].produced->specs]) {
      specs.insert(spec);
    }
    return {specs.begin(), specs.end()};
  }

  void add_views(TensorId tensor, const std::vector<std::vector<std::size_t>>& groups) {
    TensorForms& forms = model_.tensors[tensor.index()];
    const Form base = forms.stored.value_or(*forms.produced);
    for (const auto& group : groups) {
      const Form view = add_view(tensor, wanted_specs(tensor, group));
      model_.links.push_back({FormLinkKind::to_view, tensor, base, view, runs(tensor)});
      if (!forms.views.empty()) {
        model_.links.push_back(
            {FormLinkKind::to_next_view, tensor, forms.views.back(), view, runs(tensor)});
      }
      forms.views.push_back(view);
      for (std::size_t use : group) forms.use_forms[use] = view;
    }
  }

  Form add_view(TensorId tensor, const std::vector<SpecId>& specs) {
    std::vector<SpecOption> options;
    for (SpecId spec : specs) {
      if (is_large(tensor)) options.push_back({spec, Source::alias});
      options.push_back({spec, Source::copy});
      if (!model_.tensors[tensor.index()].views.empty())
        options.push_back({spec, Source::previous});
    }
    return add_spec_node(NodeKind::view, tensor, options);
  }

  // --- links from the forms to the uses

  Form use_target(const Use& use) const {
    const auto index = static_cast<std::size_t>(use.index);
    switch (use.kind) {
      case UseKind::operand: {
        const std::int32_t node = model_.operator_nodes[use.op.index()];
        return {node, model_.nodes[static_cast<std::size_t>(node)].table->operand_specs[index]};
      }
      case UseKind::result:
        return *model_.result_forms[index];
      case UseKind::carry_in:
      case UseKind::carry_out:
        break;
    }
    const Region& body = graph_[*graph_[use.op].body];
    return *model_.tensors[body.arguments[index].index()].produced;
  }

  std::int64_t use_runs(const Use& use, TensorId tensor) const {
    if (use.kind != UseKind::carry_out) return runs(tensor);
    return model_.timeline.runs[graph_[use.op].body->index()];
  }

  void link_uses(TensorId tensor) {
    const TensorForms& forms = model_.tensors[tensor.index()];
    const auto& uses = model_.uses[tensor.index()];
    std::set<std::tuple<std::int32_t, std::int32_t, SpecListId>> linked;
    for (std::size_t i = 0; i < forms.use_forms.size(); ++i) {
      const Form from = forms.use_forms[i];
      const Form to = use_target(uses[i]);
      const bool fresh = linked.insert({from.node, to.node, to.specs}).second;
      if (!fresh || from.node == to.node || costs_nothing(tensor, from, to)) continue;
      const FormLinkKind kind = link_kind(tensor, from);
      model_.links.push_back({kind, tensor, from, to, use_runs(uses[i], tensor)});
    }
  }

  /// Where memory is limited, a large view is read as it is: a further copy would not be counted.
  FormLinkKind link_kind(TensorId tensor, const Form& from) const {
    const bool view = model_.nodes[static_cast<std::size_t>(from.node)].kind == NodeKind::view;
    const bool fused = storage_[tensor.index()] == Storage::fused;
    return fused || (view && is_large(tensor)) ? FormLinkKind::equal : FormLinkKind::convert;
  }

  /// A free tensor is remade in any whole spec; one spec on both sides needs no conversion.
  bool costs_nothing(TensorId tensor, const Form& from, const Form& to) const {
    const auto& from_specs = (*in_.specs)[from.specs];
    if (from_specs.size() == 1 && from_specs == (*in_.specs)[to.specs]) return true;
    return storage_[tensor.index()] == Storage::free && from_specs.size() == 1 &&
           !has_partial(to.specs);
  }

  const ModelInputs& in_;
  const Graph& graph_;
  const std::vector<Storage>& storage_;
  IntraModel model_;
};

}  // namespace

IntraModel build_model(const ModelInputs& inputs) { return ModelBuilder(inputs).run(); }

}  // namespace autoshard::internal
