// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/resharding_tables.hpp"

#include <algorithm>
#include <cmath>

namespace autoshard::internal {
namespace {

/// Eleven days in picoseconds: sums of many stay far inside 128 bits, and the solver takes it.
constexpr double kLargestPicoseconds = 1e18;

std::int64_t times(std::int64_t cost, std::int64_t count) {
  if (cost == kForbidden || cost == 0) return cost;
  const double product = static_cast<double>(cost) * static_cast<double>(count);
  return product < kLargestPicoseconds ? cost * count
                                       : static_cast<std::int64_t>(kLargestPicoseconds);
}

}  // namespace

std::int64_t picoseconds(double seconds) {
  const double picoseconds = seconds * 1e12;
  if (!(picoseconds > 0)) return 0;
  return static_cast<std::int64_t>(std::llround(std::min(picoseconds, kLargestPicoseconds)));
}

ReshardingSearch& ReshardingTables::search(TypeTables& tables, const TensorType& type,
                                           SpecId from) {
  const auto it = tables.searches.find(from);
  if (it != tables.searches.end()) return it->second;
  return tables.searches.emplace(from, ReshardingSearch(context_, type, specs_[from]))
      .first->second;
}

std::int64_t ReshardingTables::cost(TypeTables& tables, const TensorType& type, SpecId from,
                                    SpecId to) {
  if (from == to) return 0;
  const auto [it, fresh] = tables.costs.try_emplace({from, to}, kForbidden);
  if (fresh) {
    const auto seconds = search(tables, type, from).seconds(specs_[to]);
    if (seconds) it->second = picoseconds(*seconds);
  }
  return it->second;
}

CostTable ReshardingTables::table(const TensorType& type, SpecListId from, SpecListId to,
                                  std::int64_t count) {
  TypeTables& tables = types_[to_string(type)];
  CostTable& table = tables.tables[{from, to, count}];
  if (table) return table;
  auto costs = std::make_shared<std::vector<std::int64_t>>();
  costs->reserve(specs_[from].size() * specs_[to].size());
  for (SpecId row : specs_[from]) {
    for (SpecId column : specs_[to])
      costs->push_back(times(cost(tables, type, row, column), count));
  }
  return table = std::move(costs);
}

CostTable ReshardingTables::equal_table(SpecListId from, SpecListId to) {
  CostTable& table = equal_tables_[{from, to}];
  if (table) return table;
  auto costs = std::make_shared<std::vector<std::int64_t>>();
  for (SpecId row : specs_[from]) {
    for (SpecId column : specs_[to]) costs->push_back(row == column ? 0 : kForbidden);
  }
  return table = std::move(costs);
}

std::optional<ReshardingPath> ReshardingTables::path(const TensorType& type, SpecId from,
                                                     SpecId to) {
  return search(types_[to_string(type)], type, from).path(specs_[to]);
}

}  // namespace autoshard::internal
