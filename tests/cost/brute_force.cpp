// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/brute_force.hpp"

#include <algorithm>
#include <set>

namespace autoshard::test {
namespace {

using Axes = std::vector<AxisRef>;

/// Calls `visit(chosen, rest)` for every non-empty subset, in order.
template <class Visit>
void for_subsets(const Axes& axes, Visit visit) {
  for (unsigned mask = 1; mask < 1u << axes.size(); ++mask) {
    Axes chosen, rest;
    for (std::size_t i = 0; i < axes.size(); ++i)
      (mask >> i & 1 ? chosen : rest).push_back(axes[i]);
    visit(chosen, rest);
  }
}

class MoveFinder {
 public:
  MoveFinder(const ConversionProblem& problem, const ShardingSpec& from)
      : in_(problem), mesh_(*problem.mesh), from_(from) {}

  std::vector<Move> run() {
    for (std::size_t dim = 0; dim < from_.dims.size(); ++dim) leave_dim(dim);
    for_subsets(unused_axes(), [&](const Axes& chosen, const Axes&) {
      enter_any(CollectiveKind::slice, from_, chosen);
    });
    reduce();
    swap_axes();
    return std::move(found_);
  }

 private:
  Axes unused_axes() const {
    std::set<std::int32_t> used;
    for (const auto& dim : from_.dims) {
      for (const AxisRef& part : dim) used.insert(part.axis);
    }
    for (const PartialAxis& partial : from_.partial) used.insert(partial.axis.axis);
    Axes unused;
    for (std::int32_t axis = 0; axis < static_cast<std::int32_t>(mesh_.axes().size()); ++axis) {
      if (whole_axis(mesh_, axis).size > 1 && !used.contains(axis)) {
        unused.push_back(whole_axis(mesh_, axis));
      }
    }
    return unused;
  }

  /// All-gathers of a dimension, and all-to-alls that split another one instead.
  void leave_dim(std::size_t dim) {
    for_subsets(from_.dims[dim], [&](const Axes& gone, const Axes& kept) {
      ShardingSpec without = from_;
      without.dims[dim] = kept;
      if (!nests(without, from_, dim)) return;
      add(CollectiveKind::all_gather, without, gone);
      for (std::size_t other = 0; other < from_.dims.size(); ++other) {
        if (other != dim) enter(CollectiveKind::all_to_all, without, other, gone);
      }
    });
  }

  void reduce() {
    Axes partial;
    for (const PartialAxis& p : from_.partial) partial.push_back(p.axis);
    for_subsets(partial, [&](const Axes& chosen, const Axes& rest) {
      ShardingSpec whole = from_;
      std::set<ReductionKind> kinds;
      std::erase_if(whole.partial, [&](const PartialAxis& p) {
        const bool reduced = std::find(rest.begin(), rest.end(), p.axis) == rest.end();
        if (reduced) kinds.insert(p.kind);
        return reduced;
      });
      if (kinds.size() > 1) return;
      add(CollectiveKind::all_reduce, whole, chosen);
      if (in_.target->reduce_scatter) enter_any(CollectiveKind::reduce_scatter, whole, chosen);
    });
  }

  void enter_any(CollectiveKind kind, const ShardingSpec& base, const Axes& axes) {
    for (std::size_t dim = 0; dim < base.dims.size(); ++dim) enter(kind, base, dim, axes);
  }

  void enter(CollectiveKind kind, const ShardingSpec& base, std::size_t dim, const Axes& axes) {
    ShardingSpec to = base;
    to.dims[dim].insert(to.dims[dim].end(), axes.begin(), axes.end());
    if (can_split(to, dim) && nests(base, to, dim)) add(kind, to, axes);
  }

  /// Pieces keep their size and change places.
  void swap_axes() {
    for (std::size_t dim = 0; dim < from_.dims.size(); ++dim) {
      for (std::size_t i = 0; i < from_.dims[dim].size(); ++i) {
        const AxisRef here = from_.dims[dim][i];
        if (i + 1 < from_.dims[dim].size()) {
          ShardingSpec to = from_;
          std::swap(to.dims[dim][i], to.dims[dim][i + 1]);
          add(CollectiveKind::collective_permute, to, {here, to.dims[dim][i]});
        }
        for (const AxisRef& unused : unused_axes()) {
          if (unused.size != here.size) continue;
          ShardingSpec to = from_;
          to.dims[dim][i] = unused;
          add(CollectiveKind::collective_permute, to, {here, unused});
        }
      }
    }
  }

  bool can_split(const ShardingSpec& spec, std::size_t dim) const {
    const std::int64_t size = in_.type.shape[dim];
    return size % spec.shards(dim) == 0 ||
           (in_.target->uneven_intermediates && spec.shards(dim) <= size);
  }

  /// Every device's fine rows are among its coarse ones.
  bool nests(const ShardingSpec& coarse, const ShardingSpec& fine, std::size_t dim) const {
    for (std::int64_t device = 0; device < mesh_.device_count(); ++device) {
      const ShardRange outer = shard_range(coarse, in_.type, dim, mesh_, device);
      const ShardRange inner = shard_range(fine, in_.type, dim, mesh_, device);
      const bool inside =
          inner.begin == inner.end || (inner.begin >= outer.begin && inner.end <= outer.end);
      if (!inside) return false;
    }
    return true;
  }

  void add(CollectiveKind kind, const ShardingSpec& to, Axes group) {
    Collective by;
    by.kind = kind;
    std::sort(group.begin(), group.end());
    for (const AxisRef& axis : group) by.group_size *= axis.size;
    by.axes = std::move(group);
    by.buffer_bytes = shard_bytes(kind == CollectiveKind::all_gather ? to : from_, in_.type);
    found_.push_back({std::move(by), to});
  }

  const ConversionProblem& in_;
  const DeviceMesh& mesh_;
  const ShardingSpec& from_;
  std::vector<Move> found_;
};

}  // namespace

std::vector<Move> moves_from(const ConversionProblem& problem, const ShardingSpec& from) {
  return MoveFinder(problem, from).run();
}

std::map<ShardingSpec, double> cheapest_conversions(const ConversionProblem& problem,
                                                    const ShardingSpec& from) {
  std::map<ShardingSpec, double> best{{from, 0.0}};
  std::set<ShardingSpec> changed{from};
  while (!changed.empty()) {
    std::set<ShardingSpec> next;
    for (const ShardingSpec& at : changed) {
      for (const Move& move : moves_from(problem, at)) {
        const double step =
            move.by.kind == CollectiveKind::slice ? 0 : problem.model->collective_seconds(move.by);
        const double seconds = best[at] + step;
        const auto [it, fresh] = best.try_emplace(move.to, seconds);
        if (!fresh && it->second <= seconds) continue;
        it->second = seconds;
        next.insert(move.to);
      }
    }
    changed = std::move(next);
  }
  return best;
}

}  // namespace autoshard::test
