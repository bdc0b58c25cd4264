// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What each node of the model holds in memory, and when.
//   argument  all through the step; state keeps its place for the value that replaces it
//   operation each result from its making to its last need; only at its making when a stored form
//             takes over; nothing when fused, an alias, or written over the state it replaces;
//             a result of main is held by its result node in the end
//   stored    from just after the making to the last need
//   view      a copy while its consumers run; a kept one from the phase before as well
//   carry     from the loop's start to the last need of the loop's result
#include <algorithm>

#include "intra/build_model.hpp"

namespace autoshard::internal {
namespace {

class MemoryPlanner {
 public:
  MemoryPlanner(const ModelInputs& inputs, IntraModel& model)
      : in_(inputs),
        graph_(*inputs.graph),
        model_(model),
        last_(last_needed(graph_, inputs.context->storage, model)),
        in_place_(find_in_place(graph_, model)),
        handed_over_(graph_.tensors().size(), false) {}

  void run() {
    for (std::size_t i = 0; i < model_.result_forms.size(); ++i) {
      const bool held = node(*model_.result_forms[i]).kind == NodeKind::result;
      if (held) handed_over_[graph_.main().results[i].index()] = true;
    }
    for (TensorId tensor : graph_.main().arguments) add_whole(tensor, 0, end_of_step());
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) add_operator(OperatorId(i));
    for (std::size_t i = 0; i < graph_.tensors().size(); ++i) add_forms(TensorId(i));
    for (const auto& form : model_.result_forms) {
      ModelNode& result = node(*form);
      if (result.kind == NodeKind::result) {
        result.memory = {{model_.timeline.length, end_of_step(), usage(result, all_sources)}};
      }
    }
  }

 private:
  static constexpr auto all_sources = [](Source) { return true; };

  std::int64_t end_of_step() const { return model_.timeline.length + 1; }
  ModelNode& node(const Form& form) { return model_.nodes[static_cast<std::size_t>(form.node)]; }

  std::int64_t bytes(SpecId spec, TensorId tensor) const {
    return shard_bytes((*in_.specs)[spec], graph_[tensor].type);
  }

  template <class Counts>
  std::vector<std::int64_t> usage(const ModelNode& node, Counts counts) const {
    std::vector<std::int64_t> usage;
    for (const SpecOption& option : node.options) {
      usage.push_back(counts(option.source) ? bytes(option.spec, node.tensor) : 0);
    }
    return usage;
  }

  void add_whole(TensorId tensor, std::int64_t begin, std::int64_t end) {
    ModelNode& owner = node(*model_.tensors[tensor.index()].produced);
    owner.memory.push_back({begin, end, usage(owner, all_sources)});
  }

  void add_operator(OperatorId id) {
    const Operator& op = graph_[id];
    if (op.body) return add_carries(op, id);
    ModelNode& owner = model_.nodes[static_cast<std::size_t>(model_.operator_nodes[id.index()])];
    const std::int64_t made = model_.timeline.end[id.index()];
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      const TensorId tensor = op.results[i];
      if (!takes_memory(tensor)) continue;
      const bool replaced = model_.tensors[tensor.index()].stored.has_value();
      const std::int64_t end = replaced ? made + 1 : end_of(tensor);
      MemoryPiece piece{made, end, {}};
      for (const Strategy& strategy : owner.table->strategies) {
        piece.usage.push_back(bytes(strategy.results[i], tensor));
      }
      owner.memory.push_back(std::move(piece));
    }
  }

