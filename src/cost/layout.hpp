// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// An unpacked Layout: which atoms split each dimension, which are partial, which are free. It
// knows sizes and which splits nest; it does not know prices.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cost/resharding.hpp"

namespace autoshard::internal {

struct AtomList {
  std::array<std::uint8_t, kMaxAtoms> items{};
  std::uint8_t size = 0;

  void push(std::uint8_t atom) { items[size++] = atom; }
  std::span<const std::uint8_t> view() const { return {items.data(), size}; }
};

struct LayoutLists {
  std::array<AtomList, kMaxShardedRank> dims;
  AtomList partial;
  AtomList free;
};

/// Sizes that the moves need, for one tensor type on one context.
class LayoutSizes {
 public:
  LayoutSizes(const ReshardingContext& context, const TensorType& type)
      : context_(&context), type_(&type) {}

  std::size_t rank() const { return type_->shape.size(); }
  std::int64_t product(std::span<const std::uint8_t> atoms) const;
  std::int64_t shard_bytes(const LayoutLists& lists) const;
  /// Whether the pieces under `all` lie inside the pieces under its first `kept` atoms, so that a
  /// collective over the others converts one into the other.
  bool nests(std::size_t dim, std::span<const std::uint8_t> all, std::size_t kept) const;
  /// Whether a dimension may be split by these atoms on this target.
  bool allowed(std::size_t dim, std::span<const std::uint8_t> atoms) const;

 private:
  const ReshardingContext* context_;
  const TensorType* type_;
};

LayoutLists unpack(Layout layout, std::size_t atoms);
Layout pack(const LayoutLists& lists, std::size_t rank);

}  // namespace autoshard::internal
