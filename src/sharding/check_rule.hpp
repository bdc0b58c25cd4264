// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What validate and parse_sharding_rule share: the checks of a rule, with factors called by the
// names that the caller knows them by, and the names that a printed rule uses.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "autoshard/sharding_rule.hpp"

namespace autoshard::internal {

/// "a" .. "z", "a1" .. "z1", "a2", ...
std::string factor_name(std::size_t index);

/// `names` has one entry per factor.
Result<void> check_rule(const ShardingRule& rule, std::span<const TensorType> operands,
                        std::span<const TensorType> results, std::span<const std::string> names);

}  // namespace autoshard::internal
