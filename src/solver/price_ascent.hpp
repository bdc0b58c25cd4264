// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Moves the prices of memory uphill: one message pass at the present prices, then a smoothed
// subgradient step (Polyak's length) along the usage of the decoded assignment.
#pragma once

#include <vector>

#include "solver/dual.hpp"

namespace autoshard::internal {

class PriceAscent {
 public:
  PriceAscent(const Core& core, Dual& dual);

  /// One pass and one step towards `target` (an upper bound on the core cost, or a guess). Returns
  /// the estimate of the bound before the step.
  double step(double target);
  const std::vector<std::int32_t>& decoded() const { return decoded_; }
  double best_bound() const { return best_bound_; }
  /// Forgets the record, as costs have changed; `length` in (0, 1] is the first step's length.
  void restart(double length);
  void return_to_best();

 private:
  bool warming(double bound);
  void measure_excess();
  void move_prices(double length);

  const Core& core_;
  Dual& dual_;
  std::vector<std::int32_t> decoded_;
  std::vector<double> excess_, best_prices_;
  double best_bound_;
  double length_ = 0.1;
  int stalled_ = 0;
  int warm_passes_ = 0;
};

}  // namespace autoshard::internal
