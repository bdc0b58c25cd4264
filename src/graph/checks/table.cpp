// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "graph/checks/table.hpp"

#include <algorithm>
#include <array>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

constexpr std::nullopt_t kAny = std::nullopt;
constexpr std::size_t kInferred = 0;

constexpr std::array kRules = {
    KindRule{"abs", infer_abs, 1, 1, true},
    KindRule{"negate", infer_unary, 1, 1, true},
    KindRule{"exponential", infer_unary, 1, 1, true},
    KindRule{"exponential_minus_one", infer_unary, 1, 1, true},
    KindRule{"log", infer_unary, 1, 1, true},
    KindRule{"log_plus_one", infer_unary, 1, 1, true},
    KindRule{"logistic", infer_unary, 1, 1, true},
    KindRule{"tanh", infer_unary, 1, 1, true},
    KindRule{"sqrt", infer_unary, 1, 1, true},
    KindRule{"rsqrt", infer_unary, 1, 1, true},
    KindRule{"cbrt", infer_unary, 1, 1, true},
    KindRule{"sign", infer_unary, 1, 1, true},
    KindRule{"floor", infer_unary, 1, 1, true},
    KindRule{"ceil", infer_unary, 1, 1, true},
    KindRule{"round_nearest_afz", infer_unary, 1, 1, true},
    KindRule{"round_nearest_even", infer_unary, 1, 1, true},
    KindRule{"cosine", infer_unary, 1, 1, true},
    KindRule{"sine", infer_unary, 1, 1, true},
    KindRule{"tan", infer_unary, 1, 1, true},
    KindRule{"erf", infer_unary, 1, 1, true},
    KindRule{"sinh", infer_unary, 1, 1, true},
    KindRule{"cosh", infer_unary, 1, 1, true},
    KindRule{"asin", infer_unary, 1, 1, true},
    KindRule{"acos", infer_unary, 1, 1, true},
    KindRule{"atan", infer_unary, 1, 1, true},
    KindRule{"asinh", infer_unary, 1, 1, true},
    KindRule{"acosh", infer_unary, 1, 1, true},
    KindRule{"atanh", infer_unary, 1, 1, true},
    KindRule{"erfc", infer_unary, 1, 1, true},
    KindRule{"erf_inv", infer_unary, 1, 1, true},
    KindRule{"lgamma", infer_unary, 1, 1, true},
    KindRule{"digamma", infer_unary, 1, 1, true},
    KindRule{"not", infer_bitwise_unary, 1, 1, true},
    KindRule{"popcnt", infer_bitwise_unary, 1, 1, true},
    KindRule{"count_leading_zeros", infer_bitwise_unary, 1, 1, true},
    KindRule{"is_finite", infer_is_finite, 1, 1, true},
    KindRule{"convert", infer_convert, 1, 1, true},
    KindRule{"bitcast_convert", infer_bitcast_convert, 1, 1, true},
    KindRule{"reduce_precision", infer_unary, 1, 1, true},
    KindRule{"copy", infer_unary, 1, 1, true},
    KindRule{"optimization_barrier", infer_same_types, kAny, kInferred, true},

    KindRule{"add", infer_binary, 2, 1, true},
    KindRule{"subtract", infer_binary, 2, 1, true},
    KindRule{"multiply", infer_binary, 2, 1, true},
    KindRule{"divide", infer_binary, 2, 1, true},
    KindRule{"maximum", infer_binary, 2, 1, true},
    KindRule{"minimum", infer_binary, 2, 1, true},
    KindRule{"power", infer_binary, 2, 1, true},
    KindRule{"remainder", infer_binary, 2, 1, true},
    KindRule{"atan2", infer_binary, 2, 1, true},
    KindRule{"nextafter", infer_binary, 2, 1, true},
    KindRule{"and", infer_bitwise_binary, 2, 1, true},
    KindRule{"or", infer_bitwise_binary, 2, 1, true},
    KindRule{"xor", infer_bitwise_binary, 2, 1, true},
    KindRule{"shift_left", infer_bitwise_binary, 2, 1, true},
    KindRule{"shift_right_logical", infer_bitwise_binary, 2, 1, true},
    KindRule{"shift_right_arithmetic", infer_bitwise_binary, 2, 1, true},
    KindRule{"compare", infer_compare, 2, 1, true},
    KindRule{"select", infer_select, 3, 1, true},
    KindRule{"clamp", infer_clamp, 3, 1, true},

    KindRule{"constant", infer_constant, 0, 1, true},
    KindRule{"iota", infer_iota, 0, 1, true},
    KindRule{"rng", infer_rng, 2, 1, false},
    KindRule{"rng_bit_generator", infer_rng_bit_generator, 1, 2, false},

    KindRule{"broadcast_in_dim", infer_broadcast_in_dim, 1, 1, true},
    KindRule{"reshape", infer_reshape, 1, 1, true},
    KindRule{"transpose", infer_transpose, 1, 1, false},
    KindRule{"reverse", infer_reverse, 1, 1, false},

    KindRule{"dot_general", infer_dot_general, 2, 1, false},
    KindRule{"reduce", infer_reduce, kAny, kInferred, false},
    KindRule{"convolution", infer_convolution, 2, 1, false},
    KindRule{"reduce_window", infer_reduce_window, kAny, kInferred, false},
    KindRule{"select_and_scatter", infer_select_and_scatter, 3, 1, false},

    KindRule{"sort", infer_sort, kAny, kInferred, false},
    KindRule{"top_k", infer_top_k, 1, 2, false},
    KindRule{"cumulative", infer_cumulative, 1, 1, false},
    KindRule{"argmax", infer_position, 1, 1, false},
    KindRule{"argmin", infer_position, 1, 1, false},

    KindRule{"gather", infer_gather, 2, 1, false},
    KindRule{"scatter", infer_scatter, 3, 1, false},

    KindRule{"slice", infer_slice, 1, 1, false},
    KindRule{"dynamic_slice", infer_dynamic_slice, kAny, 1, false},
    KindRule{"dynamic_update_slice", infer_dynamic_update_slice, kAny, 1, false},
    KindRule{"pad", infer_pad, 2, 1, false},
    KindRule{"concatenate", infer_concatenate, kAny, 1, false},

    KindRule{"custom_call", infer_custom_call, kAny, kInferred, false},
    KindRule{"while", infer_while, kAny, kInferred, false},
};

