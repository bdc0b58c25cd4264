// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to turn a tensor from each spec of one list into each spec of another, as tables
// for the cost graph. Searches and tables are made once per tensor type and shared.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "autoshard/cost_graph.hpp"
#include "cost/resharding.hpp"
#include "strategy/spec_table.hpp"

namespace autoshard::internal {

/// Seconds as the solver's integer picoseconds; saturates far below kForbidden.
std::int64_t picoseconds(double seconds);

class ReshardingTables {
 public:
  ReshardingTables(const ReshardingContext& context, const SpecTable& specs)
      : context_(context), specs_(specs) {}

  /// Row-major |from| x |to|, times `count`; kForbidden where there is no way.
  CostTable table(const TensorType& type, SpecListId from, SpecListId to, std::int64_t count);
  /// 0 where the specs are the same, kForbidden elsewhere.
  CostTable equal_table(SpecListId from, SpecListId to);
  const DeviceMesh& mesh() const { return *context_.mesh; }
  std::optional<ReshardingPath> path(const TensorType& type, SpecId from, SpecId to);

 private:
  struct TypeTables {
    std::map<SpecId, ReshardingSearch> searches;
    std::map<std::pair<SpecId, SpecId>, std::int64_t> costs;
    std::map<std::tuple<SpecListId, SpecListId, std::int64_t>, CostTable> tables;
  };

  std::int64_t cost(TypeTables& tables, const TensorType& type, SpecId from, SpecId to);
  ReshardingSearch& search(TypeTables& tables, const TensorType& type, SpecId from);

  const ReshardingContext& context_;
  const SpecTable& specs_;
  std::map<std::string, TypeTables> types_;
  std::map<std::pair<SpecListId, SpecListId>, CostTable> equal_tables_;
};

}  // namespace autoshard::internal
