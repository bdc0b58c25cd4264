// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/axis_atoms.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

/// The parts of an axis between neighbouring cuts, which are products of what stands before.
Result<std::vector<AxisRef>> cut_axis(const DeviceMesh& mesh, std::int32_t axis,
                                      const std::set<std::int64_t>& cuts) {
  std::vector<AxisRef> parts;
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const std::int64_t next = *std::next(cut);
    if (next % *cut != 0) {
      return invalid("axis \"{}\" is cut in two ways that do not fit each other",
                     mesh.axes()[static_cast<std::size_t>(axis)].name);
    }
    parts.push_back({axis, *cut, next / *cut});
  }
  return parts;
}

}  // namespace

Result<AxisAtoms> AxisAtoms::create(const DeviceMesh& mesh, std::span<const AxisRef> mentioned) {
  AxisAtoms result;
  for (std::int32_t axis = 0; axis < static_cast<std::int32_t>(mesh.axes().size()); ++axis) {
    std::set<std::int64_t> cuts = {1, mesh.axes()[static_cast<std::size_t>(axis)].size};
    for (const AxisRef& part : mentioned) {
      if (part.axis == axis) cuts.insert({part.pre_size, part.pre_size * part.size});
    }
    AUTOSHARD_TRY(std::vector<AxisRef> parts, cut_axis(mesh, axis, cuts));
    result.atoms_.push_back(std::move(parts));
  }
  return result;
}

std::vector<AxisRef> AxisAtoms::refine(const AxisRef& part) const {
  std::vector<AxisRef> inside;
  for (const AxisRef& atom : atoms_[static_cast<std::size_t>(part.axis)]) {
    const bool within =
        part.pre_size <= atom.pre_size && atom.pre_size * atom.size <= part.pre_size * part.size;
    if (within) inside.push_back(atom);
  }
  return inside;
}

std::vector<AxisRef> AxisAtoms::refine(std::span<const AxisRef> parts) const {
  std::vector<AxisRef> all;
  for (const AxisRef& part : parts) {
    const std::vector<AxisRef> inside = refine(part);
    all.insert(all.end(), inside.begin(), inside.end());
  }
  return all;
}

ShardingSpec AxisAtoms::refine(const ShardingSpec& spec) const {
  ShardingSpec refined;
  for (const std::vector<AxisRef>& dim : spec.dims) refined.dims.push_back(refine(dim));
  for (const PartialAxis& partial : spec.partial) {
    for (const AxisRef& atom : refine(partial.axis))
      refined.partial.push_back({atom, partial.kind});
  }
  std::sort(refined.partial.begin(), refined.partial.end());
  return refined;
}

std::vector<std::vector<std::int64_t>> AxisAtoms::groups(const DeviceMesh& mesh,
                                                         std::span<const AxisRef> axes) const {
  const std::vector<AxisRef> inside = refine(axes);
  std::vector<AxisRef> outside;
  for (const std::vector<AxisRef>& atoms : atoms_) {
    std::copy_if(atoms.begin(), atoms.end(), std::back_inserter(outside), [&](const AxisRef& atom) {
      return std::find(inside.begin(), inside.end(), atom) == inside.end();
    });
  }
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> by_place;
  for (std::int64_t device = 0; device < mesh.device_count(); ++device) {
    std::vector<std::int64_t> place;
    for (const AxisRef& atom : outside) place.push_back(coordinate(mesh, device, atom));
    by_place[place].push_back(device);
  }
  std::vector<std::vector<std::int64_t>> result;
  for (auto& [place, members] : by_place) result.push_back(std::move(members));
  return result;
}

std::vector<AxisRef> mentioned_axes(const ShardingSpec& spec) {
  std::vector<AxisRef> axes = partial_axes(spec);
  for (const std::vector<AxisRef>& dim : spec.dims) axes.insert(axes.end(), dim.begin(), dim.end());
  return axes;
}

std::vector<AxisRef> partial_axes(const ShardingSpec& spec) {
  std::vector<AxisRef> axes;
  for (const PartialAxis& partial : spec.partial) axes.push_back(partial.axis);
  return axes;
}

}  // namespace autoshard::internal
