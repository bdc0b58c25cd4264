// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Solves one region of a LocalState exactly at prices, raising them where memory breaks.
#pragma once

#include "solver/elimination.hpp"
#include "solver/local_state.hpp"

namespace autoshard::internal {

class RegionSolve {
 public:
  /// `prices`: by compressed time, to start from.
  RegionSolve(LocalState& state, EliminationOrder order, std::vector<double> prices);

  /// Moves the state to a choice of the region that fits and costs no more; otherwise leaves it as
  /// it is. Returns the gain.
  double run();
  std::uint64_t work() const { return work_; }

 private:
  void price_costs();
  void base_costs();
  double apply(const std::vector<std::int32_t>& x);
  void raise_price(std::size_t t, int attempt);

  LocalState& state_;
  const Core& core_;
  Elimination elimination_;
  std::vector<double> prices_, base_, costs_;
  std::uint64_t work_ = 0;
};

}  // namespace autoshard::internal
