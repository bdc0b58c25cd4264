// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One collective operation as the plan lists it and as a cost model prices it. Sizes follow the
// nccl-tests convention: `buffer_bytes` is the full buffer of one group (all-gather: the gathered
// output, reduce-scatter: the input, all-reduce: the tensor, all-to-all: what one device sends to
// all, itself included).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "autoshard/sharding_spec.hpp"

namespace autoshard {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  collective_permute,
  slice,  ///< a device keeps its part of what it already has: nothing is sent
};

std::string_view name(CollectiveKind kind);  ///< "all-reduce", ...
std::optional<CollectiveKind> parse_collective(std::string_view text);

struct Collective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<AxisRef> axes;  ///< the group: devices that differ only along these
  ReductionKind reduction = ReductionKind::sum;  ///< of all_reduce and reduce_scatter
  std::int32_t split_dim =
      0;  ///< dimension that becomes more split: reduce_scatter, all_to_all, slice
  std::int32_t gather_dim = 0;  ///< dimension that becomes less split: all_gather, all_to_all
  std::int64_t group_size = 1;
  std::int64_t buffer_bytes = 0;
  friend bool operator==(const Collective&, const Collective&) = default;
};

/// Bytes that one device puts on the wire with a ring (direct sends for all-to-all):
/// all-reduce 2 (n-1)/n S; all-gather, reduce-scatter, all-to-all (n-1)/n S; permute S; slice 0.
std::int64_t sent_bytes_per_device(const Collective& collective);

/// A conversion of a tensor from one spec to another: `specs[i]` holds after step i.
struct ReshardingPath {
  std::vector<Collective> steps;
  std::vector<ShardingSpec> specs;
  double seconds = 0;
};

}  // namespace autoshard
