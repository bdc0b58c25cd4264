// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Between a whole tensor and the pieces that the devices hold under a spec.
#pragma once

#include <optional>
#include <string>

#include "autoshard/sharding_spec.hpp"
#include "execute/piece_call.hpp"

namespace autoshard::internal {

/// A copy of a tensor on a mesh. All borrowed.
struct Placement {
  const ShardingSpec& spec;
  const TensorType& type;
  const DeviceMesh& mesh;
};

/// The pieces of a whole tensor. Of a partial copy, the first device along each partial axis gets
/// the value and the others the identity of the reduction.
Values distribute(const Value& dense, const Placement& placement);

/// The pieces with the partial axes reduced: every device gets what its piece stands for.
Values totals(Values pieces, const Placement& placement);

struct Comparison {
  double relative_error = 0;                 ///< the largest
  std::optional<std::string> mismatch = {};  ///< the first element beyond the tolerance
};

/// The pieces stand for `dense`. Differences are relative to the largest element of the tensor,
/// or to 1e-3 where that is less: what cancels to nothing in one order of summation leaves noise
/// in another.
Comparison compare(const Value& dense, const Values& pieces, const Placement& placement,
                   double tolerance);

}  // namespace autoshard::internal
