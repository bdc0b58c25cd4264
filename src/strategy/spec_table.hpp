// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Specs and lists of specs as small numbers, so that tables about them can be shared and compared
// cheaply. Numbers are given in the order of first use and so are the same on every run.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "autoshard/ids.hpp"
#include "autoshard/sharding_spec.hpp"

namespace autoshard::internal {

using SpecId = Id<struct SpecTag>;
using SpecListId = Id<struct SpecListTag>;

class SpecTable {
 public:
  SpecId add(const ShardingSpec& spec) { return intern<SpecId>(spec, specs_, spec_ids_); }
  SpecListId add_list(const std::vector<SpecId>& list) {
    return intern<SpecListId>(list, lists_, list_ids_);
  }
  const ShardingSpec& operator[](SpecId id) const { return specs_[id.index()]; }
  const std::vector<SpecId>& operator[](SpecListId id) const { return lists_[id.index()]; }

 private:
  template <class IdType, class Value>
  static IdType intern(const Value& value, std::vector<Value>& values,
                       std::map<Value, IdType>& ids) {
    const auto [it, fresh] = ids.try_emplace(value, IdType(values.size()));
    if (fresh) values.push_back(value);
    return it->second;
  }

  std::vector<ShardingSpec> specs_;
  std::map<ShardingSpec, SpecId> spec_ids_;
  std::vector<std::vector<SpecId>> lists_;
  std::map<std::vector<SpecId>, SpecListId> list_ids_;
};

}  // namespace autoshard::internal
