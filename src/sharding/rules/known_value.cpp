// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/rules/known_value.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace autoshard::internal {
namespace {

/// Every element of the result is an element of operand 0. A conversion may round, but keeps the
/// 0 and 1 that callers look for.
constexpr std::array<std::string_view, 6> kMoves = {"broadcast_in_dim", "convert",   "copy",
                                                    "reshape",          "transpose", "slice"};

template <class T>
std::optional<double> common_value(const std::vector<T>& values) {
  if (values.empty()) return std::nullopt;
  if (std::ranges::adjacent_find(values, std::not_equal_to{}) != values.end()) return std::nullopt;
  return static_cast<double>(values.front());
}

}  // namespace

std::optional<double> splat_value(const Operator& constant) {
  if (const auto value = constant.number("value")) return value;
  const auto values = constant.attributes.find("values");
  if (values == constant.attributes.end()) return std::nullopt;
  if (const auto* reals = std::get_if<std::vector<double>>(&values->second)) {
    return common_value(*reals);
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values->second)) {
    return common_value(*integers);
  }
  return std::nullopt;
}

std::optional<double> known_value(const Graph& graph, TensorId tensor) {
  while (graph[tensor].producer) {
    const Operator& op = graph[*graph[tensor].producer];
    if (op.kind == "constant") return splat_value(op);
    if (std::ranges::find(kMoves, op.kind) == kMoves.end()) return std::nullopt;
    tensor = op.operands.front();
  }
  return std::nullopt;
}

}  // namespace autoshard::internal
