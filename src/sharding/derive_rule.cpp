// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/derive_rule.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

struct Entry {
  std::string_view kind;
  ShardingRule (*rule)(const Graph&, const Operator&);
};

constexpr auto kRules = std::to_array<Entry>({
    {"abs", elementwise_rule},
    {"acos", elementwise_rule},
    {"acosh", elementwise_rule},
    {"add", add_rule},
    {"and", elementwise_rule},
    {"argmax", position_rule},
    {"argmin", position_rule},
    {"asin", elementwise_rule},
    {"asinh", elementwise_rule},
    {"atan", elementwise_rule},
    {"atan2", elementwise_rule},
    {"atanh", elementwise_rule},
    {"bitcast_convert", bitcast_rule},
    {"broadcast_in_dim", broadcast_rule},
    {"cbrt", elementwise_rule},
    {"ceil", elementwise_rule},
    {"clamp", elementwise_rule},
    {"compare", elementwise_rule},
    {"concatenate", concatenate_rule},
    {"constant", constant_rule},
    {"convert", convert_rule},
    {"convolution", convolution_rule},
    {"copy", linear_unary_rule},
    {"cosh", elementwise_rule},
    {"cosine", elementwise_rule},
    {"count_leading_zeros", elementwise_rule},
    {"cumulative", cumulative_rule},
    {"digamma", elementwise_rule},
    {"divide", divide_rule},
    {"dot_general", dot_general_rule},
    {"dynamic_slice", dynamic_slice_rule},
    {"dynamic_update_slice", dynamic_update_slice_rule},
    {"erf", elementwise_rule},
    {"erf_inv", elementwise_rule},
    {"erfc", elementwise_rule},
    {"exponential", elementwise_rule},
    {"exponential_minus_one", elementwise_rule},
    {"floor", elementwise_rule},
    {"gather", gather_rule},
    {"iota", generator_rule},
    {"is_finite", elementwise_rule},
    {"lgamma", elementwise_rule},
    {"log", elementwise_rule},
    {"log_plus_one", elementwise_rule},
    {"logistic", elementwise_rule},
    {"maximum", elementwise_rule},
    {"minimum", elementwise_rule},
    {"multiply", multiply_rule},
    {"negate", linear_unary_rule},
    {"nextafter", elementwise_rule},
    {"not", elementwise_rule},
    {"optimization_barrier", barrier_rule},
    {"or", elementwise_rule},
    {"pad", pad_rule},
    {"popcnt", elementwise_rule},
    {"power", elementwise_rule},
    {"reduce", reduce_rule},
    {"reduce_precision", elementwise_rule},
    {"reduce_window", reduce_window_rule},
    {"remainder", elementwise_rule},
    {"reshape", reshape_rule},
    {"reverse", reverse_rule},
    {"rng", generator_rule},
    {"rng_bit_generator", unsplit_rule},
    {"round_nearest_afz", elementwise_rule},
    {"round_nearest_even", elementwise_rule},
    {"rsqrt", elementwise_rule},
    {"scatter", scatter_rule},
    {"select", select_rule},
    {"select_and_scatter", select_and_scatter_rule},
    {"shift_left", elementwise_rule},
    {"shift_right_arithmetic", elementwise_rule},
    {"shift_right_logical", elementwise_rule},
    {"sign", elementwise_rule},
    {"sine", elementwise_rule},
    {"sinh", elementwise_rule},
    {"slice", slice_rule},
    {"sort", sort_rule},
    {"sqrt", elementwise_rule},
    {"subtract", add_rule},
    {"tan", elementwise_rule},
    {"tanh", elementwise_rule},
    {"top_k", top_k_rule},
    {"transpose", transpose_rule},
    {"xor", elementwise_rule},
});

static_assert(std::ranges::is_sorted(kRules, {}, &Entry::kind), "the lookup bisects");

}  // namespace

std::optional<ShardingRule> derive_rule(const Graph& graph, const Operator& op) {
  if (op.kind == "custom_call") return stated_rule(graph, op);
  const auto entry = std::ranges::lower_bound(kRules, std::string_view(op.kind), {}, &Entry::kind);
  if (entry == kRules.end() || entry->kind != op.kind) return std::nullopt;
  return entry->rule(graph, op);
}

ShardingRule argument_rule(const TensorType& type) {
  ShardingRule rule;
  rule.results.emplace_back();
  for (const std::int64_t size : type.shape) {
    DimFactors& dim = rule.results.front().emplace_back();
    if (size == 1) continue;
    dim.push_back(static_cast<std::int32_t>(rule.factors.size()));
    rule.factors.push_back({.size = size});
  }
  return rule;
}

ShardingRule replicated_rule(const Graph& graph, const Operator& op) {
  return RuleBuilder(graph, op).build();
}

}  // namespace autoshard::internal
