// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dual side: sequential tree-reweighted message passing (Kolmogorov, "Convergent
// tree-reweighted message passing for energy minimization", 2006) on edge costs, and a price per
// compressed time on memory. Its bounds are estimates in floating point; `certify` turns the
// state into a proven one. Any state is valid, so callers may change costs and prices at will.
#pragma once

#include <vector>

#include "solver/core.hpp"

namespace autoshard::internal {

class Dual {
 public:
  explicit Dual(const Core& core);

  /// One forward and one backward pass; returns the bound at the present prices (an estimate).
  double pass();
  /// Assigns node by node, each by its messages from later nodes and the choices before it.
  void decode(std::vector<std::int32_t>& x) const;

  const std::vector<double>& prices() const { return prices_; }
  void set_prices(std::vector<double> prices);
  /// Costs of the strategies as the core has them, plus penalties that a search sets.
  std::vector<double>& penalties() { return penalties_; }
  const std::vector<double>& penalties() const { return penalties_; }
  /// To be called after penalties or prices changed.
  void refresh_costs();
  const std::vector<double>& priced_costs() const { return theta_; }

  /// Table entries that one pass() touches.
  std::size_t work() const {
    return 2 * core_.entries() + 4 * core_.unary.size() + 2 * core_.usages() +
           4 * core_.capacity.size();
  }

  // For the certificate. Messages into `to_node` over edge e, one entry per strategy.
  const double* message(std::size_t e, std::int32_t to_node) const;
  /// How much of a node's belief each edge to an earlier node receives: 1 / share.
  std::int64_t share(std::size_t v) const { return shares_[v]; }
  std::int64_t earlier(std::size_t v) const { return earlier_[v]; }

 private:
  double* message(std::size_t e, std::int32_t to_node);
  void gather_belief(std::size_t v);
  double send(std::size_t v, const Link& link);
  void forward();
  double backward();

  const Core& core_;
  std::vector<double> prices_, penalties_, theta_;
  std::vector<std::size_t> message_first_;  ///< per edge: messages into `from`, then into `to`
  std::vector<double> messages_;
  std::vector<std::int64_t> shares_, earlier_;
  std::vector<double> belief_, row_, out_;
};

}  // namespace autoshard::internal
