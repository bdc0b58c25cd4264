// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The cheapest sequence of collectives that turns a tensor in one spec into another: Dijkstra over
// the specs that are one collective apart. Steps: gather the minor axes of a dimension, move them
// to another dimension, reduce partial axes, reduce them onto a dimension, keep a slice, permute.
// It never makes a partial value out of a whole one.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "autoshard/collective.hpp"
#include "autoshard/cost_model.hpp"
#include "autoshard/target.hpp"

namespace autoshard::internal {

/// What is the same for every conversion on one mesh.
struct ReshardingContext {
  const DeviceMesh* mesh = nullptr;
  const Target* target = nullptr;
  const CostModel* model = nullptr;
  /// The indivisible pieces of axes that specs are made of, at most kMaxAtoms.
  std::vector<AxisRef> atoms;
};

inline constexpr std::size_t kMaxAtoms = 8;
inline constexpr std::size_t kMaxShardedRank = 13;

/// Whole axes of size > 1.
std::vector<AxisRef> whole_axes(const DeviceMesh& mesh);
/// The coarsest pieces of which every axis part in both specs is a product.
std::vector<AxisRef> common_atoms(const DeviceMesh& mesh, const ShardingSpec& a,
                                  const ShardingSpec& b);

/// Where each atom is: 8 bits an atom, its place (0 replicated, 1 partial, 2 + dimension) and its
/// rank within the dimension's list.
using Layout = std::uint64_t;

/// Paths from one spec to any other; extends the search only as far as the questions need.
class ReshardingSearch {
 public:
  ReshardingSearch(const ReshardingContext& context, TensorType type, const ShardingSpec& from);

  /// Absent when the spec cannot be reached (it is partial where `from` is not, or of
  /// another kind).
  std::optional<double> seconds(const ShardingSpec& to);
  std::optional<ReshardingPath> path(const ShardingSpec& to);

 private:
  friend class MoveGenerator;
  struct Visit {
    double seconds = 0;
    std::int32_t steps = 0;
    Layout previous = 0;
    Collective by;
    bool settled = false;
  };
  struct Entry {
    double seconds;
    std::int32_t steps;
    Layout layout;
    bool operator>(const Entry& other) const;
  };

  Layout encode(const ShardingSpec& spec) const;
  ShardingSpec decode(Layout layout) const;
  bool kinds_agree(const ShardingSpec& to) const;
  bool settle(Layout goal);
  void relax(Layout from, Layout to, Collective by);

  const ReshardingContext* context_;
  TensorType type_;
  std::vector<ReductionKind> partial_kinds_;  ///< per atom, as in the first spec
  std::unordered_map<Layout, Visit> visits_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> frontier_;
};

/// One conversion between arbitrary specs.
std::optional<ReshardingPath> find_resharding(ReshardingContext context, const TensorType& type,
                                              const ShardingSpec& from, const ShardingSpec& to);

}  // namespace autoshard::internal
