// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/layout.hpp"

namespace autoshard::internal {
namespace {

constexpr std::uint64_t kReplicated = 0;
constexpr std::uint64_t kPartial = 1;
constexpr std::uint64_t kFirstDim = 2;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void place(Layout& layout, std::uint8_t atom, std::uint64_t where, std::uint64_t order) {
  layout |= (where << 4 | order) << (8 * atom);
}

}  // namespace

std::int64_t LayoutSizes::product(std::span<const std::uint8_t> atoms) const {
  std::int64_t size = 1;
  for (std::uint8_t atom : atoms) size *= context_->atoms[atom].size;
  return size;
}

std::int64_t LayoutSizes::shard_bytes(const LayoutLists& lists) const {
  std::int64_t elements = 1;
  for (std::size_t dim = 0; dim < rank(); ++dim) {
    const std::int64_t shards = dim < kMaxShardedRank ? product(lists.dims[dim].view()) : 1;
    elements *= ceil_divide(type_->shape[dim], shards);
  }
  return (elements * bits(type_->dtype) + 7) / 8;
}

bool LayoutSizes::nests(std::size_t dim, std::span<const std::uint8_t> all,
                        std::size_t kept) const {
  if (kept == 0) return true;
  const std::int64_t outer = product(all.first(kept));
  const std::int64_t inner = product(all.subspan(kept));
  const std::int64_t size = type_->shape[dim];
  return ceil_divide(size, outer) == ceil_divide(size, outer * inner) * inner;
}

bool LayoutSizes::allowed(std::size_t dim, std::span<const std::uint8_t> atoms) const {
  const std::int64_t shards = product(atoms);
  const std::int64_t size = type_->shape[dim];
  return size % shards == 0 || (context_->target->uneven_intermediates && shards <= size);
}

LayoutLists unpack(Layout layout, std::size_t atoms) {
  LayoutLists lists;
  for (std::uint8_t atom = 0; atom < atoms; ++atom) {
    const std::uint64_t code = layout >> (8 * atom) & 0xff;
    const std::uint64_t where = code >> 4;
    if (where == kReplicated) {
      lists.free.push(atom);
    } else if (where == kPartial) {
      lists.partial.push(atom);
    } else {
      AtomList& dim = lists.dims[where - kFirstDim];
      dim.items[code & 0xf] = atom;
      ++dim.size;
    }
  }
  return lists;
}

Layout pack(const LayoutLists& lists, std::size_t rank) {
  Layout layout = 0;
  for (std::uint8_t atom : lists.partial.view()) place(layout, atom, kPartial, 0);
  for (std::size_t dim = 0; dim < std::min(rank, kMaxShardedRank); ++dim) {
    const auto atoms = lists.dims[dim].view();
    for (std::size_t i = 0; i < atoms.size(); ++i) place(layout, atoms[i], kFirstDim + dim, i);
  }
  return layout;
}

}  // namespace autoshard::internal
