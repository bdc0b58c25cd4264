// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a `while` is: which carried values its body only hands on, and how often it runs. A loop
// that hands its weights on from iteration to iteration is a loop over captured weights.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloLoop {
  const HloInstruction* instruction = nullptr;
  const HloComputation* condition = nullptr;
  const HloComputation* body = nullptr;
};

/// By leaf of the carried tuple: the body returns it as it got it.
std::vector<bool> hlo_invariant_leaves(const HloModule& module, const HloLoop& loop);

/// `initial` holds the value each carried leaf starts with, where it is a known integer. Found from
/// a comparison of a counter with a bound, or from `backend_config`; absent when neither says.
std::optional<std::int64_t> hlo_trip_count(const HloModule& module, const HloLoop& loop,
                                           std::span<const std::optional<std::int64_t>> initial,
                                           const std::vector<bool>& invariant);

}  // namespace autoshard::internal
