// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The strategies of every operator: which specs it reads and makes, and how long it takes. Equal
// operators (same kind, types, attributes, and same surroundings) share one table.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "autoshard/cost_model.hpp"
#include "autoshard/target.hpp"
#include "strategy/fusion.hpp"
#include "strategy/spec_table.hpp"

namespace autoshard::internal {

struct Strategy {
  std::vector<SpecId> operands;
  std::vector<SpecId> results;
  double seconds = 0;  ///< of one run on one device
};

/// All strategies of one operator; the lists say the specs of one operand or result under each.
struct StrategyTable {
  std::vector<Strategy> strategies;
  std::vector<SpecListId> operand_specs;  ///< [operand]
  std::vector<SpecListId> result_specs;   ///< [result]
  bool known = true;                      ///< false: nobody described the kind; kept replicated
};

struct StrategyContext {
  const Graph* graph = nullptr;
  const Target* target = nullptr;
  const CostModel* model = nullptr;
  std::vector<AxisRef> atoms;
  std::vector<Storage> storage;  ///< per tensor
};

class StrategyBuilder {
 public:
  StrategyBuilder(const StrategyContext& context, SpecTable& specs);

  /// Loops have no table: null.
  std::shared_ptr<const StrategyTable> operator_table(OperatorId id);
  /// Whole (never partial) specs of an argument, a carried value or a result of the graph.
  std::vector<SpecId> whole_specs(const TensorType& type, bool uneven);
  bool may_be_partial(TensorId tensor) const { return may_be_partial_[tensor.index()]; }
  std::size_t table_count() const { return tables_.size(); }

 private:
  std::string key(const Operator& op) const;
  std::shared_ptr<const StrategyTable> build(const Operator& op) const;
  void find_partials();
  std::vector<bool> partial_operands(const Operator& op) const;

  const StrategyContext& context_;
  SpecTable& specs_;
  std::vector<bool> may_be_partial_;  ///< per tensor
  std::unordered_map<std::string, std::shared_ptr<const StrategyTable>> tables_;
};

}  // namespace autoshard::internal
