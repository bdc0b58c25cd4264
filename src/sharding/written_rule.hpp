// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A sharding rule as its text says it, before the types tell the sizes. Syntax only: it does not
// know how many operands there are.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "autoshard/sharding_rule.hpp"

namespace autoshard::internal {

/// A factor's number while reading: that of its name (factor_name), so that sorting sorts by name.
using NamedFactor = std::int32_t;

struct WrittenRule {
  ShardingRule rule;  ///< its dimensions list NamedFactors; no factors yet
  std::map<NamedFactor, Factor> factors;
  std::map<NamedFactor, std::int64_t> sizes;  ///< those written
};

Result<WrittenRule> scan_rule(std::string_view text);

}  // namespace autoshard::internal
