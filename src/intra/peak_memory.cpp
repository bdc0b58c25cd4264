// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/peak_memory.hpp"

#include <algorithm>
#include <map>

#include "intra/build_model.hpp"

namespace autoshard::internal {
namespace {

struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;  ///< exclusive; empty when not after begin
};

class Accountant {
 public:
  Accountant(const Graph& graph, const IntraModel& model, const std::vector<Storage>& storage,
             IntraOpPlan& plan)
      : graph_(graph),
        model_(model),
        storage_(storage),
        plan_(plan),
        last_(last_needed(graph, storage, model)),
        in_place_(find_in_place(graph, model)),
        lives_(plan.copies.size(), Interval{model.timeline.length + 1, 0}),
        change_(static_cast<std::size_t>(model.timeline.length) + 3, 0) {}

  void run() {
    for (std::size_t i = 0; i < model_.uses.size(); ++i) note_uses(TensorId(i));
    settle_lives();
    for (std::size_t i = 0; i < plan_.copies.size(); ++i) add(plan_.copies[i], lives_[i]);
    find_peak();
  }

 private:
  std::int64_t end_of_step() const { return model_.timeline.length + 1; }

  CopyId used_copy(const Use& use) const {
    const auto index = static_cast<std::size_t>(use.index);
    if (use.kind == UseKind::result) return plan_.regions[0].results[index];
    if (use.kind == UseKind::carry_out) {
      return plan_.regions[graph_[use.op].body->index()].results[index];
    }
    return plan_.operators[use.op.index()].operands[index];
  }

  void note_uses(TensorId tensor) {
    for (const Use& use : model_.uses[tensor.index()]) {
      Interval& life = lives_[used_copy(use).index()];
      life.begin = std::min(life.begin, use.begin);
      life.end = std::max(life.end, use.end + 1);
    }
  }

  /// A copy without a source lives as long as its tensor is needed, or until a copy made at once
  /// takes over; other copies live while they are used or converted further.
  void settle_lives() {
    for (std::size_t i = plan_.copies.size(); i-- > 0;) {
      const TensorCopy& copy = plan_.copies[i];
      if (!copy.source) continue;
      Interval& source = lives_[copy.source->index()];
      source.begin = std::min(source.begin, lives_[i].begin);
      source.end = std::max(source.end, lives_[i].begin + 1);
    }
    for (std::size_t i = 0; i < plan_.copies.size(); ++i) {
      const TensorCopy& copy = plan_.copies[i];
      const std::int64_t born = birth(graph_, model_.timeline, copy.tensor);
      if (!copy.source) {
        lives_[i] = {born, last_[copy.tensor.index()] + 1};
      } else if (copy.at_once) {
        lives_[copy.source->index()].end = born + 1;
        lives_[i] = {born + 1, last_[copy.tensor.index()] + 1};
      }
    }
    for (CopyId argument : plan_.regions[0].arguments) {
      lives_[argument.index()] = {0, end_of_step()};
    }
    for (std::size_t i = 1; i < plan_.regions.size(); ++i) settle_carries(i);
    for (const auto& form : model_.result_forms) {
      const auto index = static_cast<std::size_t>(&form - model_.result_forms.data());
      if (model_.nodes[static_cast<std::size_t>(form->node)].kind != NodeKind::argument) continue;
      // State: the argument's memory takes the value.
      Interval& life = lives_[plan_.regions[0].results[index].index()];
      if (plan_[plan_.regions[0].results[index]].source) life = {0, 0};
    }
  }

  /// The loop's result is the carried value itself.
  void settle_carries(std::size_t region) {
    const OperatorId loop = *graph_.regions()[region].owner;
    for (std::size_t k = 0; k < plan_.regions[region].arguments.size(); ++k) {
      const TensorId result = graph_[loop].results[k];
      const std::int64_t end =
          std::max(last_[result.index()], model_.timeline.end[loop.index()]) + 1;
      lives_[plan_.regions[region].arguments[k].index()] = {model_.timeline.start[loop.index()],
                                                            end};
      lives_[plan_.operators[loop.index()].results[k].index()] = {0, 0};
      const CopyId back = plan_.regions[region].results[k];
      if (plan_[back].source) lives_[back.index()] = {0, 0};
    }
  }

  void add(const TensorCopy& copy, const Interval& life) {
    const TensorId tensor = copy.tensor;
    const bool own = copy.source || (storage_[tensor.index()] == Storage::materialised &&
                                     !in_place_[tensor.index()]);
    const bool free = storage_[tensor.index()] != Storage::materialised;
    if (!own || free || life.end <= life.begin) return;
    const std::int64_t bytes = shard_bytes(copy.spec, graph_[tensor].type);
    change_[static_cast<std::size_t>(life.begin)] += bytes;
    change_[static_cast<std::size_t>(life.end)] -= bytes;
  }

  void find_peak() {
    std::int64_t now = 0;
    std::int64_t peak_time = 0;
    for (std::size_t time = 0; time < change_.size(); ++time) {
      now += change_[time];
      if (now <= plan_.peak_bytes) continue;
      plan_.peak_bytes = now;
      peak_time = static_cast<std::int64_t>(time);
    }
    for (CopyId argument : plan_.regions[0].arguments) {
      const TensorCopy& copy = plan_[argument];
      plan_.argument_bytes += shard_bytes(copy.spec, graph_[copy.tensor].type);
    }
    plan_.peak_at = "the end of the step";
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      if (model_.timeline.start[i] == peak_time) plan_.peak_at = graph_.operators()[i].name;
    }
  }

  const Graph& graph_;
  const IntraModel& model_;
  const std::vector<Storage>& storage_;
  IntraOpPlan& plan_;
  std::vector<std::int64_t> last_;
  std::vector<bool> in_place_;
  std::vector<Interval> lives_;       ///< per copy
  std::vector<std::int64_t> change_;  ///< bytes that come and go at each time
};

}  // namespace

LeastPeak least_peak(const CostGraph& costs) {
  std::map<std::int64_t, std::int64_t> change;
  for (const CostNode& node : costs.nodes) {
    for (const MemoryPiece& piece : node.memory) {
      if (piece.begin >= piece.end) continue;
      const std::int64_t least = *std::min_element(piece.usage.begin(), piece.usage.end());
      change[piece.begin] += least;
      change[piece.end] -= least;
    }
  }
  LeastPeak peak;
  std::int64_t now = 0;
  for (const auto& [time, bytes] : change) {
    now += bytes;
    if (now > peak.bytes) peak = {now, time};
  }
  return peak;
}

void account_memory(const Graph& graph, const IntraModel& model,
                    const std::vector<Storage>& storage, IntraOpPlan& plan) {
  Accountant(graph, model, storage, plan).run();
}

}  // namespace autoshard::internal
