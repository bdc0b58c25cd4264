// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Exact variable elimination (bucket elimination) on a region of the core: all nodes of the
// region are chosen together, everything outside stays as it is. A plan is made once and solved as
// often as the node costs change. Memory enters only through prices within those costs.
#pragma once

#include <span>
#include <vector>

#include "solver/elimination_order.hpp"

namespace autoshard::internal {

class Elimination {
 public:
  Elimination(const Core& core, EliminationOrder order);

  std::size_t work() const { return order_.work; }  ///< entries touched by one solve
  /// The nodes that solve() chooses.
  const std::vector<std::int32_t>& free_nodes() const { return order_.nodes; }
  bool is_free(std::int32_t v) const { return position_[static_cast<std::size_t>(v)] >= 0; }

  /// Chooses the free nodes of x. `costs` holds, by core.first, what each strategy of a free node
  /// costs apart from the edges between two free nodes.
  void solve(std::span<const double> costs, std::vector<std::int32_t>& x);
  /// True when the last solve cannot have rounded, given whole costs: all sums below 2^53.
  bool exact() const { return exact_; }

 private:
  /// A table in a bucket; the eliminated node is its innermost dimension.
  struct Factor {
    const double* table = nullptr;
    double largest = 0;
    std::int32_t message_of = -1;  ///< the bucket that sent it, if any
    std::vector<std::size_t>
        steps;              ///< by dimension of the bucket's scope; 0: does not depend on it
    std::size_t depth = 0;  ///< 1 + the innermost dimension it depends on
  };
  struct Bucket {
    std::int32_t node = 0;
    std::size_t width = 0;            ///< strategies of the node
    std::vector<std::int32_t> scope;  ///< outermost first; the innermost is eliminated next
    std::vector<Factor> factors;      ///< by depth
    std::vector<std::size_t> depth_first;
    double* message = nullptr;
    std::size_t message_size = 1;
    double largest = 0;  ///< of the message
  };

  void make_buckets();
  void place_pairs();
  void place_messages();
  void add_factor(Bucket& bucket, const std::vector<std::int32_t>& scope, Factor factor);
  static void sort_factors(Bucket& bucket);
  void fill(Bucket& bucket, std::span<const double> costs);
  void fill_level(const Bucket& bucket, std::size_t level, const double* above);
  void fill_innermost(const Bucket& bucket, const double* above);
  void advance(const Bucket& bucket, std::size_t level);
  void rewind(const Bucket& bucket, std::size_t level);
  void normalise(Bucket& bucket, double bound);
  void decide(const Bucket& bucket, std::span<const double> costs, std::vector<std::int32_t>& x);
  std::size_t width(std::int32_t v) const { return core_.strategies(static_cast<std::size_t>(v)); }

  const Core& core_;
  EliminationOrder order_;
  std::vector<std::int32_t> position_;  ///< in the order, or -1
  std::vector<Bucket> buckets_;
  std::vector<double> messages_;
  std::vector<double> sums_;            ///< while filling: one row per level
  std::vector<const double*> cursors_;  ///< while filling: one per factor
  double* out_ = nullptr;
  bool exact_ = true;
};

}  // namespace autoshard::internal