Result<void> check_count(std::string_view what, std::size_t count, std::size_t expected) {
  if (count == expected) return {};
  return invalid("has {} {}, expected {}", count, what, expected);
}

Result<Types> infer(const KindRule& rule, const OperatorCall& call) {
  if (rule.operands) {
    AUTOSHARD_CHECK_OK(check_count("operands", call.operands.size(), *rule.operands));
  }
  AUTOSHARD_TRY(Types types, rule.infer(call));
  for (const TensorType& type : types) AUTOSHARD_CHECK_OK(check_type(type));
  return types;
}

}  // namespace

const KindRule* find_kind(std::string_view kind) {
  const auto found = std::ranges::find(kRules, kind, &KindRule::kind);
  return found == kRules.end() ? nullptr : &*found;
}

Result<Types> infer_result_types(std::string_view kind, const Types& operands,
                                 const Attributes& attributes) {
  const KindRule* rule = find_kind(kind);
  if (rule == nullptr) return invalid("operator kind '{}' is unknown", kind);
  return infer(*rule, {operands, {}, attributes});
}

Result<void> check_call(std::string_view kind, const OperatorCall& call) {
  const KindRule* rule = find_kind(kind);
  if (rule == nullptr) return {};
  if (rule->results != kInferred) {
    AUTOSHARD_CHECK_OK(check_count("results", call.results.size(), rule->results));
  }
  AUTOSHARD_TRY(const Types types, infer(*rule, call));
  AUTOSHARD_CHECK_OK(check_count("results", call.results.size(), types.size()));
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (call.results[i] == types[i]) continue;
    return invalid("result {} has type {}, expected {}", i, to_string(call.results[i]),
                   to_string(types[i]));
  }
  return {};
}

}  // namespace autoshard::internal
