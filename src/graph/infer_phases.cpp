// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/infer_phases.hpp"

#include <algorithm>
#include <ranges>

#include "graph/checks/table.hpp"

namespace autoshard::internal {
namespace {

/// The graph as main sees it: a loop is one operator that also uses what its body captures.
class TrainingStep {
 public:
  explicit TrainingStep(const Graph& graph)
      : graph_(graph),
        uses_(graph.operators().size()),
        update_(graph.operators().size()),
        forward_(graph.operators().size()),
        only_state_(graph.tensors().size(), true),
        needed_(graph.tensors().size()),
        is_state_output_(graph.main().results.size()) {
    for (const StatePair& pair : graph.state_pairs()) {
      is_state_output_[static_cast<std::size_t>(pair.output)] = true;
    }
  }

  TrainingRoles infer() {
    collect_uses();
    find_update();
    find_forward();
    return {phases(), roles()};
  }

 private:
  OperatorId top_level(OperatorId id) const {
    for (auto owner = owner_of(id); owner; owner = owner_of(id)) id = *owner;
    return id;
  }

  std::optional<OperatorId> owner_of(OperatorId id) const {
    return graph_[graph_[id].region].owner;
  }

  void use(OperatorId user, const std::vector<TensorId>& tensors) {
    auto& used = uses_[top_level(user).index()];
    for (const TensorId id : tensors) {
      if (graph_[id].region == RegionId{}) used.push_back(id);
    }
  }

  void collect_uses() {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      use(OperatorId(i), graph_.operators()[i].operands);
    }
    for (const Region& region : graph_.regions().subspan(1)) use(*region.owner, region.results);
  }

  bool ends_in_state(const Operator& op) const {
    const KindRule* rule = find_kind(op.kind);
    if (rule == nullptr || !rule->update_like) return false;
    return std::ranges::all_of(
        op.results, [this](TensorId id) { return only_state_[id.index()] && needed_[id.index()]; });
  }

  /// Backwards over main: `only_state_` falls where a use is no part of the update, `needed_`
  /// rises where there is a use at all.
  void find_update() {
    mark_results();
    for (const OperatorId id : std::views::reverse(graph_.main().operators)) {
      const bool in_update = ends_in_state(graph_[id]);
      update_[id.index()] = in_update;
      for (const TensorId used : uses_[id.index()]) {
        needed_[used.index()] = true;
        if (!in_update) only_state_[used.index()] = false;
      }
    }
  }

  void mark_results() {
    const auto& results = graph_.main().results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      needed_[results[i].index()] = true;
      if (!is_state_output_[i]) only_state_[results[i].index()] = false;
    }
  }

  void find_forward() {
    std::vector<bool> needed(graph_.tensors().size());
    const auto& results = graph_.main().results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!is_state_output_[i]) needed[results[i].index()] = true;
    }
    for (const OperatorId id : std::views::reverse(graph_.main().operators)) {
      const auto is_needed = [&](TensorId result) { return needed[result.index()]; };
      if (!std::ranges::any_of(graph_[id].results, is_needed)) continue;
      forward_[id.index()] = true;
      for (const TensorId used : uses_[id.index()]) needed[used.index()] = true;
    }
  }

  bool is_training_step() const {
    return !graph_.state_pairs().empty() && std::ranges::count(is_state_output_, false) > 0;
  }

  Phase phase_of(OperatorId id) const {
    const std::size_t top = top_level(id).index();
    if (forward_[top]) return Phase::forward;
    return update_[top] ? Phase::update : Phase::backward;
  }

  std::vector<Phase> phases() const {
    std::vector<Phase> phases(graph_.operators().size(), Phase::forward);
    if (!is_training_step()) return phases;
    for (std::size_t i = 0; i < phases.size(); ++i) phases[i] = phase_of(OperatorId(i));
    return phases;
  }

  /// Read by the update alone, or a counter of steps.
  bool is_optimizer_state(TensorId id) const {
    const TensorType& type = graph_[id].type;
    return only_state_[id.index()] || (type.rank() == 0 && is_integer(type.dtype));
  }

  std::vector<Role> roles() const {
    std::vector<Role> roles;
    for (const Tensor& tensor : graph_.tensors()) roles.push_back(tensor.role);
    for (const StatePair& pair : graph_.state_pairs()) {
      roles[pair.input.index()] =
          is_optimizer_state(pair.input) ? Role::optimizer_state : Role::parameter;
    }
    return roles;
  }

  const Graph& graph_;
  std::vector<std::vector<TensorId>> uses_;  ///< of main's tensors, by operator of main
  std::vector<bool> update_;                 ///< by operator of main
  std::vector<bool> forward_;                ///< by operator of main
  std::vector<bool> only_state_;             ///< by tensor: no use outside update and new state
  std::vector<bool> needed_;                 ///< by tensor: has a use
  std::vector<bool> is_state_output_;        ///< by result of main
};

}  // namespace

TrainingRoles infer_phases(const Graph& graph) { return TrainingStep(graph).infer(); }

}  // namespace autoshard::internal
