// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/moves.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

/// The buffer of one group in the nccl-tests convention.
std::int64_t buffer_bytes(CollectiveKind kind, std::int64_t before, std::int64_t after) {
  return kind == CollectiveKind::all_gather ? after : before;
}

void drop_last(AtomList& list, std::size_t count) { list.size -= static_cast<std::uint8_t>(count); }

AtomList without(const AtomList& list, std::span<const std::uint8_t> atoms) {
  AtomList rest;
  for (std::uint8_t atom : list.view()) {
    if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end()) rest.push(atom);
  }
  return rest;
}

AtomList subset(const AtomList& list, unsigned mask) {
  AtomList chosen;
  for (std::uint8_t i = 0; i < list.size; ++i) {
    if (mask >> i & 1) chosen.push(list.items[i]);
  }
  return chosen;
}

std::int32_t changed_dim(const LayoutLists& from, const LayoutLists& to, std::size_t rank,
                         bool grew) {
  for (std::size_t dim = 0; dim < std::min(rank, kMaxShardedRank); ++dim) {
    const bool differs =
        grew ? to.dims[dim].size > from.dims[dim].size : to.dims[dim].size < from.dims[dim].size;
    if (differs) return static_cast<std::int32_t>(dim);
  }
  return 0;
}

}  // namespace

bool MoveGenerator::append(LayoutLists& lists, std::size_t dim,
                           std::span<const std::uint8_t> atoms) const {
  AtomList& list = lists.dims[dim];
  const std::size_t kept = list.size;
  for (std::uint8_t atom : atoms) list.push(atom);
  return sizes_.allowed(dim, list.view()) && sizes_.nests(dim, list.view(), kept);
}

void MoveGenerator::emit(CollectiveKind kind, const LayoutLists& from, const LayoutLists& to,
                         std::span<const std::uint8_t> group, const Visitor& visit) const {
  Collective collective;
  collective.kind = kind;
  for (std::uint8_t atom : group) collective.axes.push_back(context_.atoms[atom]);
  std::sort(collective.axes.begin(), collective.axes.end());
  const bool reduces = kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
  if (reduces) collective.reduction = partial_kinds_[group[0]];
  collective.group_size = sizes_.product(group);
  collective.split_dim = changed_dim(from, to, sizes_.rank(), true);
  collective.gather_dim = changed_dim(from, to, sizes_.rank(), false);
  collective.buffer_bytes = buffer_bytes(kind, sizes_.shard_bytes(from), sizes_.shard_bytes(to));
  visit(pack(to, sizes_.rank()), std::move(collective));
}

void MoveGenerator::for_each(Layout layout, const Visitor& visit) const {
  const LayoutLists from = unpack(layout, context_.atoms.size());
  gather(from, visit);
  exchange(from, visit);
  reduce(from, visit);
  slice(from, visit);
  permute(from, visit);
}

void MoveGenerator::gather(const LayoutLists& from, const Visitor& visit) const {
  for (std::size_t dim = 0; dim < std::min(sizes_.rank(), kMaxShardedRank); ++dim) {
    const AtomList& list = from.dims[dim];
    for (std::size_t kept = 0; kept < list.size; ++kept) {
      if (!sizes_.nests(dim, list.view(), kept)) continue;
      LayoutLists to = from;
      drop_last(to.dims[dim], list.size - kept);
      emit(CollectiveKind::all_gather, from, to, list.view().subspan(kept), visit);
    }
  }
}

void MoveGenerator::exchange(const LayoutLists& from, const Visitor& visit) const {
  const std::size_t rank = std::min(sizes_.rank(), kMaxShardedRank);
  for (std::size_t dim = 0; dim < rank; ++dim) {
    const AtomList& list = from.dims[dim];
    for (std::size_t kept = 0; kept < list.size; ++kept) {
      if (!sizes_.nests(dim, list.view(), kept)) continue;
      const auto moved = list.view().subspan(kept);
      for (std::size_t other = 0; other < rank; ++other) {
        LayoutLists to = from;
        drop_last(to.dims[dim], moved.size());
        if (other == dim || !append(to, other, moved)) continue;
        emit(CollectiveKind::all_to_all, from, to, moved, visit);
      }
    }
  }
}

/// An engine that holds no partial value reduces over all partial axes at once.
void MoveGenerator::reduce(const LayoutLists& from, const Visitor& visit) const {
  const unsigned all = (1u << from.partial.size) - 1;
  const unsigned fewest = context_.target->partial_between_operators ? 1 : std::max(all, 1u);
  for (unsigned mask = fewest; mask <= all; ++mask) {
    const AtomList group = subset(from.partial, mask);
    const bool one_kind = std::all_of(
        group.view().begin(), group.view().end(),
        [&](std::uint8_t a) { return partial_kinds_[a] == partial_kinds_[group.items[0]]; });
    if (!one_kind) continue;
    LayoutLists whole = from;
    whole.partial = without(from.partial, group.view());
    LayoutLists reduced = whole;
    for (std::uint8_t atom : group.view()) reduced.free.push(atom);
    emit(CollectiveKind::all_reduce, from, reduced, group.view(), visit);
    if (!context_.target->reduce_scatter) continue;
    for (std::size_t dim = 0; dim < std::min(sizes_.rank(), kMaxShardedRank); ++dim) {
      LayoutLists to = whole;
      if (append(to, dim, group.view())) {
        emit(CollectiveKind::reduce_scatter, from, to, group.view(), visit);
      }
    }
  }
}

void MoveGenerator::slice(const LayoutLists& from, const Visitor& visit) const {
  for (unsigned mask = 1; mask < 1u << from.free.size; ++mask) {
    const AtomList group = subset(from.free, mask);
    for (std::size_t dim = 0; dim < std::min(sizes_.rank(), kMaxShardedRank); ++dim) {
      LayoutLists to = from;
      to.free = without(from.free, group.view());
      if (append(to, dim, group.view())) {
        emit(CollectiveKind::slice, from, to, group.view(), visit);
      }
    }
  }
}

/// Pieces stay as large as they are and change places: two atoms of one size are swapped, or two
/// neighbours in the list of one dimension.
void MoveGenerator::permute(const LayoutLists& from, const Visitor& visit) const {
  const auto size_of = [&](std::uint8_t atom) { return context_.atoms[atom].size; };
  for (std::size_t dim = 0; dim < std::min(sizes_.rank(), kMaxShardedRank); ++dim) {
    const AtomList& list = from.dims[dim];
    for (std::uint8_t i = 0; i < list.size; ++i) {
      if (i + 1 < list.size) {
        LayoutLists to = from;
        std::swap(to.dims[dim].items[i], to.dims[dim].items[i + 1]);
        emit(CollectiveKind::collective_permute, from, to, list.view().subspan(i, 2), visit);
      }
      for (std::uint8_t f = 0; f < from.free.size; ++f) {
        const std::array<std::uint8_t, 2> pair = {list.items[i], from.free.items[f]};
        if (size_of(pair[0]) != size_of(pair[1])) continue;
        LayoutLists to = from;
        std::swap(to.dims[dim].items[i], to.free.items[f]);
        emit(CollectiveKind::collective_permute, from, to, pair, visit);
      }
    }
  }
}

}  // namespace autoshard::internal
