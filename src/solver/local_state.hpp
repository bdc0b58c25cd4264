// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// An assignment with everything needed to change it cheaply: what each strategy would cost given
// the neighbours' choices, and the usage at every compressed time.
#pragma once

#include <vector>

#include "solver/core.hpp"

namespace autoshard::internal {

class LocalState {
 public:
  LocalState(const Core& core, std::vector<std::int32_t> x);

  const Core& core() const { return core_; }
  const std::vector<std::int32_t>& assignment() const { return x_; }
  std::int32_t choice(std::size_t v) const { return x_[v]; }
  /// By core.first: node cost plus edges to the present choices of all neighbours.
  const std::vector<double>& conditional() const { return conditional_; }
  const std::vector<std::int64_t>& usage() const { return usage_; }
  std::int64_t room(std::size_t t) const { return core_.capacity[t] - usage_[t]; }

  /// Change of cost when v takes s.
  double change(std::size_t v, std::size_t s) const {
    return conditional_[core_.first[v] + s] -
           conditional_[core_.first[v] + static_cast<std::size_t>(x_[v])];
  }
  void move(std::size_t v, std::int32_t s);

  /// The time with the largest excess over the capacity; capacity.size() when there is none.
  std::size_t worst_time() const;
  bool fits() const { return worst_time() == usage_.size(); }
  /// True when v may take s without passing the capacity anywhere that the move adds usage.
  bool move_fits(std::size_t v, std::size_t s) const;
  /// Change of the total excess, over all times, when v takes s.
  double excess_change(std::size_t v, std::size_t s) const;
  std::uint64_t take_work();  ///< entries touched since the last call

 private:
  const Core& core_;
  std::vector<std::int32_t> x_;
  std::vector<double> conditional_;
  std::vector<std::int64_t> usage_;
  mutable std::uint64_t work_ = 0;
};

/// Lowers the excess greedily, at the worst time first, at least cost for what is freed. True when
/// everything fits.
bool repair(LocalState& state);

/// Takes single moves that lower the cost and fit, until none is left.
void descend(LocalState& state);

}  // namespace autoshard::internal
