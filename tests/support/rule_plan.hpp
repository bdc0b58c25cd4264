// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a sharding rule claims, made into something that can be run: a rule and an assignment of
// mesh axes give the specs of an operator's operands and results, and those a plan of a graph that
// has little but that operator. `verify` then says whether the claim is true. It shares no code
// with the enumeration of strategies in the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "autoshard/sharding_rule.hpp"
#include "autoshard/verify.hpp"
#include "support/operator_case.hpp"

namespace autoshard::test {

/// Which mesh axes split which factor, and which carry partial values through a linear group.
struct Assignment {
  std::vector<std::vector<AxisRef>> factors;  ///< [factor], major to minor
  std::optional<std::size_t> linear_group;
  std::vector<AxisRef> linear_axes;
};

/// False when a shard would not be one contiguous piece of its dimension: in a dimension made of
/// several factors, all must split evenly, and a minor one only under major ones split completely.
bool is_possible(const ShardingRule& rule, const Assignment& assignment);

/// Every way to use each whole axis of the mesh, for one factor, for a linear group, or not at all.
/// Several axes on one factor come in both orders. Only possible ones.
std::vector<Assignment> all_assignments(const ShardingRule& rule, const DeviceMesh& mesh);

struct OperatorSpecs {
  std::vector<ShardingSpec> operands;
  std::vector<ShardingSpec> results;
};
OperatorSpecs implied_specs(const ShardingRule& rule, const Assignment& assignment);

/// Runs the operator with these specs. Operands that must be partial are made by a reduce whose
/// summed dimension is split.
Result<VerifyReport> run_as(const OperatorCase& test, const OperatorSpecs& specs,
                            const DeviceMesh& mesh);

/// "2x3" as a mesh with axes a0 and a1.
DeviceMesh mesh_of(const std::string& text);
std::string to_string(const OperatorSpecs& specs, const DeviceMesh& mesh);

}  // namespace autoshard::test
