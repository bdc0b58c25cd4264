// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_loop.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/hlo_affine.hpp"
#include "io/hlo_attributes.hpp"

namespace autoshard::internal {
namespace {

using KnownIntegers = std::vector<std::optional<std::int64_t>>;

/// for (i = start; i DIRECTION bound; i += step)
struct Counter {
  std::string_view direction;
  std::int64_t start = 0;
  std::int64_t bound = 0;
  std::int64_t step = 0;
};

std::string_view mirrored(std::string_view direction) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMirror = {
      {{"LT", "GT"}, {"GT", "LT"}, {"LE", "GE"}, {"GE", "LE"}}};
  for (const auto& [from, to] : kMirror) {
    if (from == direction) return to;
  }
  return direction;
}

/// How many steps until the counter has covered `distance`, the last one perhaps in part.
std::int64_t steps_over(std::int64_t distance, std::int64_t step) {
  return distance <= 0 ? 0 : (distance + step - 1) / step;
}

std::optional<std::int64_t> iterations(const Counter& counter) {
  const std::int64_t distance = counter.bound - counter.start;
  if (counter.direction == "LT" && counter.step > 0) return steps_over(distance, counter.step);
  if (counter.direction == "LE" && counter.step > 0) return steps_over(distance + 1, counter.step);
  if (counter.direction == "GT" && counter.step < 0) return steps_over(-distance, -counter.step);
  if (counter.direction == "GE" && counter.step < 0) return steps_over(1 - distance, -counter.step);
  // A counter that steps over the value it must not equal runs until it wraps around: unknown.
  const bool meets =
      counter.step != 0 && distance % counter.step == 0 && distance / counter.step >= 0;
  if (counter.direction == "NE" && meets) return distance / counter.step;
  return std::nullopt;
}

bool is_moderate(std::int64_t value) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 60;
  return value > -kLimit && value < kLimit;
}

/// The leaf the body adds a constant to, with what it starts from, or nothing.
std::optional<Counter> find_counter(const HloModule& module, const HloLoop& loop,
                                    std::span<const std::optional<std::int64_t>> initial,
                                    const KnownIntegers& constants) {
  HloAffineEvaluator condition(module, *loop.condition, constants);
  auto comparison = condition.root_comparison();
  if (!comparison) return std::nullopt;
  if (!comparison->left.carried) {
    std::swap(comparison->left, comparison->right);
    comparison->direction = mirrored(comparison->direction);
  }
  const HloAffine& left = comparison->left;
  if (!left.carried || comparison->right.carried) return std::nullopt;
  const std::optional<std::int64_t> start = initial[static_cast<std::size_t>(*left.carried)];
  HloAffineEvaluator body(module, *loop.body, constants);
  const std::optional<HloAffine> next = body.evaluate({loop.body->root, *left.carried});
  if (!start || !is_moderate(*start) || !next || next->carried != left.carried) return std::nullopt;
  return Counter{comparison->direction, *start + left.offset, comparison->right.offset,
                 next->offset};
}

}  // namespace

std::vector<bool> hlo_invariant_leaves(const HloModule& module, const HloLoop& loop) {
  const std::size_t count = loop.instruction->shape.leaves.size();
  std::vector<bool> result(count);
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    const auto index = static_cast<std::int32_t>(leaf);
    // One evaluator each: its bound on steps is for one value.
    HloAffineEvaluator body(module, *loop.body, {});
    result[leaf] = body.evaluate({loop.body->root, index}) == HloAffine{index, 0};
  }
  return result;
}

std::optional<std::int64_t> hlo_trip_count(const HloModule& module, const HloLoop& loop,
                                           std::span<const std::optional<std::int64_t>> initial,
                                           const std::vector<bool>& invariant) {
  KnownIntegers constants(initial.begin(), initial.end());
  for (std::size_t leaf = 0; leaf < constants.size(); ++leaf) {
    if (!invariant[leaf]) constants[leaf].reset();
  }
  const std::optional<Counter> counter = find_counter(module, loop, initial, constants);
  const std::optional<std::int64_t> counted = counter ? iterations(*counter) : std::nullopt;
  return counted ? counted : hlo_known_trip_count(*loop.instruction);
}

}  // namespace autoshard::internal
