// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One collective, simulated: pieces really change hands between the devices of a group, and what
// is sent is counted as it goes. It follows the definition of each collective and the specs before
// and after, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "autoshard/collective.hpp"
#include "autoshard/error.hpp"
#include "execute/piece_call.hpp"

namespace autoshard::internal {

/// All borrowed.
struct CollectiveStep {
  const Collective& collective;
  const ShardingSpec& from;
  const ShardingSpec& to;
  const TensorType& type;
  const DeviceMesh& mesh;
};

struct StepOutcome {
  Values pieces;                    ///< by device, as `to` says
  std::int64_t moved_elements = 0;  ///< sent from a device to another
  /// Elements that a permute leaves where they are; the formula counts them as sent.
  std::int64_t kept_elements = 0;
};

/// What the kind, the axes and the dimensions of the collective promise is what the specs say;
/// otherwise the error tells which promise is broken.
Result<void> check_promise(const CollectiveStep& step);

/// Errors: the promise is broken, or a device needs what nobody in its group holds.
Result<StepOutcome> run_step(const CollectiveStep& step, const Values& pieces);

/// Compares the bytes that were moved with the formula's. Even splits agree up to the rounding of
/// the formula; with uneven ones the formula pays for padding, so it lies between what moved and
/// what padded buffers would take. Empty when all is well.
std::optional<std::string> traffic_complaint(const CollectiveStep& step,
                                             const StepOutcome& outcome);

std::int64_t bytes_of(const TensorType& type, std::int64_t elements);

}  // namespace autoshard::internal
