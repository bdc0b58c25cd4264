// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Finds where a sequence repeats itself: the longest run of equal blocks, then what repeats before
// and behind it, and so on. Where the blocks begin within their period is chosen for the least
// traffic over the cuts. It compares operators one by one, not how they are connected.
#pragma once

#include <cstddef>
#include <vector>

#include "inter/forward_sequence.hpp"

namespace autoshard::internal {

/// `count` blocks of `length` operators each, from `begin` on.
struct BlockRun {
  std::size_t begin = 0;
  std::size_t length = 0;
  std::size_t count = 0;
  std::size_t end() const { return begin + length * count; }
};

/// In order, without overlap. A block holds at least one operator that weighs something.
std::vector<BlockRun> find_repeated_blocks(const ForwardSequence& sequence);

}  // namespace autoshard::internal
