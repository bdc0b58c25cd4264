// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Prices with which a plan's cost can be computed by hand: matrix products at one rate, everything
// else free; a collective takes a start and then what one device sends at one bandwidth.
#pragma once

#include "autoshard/cost_model.hpp"

namespace autoshard::test {

struct SimplePrices {
  double flops_per_second = 2e10;
  double start_seconds = 1e-5;
  double bytes_per_second = 1e10;
  /// An all-to-all sends every piece to every device, as an all-gather would: no plan gains by one.
  bool all_to_all_by_gathering = false;
};

class SimpleCostModel : public CostModel {
 public:
  explicit SimpleCostModel(SimplePrices prices = {}) : prices_(prices) {}

  double operator_seconds(const OperatorWork& work) const override {
    return work.matmul ? work.flops / prices_.flops_per_second : 0;
  }

  double collective_seconds(const Collective& collective) const override {
    return collective_seconds(collective.kind, collective.group_size,
                              static_cast<double>(collective.buffer_bytes));
  }

  double collective_seconds(CollectiveKind kind, std::int64_t group_size, double bytes) const {
    const double n = static_cast<double>(group_size);
    return prices_.start_seconds + sent(kind, n) * bytes / prices_.bytes_per_second;
  }

  const SimplePrices& prices() const { return prices_; }

 private:
  /// What one device sends, as a multiple of the buffer.
  double sent(CollectiveKind kind, double n) const {
    switch (kind) {
      case CollectiveKind::all_reduce:
        return 2 * (n - 1) / n;
      case CollectiveKind::all_gather:
      case CollectiveKind::reduce_scatter:
        return (n - 1) / n;
      case CollectiveKind::all_to_all:
        return prices_.all_to_all_by_gathering ? n - 1 : (n - 1) / n;
      case CollectiveKind::collective_permute:
        return 1;
      case CollectiveKind::slice:
        return 0;
    }
    return 0;
  }

  SimplePrices prices_;
};

}  // namespace autoshard::test
