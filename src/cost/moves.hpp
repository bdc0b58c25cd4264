// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every layout that is one collective away from a given one.
#pragma once

#include <functional>

#include "cost/layout.hpp"

namespace autoshard::internal {

class MoveGenerator {
 public:
  using Visitor = std::function<void(Layout, Collective)>;

  MoveGenerator(const ReshardingContext& context, const TensorType& type,
                std::span<const ReductionKind> partial_kinds)
      : context_(context), sizes_(context, type), partial_kinds_(partial_kinds) {}

  void for_each(Layout layout, const Visitor& visit) const;

 private:
  void gather(const LayoutLists& from, const Visitor& visit) const;
  void exchange(const LayoutLists& from, const Visitor& visit) const;
  void reduce(const LayoutLists& from, const Visitor& visit) const;
  void slice(const LayoutLists& from, const Visitor& visit) const;
  void permute(const LayoutLists& from, const Visitor& visit) const;

  /// Appends atoms to a dimension; false when the target or the nesting forbids it.
  bool append(LayoutLists& lists, std::size_t dim, std::span<const std::uint8_t> atoms) const;
  void emit(CollectiveKind kind, const LayoutLists& from, const LayoutLists& to,
            std::span<const std::uint8_t> group, const Visitor& visit) const;

  const ReshardingContext& context_;
  LayoutSizes sizes_;
  std::span<const ReductionKind> partial_kinds_;
};

}  // namespace autoshard::internal
