// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {

/// The carried values keep their types; the builder compares the body with them.
Result<Types> infer_while(const OperatorCall& call) {
  if (has(call, "trip_count")) {
    AUTOSHARD_TRY(const std::int64_t trips, required_integer(call, "trip_count"));
    if (trips < 0) return invalid("attribute 'trip_count': {} is negative", trips);
  }
  return Types(call.operands.begin(), call.operands.end());
}

}  // namespace autoshard::internal
