// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/collective.hpp"

#include <array>

namespace autoshard {
namespace {

constexpr std::array<std::string_view, 6> kNames = {
    "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "slice"};

}  // namespace

std::string_view name(CollectiveKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<CollectiveKind> parse_collective(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<CollectiveKind>(i);
  }
  return std::nullopt;
}

std::int64_t sent_bytes_per_device(const Collective& collective) {
  // (n-1) * (S/n) needs no 128 bits; S is a multiple of n for even splits.
  const std::int64_t n = collective.group_size;
  const std::int64_t share = (collective.buffer_bytes + n - 1) / n * (n - 1);
  switch (collective.kind) {
    case CollectiveKind::all_reduce:
      return 2 * share;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return share;
    case CollectiveKind::collective_permute:
      return collective.buffer_bytes;
    case CollectiveKind::slice:
      return 0;
  }
  return 0;
}

}  // namespace autoshard
