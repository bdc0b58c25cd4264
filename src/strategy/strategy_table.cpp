// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "strategy/strategy_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sharding/derive_rule.hpp"
#include "sharding/rules/known_value.hpp"
#include "strategy/enumerate.hpp"
#include "strategy/work.hpp"

namespace autoshard::internal {
namespace {

std::string attribute_text(const Attribute& attribute) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::vector<std::int64_t>> ||
                      std::is_same_v<Value, std::vector<double>>) {
          return fmt::format("[{}]", fmt::join(value, ","));
        } else {
          return fmt::format("{}", value);
        }
      },
      attribute);
}

/// Rules ask whether an operand is known to be the identity of a sum or of a product.
std::string_view known_mark(const Graph& graph, TensorId operand) {
  const std::optional<double> value = known_value(graph, operand);
  if (value == 0.0) return "0";
  return value == 1.0 ? "1" : "";
}

/// The rule, or "keep it replicated" where nobody described the kind.
std::pair<ShardingRule, bool> rule_for(const Graph& graph, const Operator& op) {
  if (auto rule = derive_rule(graph, op)) return {std::move(*rule), true};
  return {replicated_rule(graph, op), false};
}

}  // namespace

StrategyBuilder::StrategyBuilder(const StrategyContext& context, SpecTable& specs)
    : context_(context), specs_(specs), may_be_partial_(context.graph->tensors().size(), false) {
  find_partials();
}

void StrategyBuilder::find_partials() {
  const Graph& graph = *context_.graph;
  std::unordered_map<std::string, bool> known;
  for (const Region& region : graph.regions()) {
    for (OperatorId id : region.operators) {
      const Operator& op = graph[id];
      if (op.body) continue;
      const auto [it, fresh] = known.try_emplace(key(op), false);
      if (fresh) it->second = may_leave_partial(rule_for(graph, op).first, partial_operands(op));
      for (TensorId result : op.results) may_be_partial_[result.index()] = it->second;
    }
  }
}

std::vector<bool> StrategyBuilder::partial_operands(const Operator& op) const {
  std::vector<bool> partial(op.operands.size(), false);
  if (!context_.target->partial_between_operators) return partial;
  for (std::size_t i = 0; i < partial.size(); ++i) {
    partial[i] = may_be_partial_[op.operands[i].index()];
  }
  return partial;
}

std::string StrategyBuilder::key(const Operator& op) const {
  const Graph& graph = *context_.graph;
  std::string key = op.kind;
  const auto append = [&](char mark, TensorId tensor) {
    key += fmt::format("{}{}{}", mark, to_string(graph[tensor].type),
                       static_cast<int>(context_.storage[tensor.index()]));
  };
  for (TensorId operand : op.operands) {
    append(may_be_partial_[operand.index()] ? 'p' : ' ', operand);
    key += known_mark(graph, operand);
  }
  for (TensorId result : op.results) append('>', result);
  for (const auto& [name, value] : op.attributes) key += ';' + name + '=' + attribute_text(value);
  return key;
}

std::shared_ptr<const StrategyTable> StrategyBuilder::operator_table(OperatorId id) {
  const Operator& op = (*context_.graph)[id];
  if (op.body) return nullptr;
  auto& table = tables_[key(op)];
  if (!table) table = build(op);
  return table;
}

std::shared_ptr<const StrategyTable> StrategyBuilder::build(const Operator& op) const {
  const auto [rule, known] = rule_for(*context_.graph, op);
  const EnumerationLimits limits{context_.atoms, partial_operands(op),
                                 context_.target->uneven_intermediates};
  auto table = std::make_shared<StrategyTable>();
  table->known = known;
  std::vector<std::vector<SpecId>> operand_lists(op.operands.size());
  std::vector<std::vector<SpecId>> result_lists(op.results.size());
  for (const Assignment& assignment : enumerate_assignments(rule, limits)) {
    Strategy strategy;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      operand_lists[i].push_back(specs_.add(assignment.operands[i]));
      strategy.operands.push_back(operand_lists[i].back());
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      result_lists[i].push_back(specs_.add(assignment.results[i]));
      strategy.results.push_back(result_lists[i].back());
    }
    const WorkContext work{context_.graph, &context_.storage};
    strategy.seconds = context_.model->operator_seconds(work_of(work, op, rule, assignment));
    table->strategies.push_back(std::move(strategy));
  }
  for (const auto& list : operand_lists) table->operand_specs.push_back(specs_.add_list(list));
  for (const auto& list : result_lists) table->result_specs.push_back(specs_.add_list(list));
  return table;
}

std::vector<SpecId> StrategyBuilder::whole_specs(const TensorType& type, bool uneven) {
  const EnumerationLimits limits{context_.atoms, {}, uneven};
  std::vector<SpecId> specs;
  for (const Assignment& assignment : enumerate_assignments(argument_rule(type), limits)) {
    specs.push_back(specs_.add(assignment.results[0]));
  }
  return specs;
}

}  // namespace autoshard::internal
