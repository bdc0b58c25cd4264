// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "inter/backward_layers.hpp"

#include <algorithm>
#include <ranges>

namespace autoshard::internal {
namespace {

using MaybeLayer = std::optional<std::int32_t>;

MaybeLayer least(MaybeLayer a, MaybeLayer b) { return a && b ? std::min(a, b) : (a ? a : b); }

class LayerFinder {
 public:
  LayerFinder(const Graph& graph, std::vector<MaybeLayer> given)
      : graph_(graph),
        layers_(std::move(given)),
        need_(graph.operators().size()),
        reads_(graph.operators().size()),
        readers_(graph.tensors().size()),
        first_(graph.tensors().size()),
        last_(graph.tensors().size()),
        state_of_(graph.tensors().size()) {}

  std::vector<std::int32_t> run() {
    note_state();
    for (OperatorId id : main()) collect_reads(id, id);
    for (OperatorId id : main()) note_forward(id);
    for (OperatorId id : std::views::reverse(main())) note_need(id);
    for (OperatorId id : main()) place_backward(id);
    for (OperatorId id : std::views::reverse(main())) place_update(id);
    for (OperatorId id : std::views::reverse(main())) move_to_users(id);
    for (OperatorId id : std::views::reverse(main())) place_where_read(id);
    return finished();
  }

 private:
  const std::vector<OperatorId>& main() const { return graph_.main().operators; }
  MaybeLayer& layer(OperatorId id) { return layers_[id.index()]; }
  bool in_phase(OperatorId id, Phase phase) const { return graph_[id].phase == phase; }

  /// A loop reads what its body captures, too.
  void collect_reads(OperatorId top, OperatorId id) {
    const Operator& op = graph_[id];
    for (TensorId operand : op.operands) note_read(top, operand);
    if (!op.body) return;
    for (OperatorId inner : graph_[*op.body].operators) collect_reads(top, inner);
    for (TensorId result : graph_[*op.body].results) note_read(top, result);
  }

  void note_read(OperatorId reader, TensorId tensor) {
    if (graph_[tensor].region != RegionId{}) return;
    reads_[reader.index()].push_back(tensor);
    auto& readers = readers_[tensor.index()];
    if (readers.empty() || readers.back() != reader) readers.push_back(reader);
  }

  void note_forward(OperatorId id) {
    if (!layer(id)) return;
    for (TensorId tensor : reads_[id.index()]) {
      if (!first_[tensor.index()]) first_[tensor.index()] = layer(id);
      last_[tensor.index()] = layer(id);
    }
    for (TensorId result : graph_[id].results) last_[result.index()] = layer(id);
  }

  /// A gradient must not come down below a layer whose forward values it still meets.
  void note_need(OperatorId id) {
    if (!in_phase(id, Phase::backward)) return;
    MaybeLayer& need = need_[id.index()];
    for (TensorId tensor : reads_[id.index()]) {
      const auto producer = graph_[tensor].producer;
      if (producer && in_phase(*producer, Phase::forward)) need = std::max(need, layer(*producer));
    }
    for (TensorId result : graph_[id].results) {
      for (OperatorId reader : readers_[result.index()])
        need = std::max(need, need_[reader.index()]);
    }
  }

  void place_backward(OperatorId id) {
    if (!in_phase(id, Phase::backward)) return;
    for (TensorId tensor : reads_[id.index()]) layer(id) = least(layer(id), last_[tensor.index()]);
    if (layer(id)) layer(id) = std::max(layer(id), need_[id.index()]);
    for (TensorId result : graph_[id].results) last_[result.index()] = layer(id);
  }

  void place_update(OperatorId id) {
    if (!in_phase(id, Phase::update)) return;
    for (TensorId result : graph_[id].results) {
      for (OperatorId reader : readers_[result.index()])
        layer(id) = least(layer(id), layer(reader));
      if (const auto state = state_of_[result.index()]) {
        layer(id) = least(layer(id), first_[state->index()]);
      }
    }
    if (layer(id)) return;
    for (TensorId tensor : reads_[id.index()]) layer(id) = least(layer(id), last_[tensor.index()]);
  }

  void note_state() {
    for (const StatePair& pair : graph_.state_pairs()) {
      const TensorId result = graph_.main().results[static_cast<std::size_t>(pair.output)];
      state_of_[result.index()] = pair.input;
    }
  }

  void move_to_users(OperatorId id) {
    if (!in_phase(id, Phase::backward) || !layer(id)) return;
    MaybeLayer target = need_[id.index()];
    for (TensorId result : graph_[id].results) {
      for (OperatorId reader : readers_[result.index()]) target = std::max(target, layer(reader));
    }
    if (!target || target >= layer(id)) return;
    const auto there = [&](TensorId tensor) { return reaches(tensor, *target, id); };
    if (std::ranges::all_of(reads_[id.index()], there)) layer(id) = target;
  }

  /// A gradient that some other operator of that layer, or of one before it, reads.
  bool reaches(TensorId tensor, std::int32_t target, OperatorId except) const {
    const auto producer = graph_[tensor].producer;
    if (!producer || !in_phase(*producer, Phase::backward)) return false;
    return std::ranges::any_of(readers_[tensor.index()], [&](OperatorId reader) {
      const MaybeLayer at = layers_[reader.index()];
      return reader != except && at && *at <= target && !in_phase(reader, Phase::update);
    });
  }

  void place_where_read(OperatorId id) {
    if (layer(id)) return;
    for (TensorId result : graph_[id].results) {
      for (OperatorId reader : readers_[result.index()])
        layer(id) = least(layer(id), layer(reader));
    }
  }

  std::vector<std::int32_t> finished() {
    std::vector<std::int32_t> all;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      OperatorId top(i);
      while (const auto owner = graph_[graph_[top].region].owner) top = *owner;
      all.push_back(layer(top).value_or(0));
    }
    return all;
  }

  const Graph& graph_;
  std::vector<MaybeLayer> layers_;               ///< per operator
  std::vector<MaybeLayer> need_;                  ///< per operator: not before this layer
  std::vector<std::vector<TensorId>> reads_;     ///< per operator of main; tensors of main
  std::vector<std::vector<OperatorId>> readers_;  ///< per tensor of main
  std::vector<MaybeLayer> first_;  ///< per tensor: the first layer whose forward pass reads it
  std::vector<MaybeLayer> last_;   ///< per tensor: the last layer that has it
  std::vector<std::optional<TensorId>> state_of_;  ///< per tensor: the state that it replaces
};

}  // namespace

std::vector<std::int32_t> layers_of_all(const Graph& graph,
                                        std::vector<std::optional<std::int32_t>> given) {
  return LayerFinder(graph, std::move(given)).run();
}

}  // namespace autoshard::internal
