// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "autoshard/sharding_rule.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/checks/rules.hpp"

namespace autoshard::internal {
namespace {

Result<void> check_flops(const Attribute& attribute) {
  double flops = -1;
  if (const auto* integer = std::get_if<std::int64_t>(&attribute)) {
    flops = static_cast<double>(*integer);
  } else if (const auto* number = std::get_if<double>(&attribute)) {
    flops = *number;
  } else {
    return invalid("attribute 'flops' must be a number");
  }
  if (std::isfinite(flops) && flops >= 0) return {};
  return invalid("attribute 'flops' is {}, expected a number of at least 0", flops);
}

}  // namespace

Result<Types> infer_custom_call(const OperatorCall& call) {
  AUTOSHARD_CHECK_OK(required_text(call, "call_target_name"));
  if (has(call, "sharding_rule")) {
    AUTOSHARD_TRY(const std::string_view text, required_text(call, "sharding_rule"));
    AUTOSHARD_CHECK_OK(parse_sharding_rule(text, call.operands, call.results));
  }
  const auto flops = call.attributes.find("flops");
  if (flops != call.attributes.end()) AUTOSHARD_CHECK_OK(check_flops(flops->second));
  return Types(call.results.begin(), call.results.end());
}

}  // namespace autoshard::internal
