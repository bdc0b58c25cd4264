// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/axis_atoms.hpp"
#include "execute/collective_step.hpp"

namespace autoshard::internal {
namespace {

using Axes = std::vector<AxisRef>;

/// What a kind of collective does to a spec.
struct Effect {
  bool reduces;
  bool gathers;
  bool splits;
};

Effect effect_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return {true, false, false};
    case CollectiveKind::all_gather:
      return {false, true, false};
    case CollectiveKind::reduce_scatter:
      return {true, false, true};
    case CollectiveKind::all_to_all:
      return {false, true, true};
    case CollectiveKind::collective_permute:
      return {false, false, false};
    case CollectiveKind::slice:
      return {false, false, true};
  }
  return {};
}

Axes sorted(Axes axes) {
  std::sort(axes.begin(), axes.end());
  return axes;
}

Axes joined(const Axes& a, const Axes& b) {
  Axes all = a;
  all.insert(all.end(), b.begin(), b.end());
  return sorted(std::move(all));
}

/// Everything cut into the same atoms.
struct Refined {
  ShardingSpec from;
  ShardingSpec to;
  Axes group;
};

Result<Refined> refine(const CollectiveStep& step) {
  const Axes all =
      joined(joined(mentioned_axes(step.from), mentioned_axes(step.to)), step.collective.axes);
  AUTOSHARD_TRY(const AxisAtoms atoms, AxisAtoms::create(step.mesh, all));
  return Refined{atoms.refine(step.from), atoms.refine(step.to),
                 sorted(atoms.refine(step.collective.axes))};
}

Result<void> check_dim(const Refined& specs, const Effect& effect, const Collective& collective,
                       std::size_t d) {
  const Axes& before = specs.from.dims[d];
  const Axes& after = specs.to.dims[d];
  const bool gathers = effect.gathers && d == static_cast<std::size_t>(collective.gather_dim);
  const bool splits = effect.splits && d == static_cast<std::size_t>(collective.split_dim);
  const bool kept = gathers  ? sorted(before) == joined(after, specs.group)
                    : splits ? joined(before, specs.group) == sorted(after)
                             : before == after;
  if (kept) return {};
  return invalid("dimension {} is not {}", d,
                 gathers  ? "gathered along the axes of the group"
                 : splits ? "split along the axes of the group"
                          : "left as it is");
}

Result<void> check_partial(const Refined& specs, const Effect& effect, ReductionKind reduction) {
  std::vector<PartialAxis> expected = specs.to.partial;
  if (effect.reduces) {
    for (const AxisRef& axis : specs.group) expected.push_back({axis, reduction});
  }
  std::sort(expected.begin(), expected.end());
  if (expected != specs.from.partial) return invalid("the partial axes are not what is reduced");
  const bool mixes =
      !effect.reduces &&
      std::any_of(specs.from.partial.begin(), specs.from.partial.end(),
                  [&](const PartialAxis& partial) {
                    return std::binary_search(specs.group.begin(), specs.group.end(), partial.axis);
                  });
  if (mixes) return invalid("the group mixes partial values");
  return {};
}

Result<void> check_size(const CollectiveStep& step) {
  std::int64_t size = 1;
  for (const AxisRef& axis : step.collective.axes) size *= axis.size;
  if (size == step.collective.group_size) return {};
  return invalid("group_size is {}, but the axes have {} devices", step.collective.group_size,
                 size);
}

}  // namespace

Result<void> check_promise(const CollectiveStep& step) {
  AUTOSHARD_CHECK_OK(check_size(step));
  AUTOSHARD_TRY(const Refined specs, refine(step));
  if (std::adjacent_find(specs.group.begin(), specs.group.end()) != specs.group.end()) {
    return invalid("an axis is named twice");
  }
  const Effect effect = effect_of(step.collective.kind);
  AUTOSHARD_CHECK_OK(check_partial(specs, effect, step.collective.reduction));
  if (step.collective.kind == CollectiveKind::collective_permute) {
    if (shard_shape(step.from, step.type) == shard_shape(step.to, step.type)) return {};
    return invalid("a permute cannot change the shape of the pieces");
  }
  for (std::size_t d = 0; d < specs.from.dims.size(); ++d) {
    AUTOSHARD_CHECK_OK(check_dim(specs, effect, step.collective, d));
  }
  return {};
}

}  // namespace autoshard::internal
