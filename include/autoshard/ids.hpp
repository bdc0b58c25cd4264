// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Strong index types. An id is an index into the container that its name says, and nothing else.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace autoshard {

template <class Tag>
struct Id {
  std::int32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::int32_t>(index)) {}
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using OperatorId = Id<struct OperatorTag>;  ///< into Graph::operators()
using TensorId = Id<struct TensorTag>;      ///< into Graph::tensors()
using RegionId = Id<struct RegionTag>;      ///< into Graph::regions()
using CopyId = Id<struct CopyTag>;          ///< into IntraOpPlan::copies

}  // namespace autoshard
