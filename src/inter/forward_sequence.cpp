// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "inter/forward_sequence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "sharding/derive_rule.hpp"
#include "strategy/work.hpp"

namespace autoshard::internal {
namespace {

class SequenceBuilder {
 public:
  explicit SequenceBuilder(const Graph& graph)
      : graph_(graph), storage_(classify_storage(graph)) {}

  ForwardSequence run() {
    for (OperatorId id : graph_.main().operators) {
      const Operator& op = graph_[id];
      if (op.phase != Phase::forward || is_free(op)) continue;
      sequence_.operators.push_back(id);
      sequence_.flops.push_back(flops(id));
      sequence_.keys.push_back(key(op));
    }
    add_cuts();
    return std::move(sequence_);
  }

 private:
  bool is_free(const Operator& op) const {
    return op.results.size() == 1 && storage_[op.results[0].index()] == Storage::free;
  }

  double flops(OperatorId id) {
    const Operator& op = graph_[id];
    if (!op.body) return operator_flops(op);
    double body = 0;
    for (OperatorId inner : graph_[*op.body].operators) body += flops(inner);
    return body * static_cast<double>(op.integer("trip_count").value_or(1));
  }

  /// Equal operators share the count, as deriving a rule takes longer than comparing keys.
  double operator_flops(const Operator& op) {
    const auto [entry, fresh] = flops_.try_emplace(key(op), 0.0);
    if (!fresh || op.results.empty()) return entry->second;
    const ShardingRule rule =
        derive_rule(graph_, op).value_or(replicated_rule(graph_, op));
    entry->second = work_of({&graph_, &storage_}, op, rule, unsplit(op, rule)).flops;
    return entry->second;
  }

  Assignment unsplit(const Operator& op, const ShardingRule& rule) const {
    const auto whole = [&](TensorId id) {
      ShardingSpec spec;
      spec.dims.resize(graph_[id].type.shape.size());
      return spec;
    };
    Assignment assignment;
    for (TensorId id : op.operands) assignment.operands.push_back(whole(id));
    for (TensorId id : op.results) assignment.results.push_back(whole(id));
    assignment.factor_shards.assign(rule.factors.size(), 1);
    return assignment;
  }

  std::int32_t key(const Operator& op) {
    std::string text = op.kind;
    for (const auto& [name, value] : op.attributes) {
      text += ';' + name + '=';
      std::visit([&](const auto& content) { text += fmt::format("{}", content); }, value);
    }
    for (TensorId id : op.operands) text += ';' + to_string(graph_[id].type);
    for (TensorId id : op.results) text += '>' + to_string(graph_[id].type);
    if (op.body) text += fmt::format(";body of {}", graph_[*op.body].operators.size());
    const auto next = static_cast<std::int32_t>(keys_.size());
    return keys_.try_emplace(std::move(text), next).first->second;
  }

  void add_cuts() {
    std::vector<std::int64_t> change(sequence_.size() + 2, 0);
    const std::vector<std::size_t> last = last_forward_reads();
    for (std::size_t i = 0; i < sequence_.size(); ++i) {
      for (TensorId result : graph_[sequence_.operators[i]].results) {
        if (last[result.index()] <= i) continue;
        change[i + 1] += graph_[result].type.bytes();
        change[last[result.index()] + 1] -= graph_[result].type.bytes();
      }
    }
    change.pop_back();
    std::partial_sum(change.begin(), change.end(), change.begin());
    sequence_.cut_bytes = std::move(change);
  }

  /// Per tensor, the place of its last forward reader; 0 without any. A loop also reads what its
  /// body captures.
  std::vector<std::size_t> last_forward_reads() const {
    std::vector<std::size_t> last(graph_.tensors().size(), 0);
    for (std::size_t i = 0; i < sequence_.size(); ++i) note_reads(sequence_.operators[i], i, last);
    return last;
  }

  void note_reads(OperatorId id, std::size_t place, std::vector<std::size_t>& last) const {
    const Operator& op = graph_[id];
    for (TensorId operand : op.operands) last[operand.index()] = place;
    if (!op.body) return;
    for (OperatorId inner : graph_[*op.body].operators) note_reads(inner, place, last);
    for (TensorId result : graph_[*op.body].results) last[result.index()] = place;
  }

  const Graph& graph_;
  std::vector<Storage> storage_;
  std::map<std::string, std::int32_t> keys_;
  std::map<std::int32_t, double> flops_;  ///< by key
  ForwardSequence sequence_;
};

}  // namespace

double ForwardSequence::total_flops() const {
  return std::accumulate(flops.begin(), flops.end(), 0.0);
}

ForwardSequence forward_sequence(const Graph& graph) { return SequenceBuilder(graph).run(); }

}  // namespace autoshard::internal