  void add_carries(const Operator& loop, OperatorId id) {
    const Region& body = graph_[*loop.body];
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      const std::int64_t end =
          std::max(last_[loop.results[i].index()], model_.timeline.end[id.index()]);
      add_whole(body.arguments[i], model_.timeline.start[id.index()], end + 1);
    }
  }

  /// Exclusive. A result node counts its tensor from the end of the program on: not twice.
  std::int64_t end_of(TensorId tensor) const {
    return last_[tensor.index()] + (handed_over_[tensor.index()] ? 0 : 1);
  }

  bool takes_memory(TensorId tensor) const {
    return in_.context->storage[tensor.index()] == Storage::materialised &&
           !in_place_[tensor.index()];
  }

  void add_forms(TensorId tensor) {
    const TensorForms& forms = model_.tensors[tensor.index()];
    if (forms.stored && takes_memory(tensor)) {
      ModelNode& stored = node(*forms.stored);
      const std::int64_t made = birth(graph_, model_.timeline, tensor);
      stored.memory.push_back({made + 1, end_of(tensor), usage(stored, all_sources)});
    }
    std::int64_t previous_end = 0;
    for (const Form& view : forms.views) previous_end = add_view(tensor, view, previous_end);
  }

  std::int64_t add_view(TensorId tensor, const Form& form, std::int64_t previous_end) {
    ModelNode& view = node(form);
    const auto [begin, end] = span_of_uses(tensor, form.node);
    // Small tensors have no alias option and no bookkeeping; see build_model.
    const bool counted =
        std::any_of(view.options.begin(), view.options.end(),
                    [](const auto& option) { return option.source == Source::alias; });
    if (!counted) return end + 1;
    view.memory.push_back(
        {begin, end + 1, usage(view, [](Source s) { return s != Source::alias; })});
    if (previous_end > 0 && previous_end < begin) {
      const auto kept = [](Source s) { return s == Source::previous; };
      view.memory.push_back({previous_end, begin, usage(view, kept)});
    }
    return end + 1;
  }

  std::pair<std::int64_t, std::int64_t> span_of_uses(TensorId tensor, std::int32_t view) const {
    std::int64_t begin = end_of_step();
    std::int64_t end = 0;
    const auto& uses = model_.uses[tensor.index()];
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (model_.tensors[tensor.index()].use_forms[i].node != view) continue;
      begin = std::min(begin, uses[i].begin);
      end = std::max(end, uses[i].end);
    }
    return {begin, end};
  }

  const ModelInputs& in_;
  const Graph& graph_;
  IntraModel& model_;
  std::vector<std::int64_t> last_;
  std::vector<bool> in_place_;
  std::vector<bool> handed_over_;  ///< per tensor: a result of main that is no state
};

bool writes_in_place(std::string_view kind) {
  return is_elementwise(kind) || kind == "dynamic_update_slice";
}

/// `result` may overwrite `old`: made by the last reader of it.
bool overwrites(const Graph& graph, const IntraModel& model, TensorId result, TensorId old) {
  const auto producer = graph[result].producer;
  if (!producer || !writes_in_place(graph[*producer].kind)) return false;
  if (!(graph[result].type == graph[old].type)) return false;
  const std::int64_t made = model.timeline.end[producer->index()];
  const auto& uses = model.uses[old.index()];
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) { return use.end <= made; });
}

}  // namespace

void add_memory(const ModelInputs& inputs, IntraModel& model) {
  MemoryPlanner(inputs, model).run();
}

std::vector<std::int64_t> last_needed(const Graph& graph, const std::vector<Storage>& storage,
                                      const IntraModel& model) {
  std::vector<std::int64_t> last(graph.tensors().size());
  for (std::size_t i = 0; i < last.size(); ++i) {
    last[i] = birth(graph, model.timeline, TensorId(i));
    for (const Use& use : model.uses[i]) last[i] = std::max(last[i], use.end);
  }
  // What a fused consumer or a reshape reads is needed as long as its own result.
  for (std::size_t i = graph.operators().size(); i-- > 0;) {
    const Operator& op = graph.operators()[i];
    if (op.results.size() != 1 || op.body) continue;
    const TensorId result = op.results[0];
    if (storage[result.index()] == Storage::materialised) continue;
    for (TensorId operand : op.operands) {
      if (graph[operand].region != op.region) continue;
      last[operand.index()] = std::max(last[operand.index()], last[result.index()]);
    }
  }
  return last;
}

std::vector<bool> find_in_place(const Graph& graph, const IntraModel& model) {
  std::vector<bool> in_place(graph.tensors().size(), false);
  for (const StatePair& pair : graph.state_pairs()) {
    const TensorId result = graph.main().results[static_cast<std::size_t>(pair.output)];
    in_place[result.index()] = overwrites(graph, model, result, pair.input);
  }
  for (const Region& region : graph.regions()) {
    if (!region.owner) continue;
    for (std::size_t i = 0; i < region.results.size(); ++i) {
      const TensorId result = region.results[i];
      in_place[result.index()] = overwrites(graph, model, result, region.arguments[i]);
    }
  }
  return in_place;
}

}  // namespace autoshard::internal
