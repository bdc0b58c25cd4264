// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mesh axes cut into the smallest parts that a set of specs and groups mention, so that lists of
// axes can be compared and devices can be grouped although one list says "x" and another names
// its parts.
#pragma once

#include <span>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/sharding_spec.hpp"

namespace autoshard::internal {

class AxisAtoms {
 public:
  /// Errors: an axis is cut in two ways that do not nest, such as (1)2 and (1)3 of six.
  static Result<AxisAtoms> create(const DeviceMesh& mesh, std::span<const AxisRef> mentioned);

  std::vector<AxisRef> refine(const AxisRef& part) const;
  std::vector<AxisRef> refine(std::span<const AxisRef> parts) const;
  ShardingSpec refine(const ShardingSpec& spec) const;

  /// Devices that differ only along `axes`, group by group, members in the order of their ids.
  std::vector<std::vector<std::int64_t>> groups(const DeviceMesh& mesh,
                                                std::span<const AxisRef> axes) const;

 private:
  std::vector<std::vector<AxisRef>> atoms_;  ///< by axis, major to minor
};

/// Every axis that a spec names.
std::vector<AxisRef> mentioned_axes(const ShardingSpec& spec);
std::vector<AxisRef> partial_axes(const ShardingSpec& spec);

}  // namespace autoshard::internal
