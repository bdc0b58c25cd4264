// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// All ways to assign mesh axes to the factors of one rule. It works on factors only; what an
// operator is, it does not know.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/sharding_rule.hpp"
#include "autoshard/sharding_spec.hpp"
#include "autoshard/target.hpp"

namespace autoshard::internal {

/// One way to run an operator.
struct Assignment {
  std::vector<ShardingSpec> operands;
  std::vector<ShardingSpec> results;
  std::vector<std::int64_t> factor_shards;  ///< per factor of the rule
  std::int64_t shards = 1;                  ///< into how many distinct parts the work is split
};

/// What limits the assignments beside the rule itself.
struct EnumerationLimits {
  std::vector<AxisRef> atoms;          ///< pieces of axes to hand out
  std::vector<bool> partial_operands;  ///< which operands may arrive partial
  bool uneven = true;                  ///< a factor may split into unequal parts
};

/// In a fixed order; the first one is fully replicated.
std::vector<Assignment> enumerate_assignments(const ShardingRule& rule,
                                              const EnumerationLimits& limits);

/// Whether some assignment leaves a result partial.
bool may_leave_partial(const ShardingRule& rule, const std::vector<bool>& partial_operands);

}  // namespace autoshard::internal
