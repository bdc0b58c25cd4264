// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/resharding.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "cost/moves.hpp"

namespace autoshard::internal {
namespace {

/// The atoms of which a part of an axis consists, major to minor.
std::vector<std::uint8_t> atoms_of(const AxisRef& part, std::span<const AxisRef> atoms) {
  std::vector<std::uint8_t> found;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const AxisRef& atom = atoms[i];
    const bool inside = atom.axis == part.axis && atom.pre_size >= part.pre_size &&
                        atom.pre_size * atom.size <= part.pre_size * part.size;
    if (inside) found.push_back(static_cast<std::uint8_t>(i));
  }
  std::sort(found.begin(), found.end(),
            [&](auto a, auto b) { return atoms[a].pre_size < atoms[b].pre_size; });
  return found;
}

/// Appends a part, joining it with the last one where they are neighbours on one axis.
void append_joined(std::vector<AxisRef>& parts, const AxisRef& next) {
  if (!parts.empty()) {
    AxisRef& last = parts.back();
    if (last.axis == next.axis && last.pre_size * last.size == next.pre_size) {
      last.size *= next.size;
      return;
    }
  }
  parts.push_back(next);
}

}  // namespace

std::vector<AxisRef> whole_axes(const DeviceMesh& mesh) {
  std::vector<AxisRef> atoms;
  for (std::size_t i = 0; i < mesh.axes().size(); ++i) {
    if (mesh.axes()[i].size > 1) atoms.push_back(whole_axis(mesh, static_cast<std::int32_t>(i)));
  }
  return atoms;
}

std::vector<AxisRef> common_atoms(const DeviceMesh& mesh, const ShardingSpec& a,
                                  const ShardingSpec& b) {
  std::vector<std::set<std::int64_t>> cuts(mesh.axes().size());
  const auto cut = [&](const AxisRef& part) {
    auto& axis = cuts[static_cast<std::size_t>(part.axis)];
    axis.insert(part.pre_size);
    axis.insert(part.pre_size * part.size);
  };
  for (const ShardingSpec* spec : {&a, &b}) {
    for (const auto& dim : spec->dims) std::for_each(dim.begin(), dim.end(), cut);
    for (const PartialAxis& partial : spec->partial) cut(partial.axis);
  }
  std::vector<AxisRef> atoms;
  for (std::size_t axis = 0; axis < cuts.size(); ++axis) {
    cuts[axis].insert({1, mesh.axes()[axis].size});
    for (auto it = cuts[axis].begin(); std::next(it) != cuts[axis].end(); ++it) {
      atoms.push_back({static_cast<std::int32_t>(axis), *it, *std::next(it) / *it});
    }
  }
  return atoms;
}

bool ReshardingSearch::Entry::operator>(const Entry& other) const {
  return std::tie(seconds, steps, layout) > std::tie(other.seconds, other.steps, other.layout);
}

ReshardingSearch::ReshardingSearch(const ReshardingContext& context, TensorType type,
                                   const ShardingSpec& from)
    : context_(&context),
      type_(std::move(type)),
      partial_kinds_(context.atoms.size(), ReductionKind::sum) {
  for (const PartialAxis& partial : from.partial) {
    for (std::uint8_t atom : atoms_of(partial.axis, context.atoms)) {
      partial_kinds_[atom] = partial.kind;
    }
  }
  const Layout start = encode(from);
  visits_[start] = {};
  frontier_.push({0, 0, start});
}

Layout ReshardingSearch::encode(const ShardingSpec& spec) const {
  LayoutLists lists;
  for (const PartialAxis& partial : spec.partial) {
    for (std::uint8_t atom : atoms_of(partial.axis, context_->atoms)) lists.partial.push(atom);
  }
  for (std::size_t dim = 0; dim < std::min(spec.dims.size(), kMaxShardedRank); ++dim) {
    for (const AxisRef& part : spec.dims[dim]) {
      for (std::uint8_t atom : atoms_of(part, context_->atoms)) lists.dims[dim].push(atom);
    }
  }
  return pack(lists, spec.dims.size());
}

ShardingSpec ReshardingSearch::decode(Layout layout) const {
  const LayoutLists lists = unpack(layout, context_->atoms.size());
  ShardingSpec spec = ShardingSpec::replicated(type_.rank());
  for (std::size_t dim = 0; dim < std::min(spec.dims.size(), kMaxShardedRank); ++dim) {
    for (std::uint8_t atom : lists.dims[dim].view()) {
      append_joined(spec.dims[dim], context_->atoms[atom]);
    }
  }
  for (std::uint8_t atom : lists.partial.view()) {
    spec.partial.push_back({context_->atoms[atom], partial_kinds_[atom]});
  }
  return spec;
}

void ReshardingSearch::relax(Layout from, Layout to, Collective by) {
  const Visit& source = visits_[from];
  const bool free = by.kind == CollectiveKind::slice;
  const double seconds = source.seconds + (free ? 0 : context_->model->collective_seconds(by));
  const std::int32_t steps = source.steps + 1;
  const auto [it, fresh] = visits_.try_emplace(to);
  Visit& visit = it->second;
  if (!fresh &&
      (visit.settled || std::tie(visit.seconds, visit.steps) <= std::tie(seconds, steps))) {
    return;
  }
  visit = {seconds, steps, from, std::move(by), false};
  frontier_.push({seconds, steps, to});
}

bool ReshardingSearch::settle(Layout goal) {
  if (const auto it = visits_.find(goal); it != visits_.end() && it->second.settled) return true;
  const MoveGenerator moves(*context_, type_, partial_kinds_);
  while (!frontier_.empty()) {
    const Layout at = frontier_.top().layout;
    frontier_.pop();
    if (visits_[at].settled) continue;
    visits_[at].settled = true;
    moves.for_each(at, [&](Layout to, Collective by) { relax(at, to, std::move(by)); });
    if (at == goal) return true;
  }
  return false;
}

/// A layout says where values are partial, not of which kind; no step changes the kind.
bool ReshardingSearch::kinds_agree(const ShardingSpec& to) const {
  return std::all_of(to.partial.begin(), to.partial.end(), [&](const PartialAxis& partial) {
    const auto atoms = atoms_of(partial.axis, context_->atoms);
    return std::all_of(atoms.begin(), atoms.end(),
                       [&](std::uint8_t atom) { return partial_kinds_[atom] == partial.kind; });
  });
}

std::optional<double> ReshardingSearch::seconds(const ShardingSpec& to) {
  const Layout goal = encode(to);
  if (!kinds_agree(to) || !settle(goal)) return std::nullopt;
  return visits_[goal].seconds;
}

std::optional<ReshardingPath> ReshardingSearch::path(const ShardingSpec& to) {
  const Layout goal = encode(to);
  if (!kinds_agree(to) || !settle(goal)) return std::nullopt;
  ReshardingPath path;
  path.seconds = visits_[goal].seconds;
  for (Layout at = goal; visits_[at].steps > 0; at = visits_[at].previous) {
    path.steps.push_back(visits_[at].by);
    path.specs.push_back(decode(at));
  }
  std::reverse(path.steps.begin(), path.steps.end());
  std::reverse(path.specs.begin(), path.specs.end());
  return path;
}

std::optional<ReshardingPath> find_resharding(ReshardingContext context, const TensorType& type,
                                              const ShardingSpec& from, const ShardingSpec& to) {
  context.atoms = common_atoms(*context.mesh, from, to);
  if (context.atoms.size() > kMaxAtoms) return std::nullopt;
  return ReshardingSearch(context, type, from).path(to);
}

}  // namespace autoshard::internal
