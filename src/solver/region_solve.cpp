// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/region_solve.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

constexpr int kMaxAttempts = 8;

}  // namespace

RegionSolve::RegionSolve(LocalState& state, EliminationOrder order, std::vector<double> prices)
    : state_(state),
      core_(state.core()),
      elimination_(core_, std::move(order)),
      prices_(std::move(prices)),
      base_(core_.unary.size()),
      costs_(core_.unary.size()) {
  base_costs();
}

/// Conditional costs without the edges inside the region.
void RegionSolve::base_costs() {
  for (const std::int32_t node : elimination_.free_nodes()) {
    const auto v = static_cast<std::size_t>(node);
    const std::size_t first = core_.first[v], count = core_.strategies(v);
    std::copy_n(state_.conditional().data() + first, count, base_.data() + first);
    for (const Link& link : core_.links(v)) {
      if (!elimination_.is_free(link.neighbour)) continue;
      const CoreEdge& edge = core_.edges[static_cast<std::size_t>(link.edge)];
      const double* table = edge.from == node ? edge.by_to : edge.by_from;
      const double* row =
          table +
          static_cast<std::size_t>(state_.choice(static_cast<std::size_t>(link.neighbour))) * count;
      for (std::size_t s = 0; s < count; ++s) base_[first + s] -= row[s];
    }
  }
}

void RegionSolve::price_costs() {
  std::vector<double> sums(prices_.size() + 1, 0);
  for (std::size_t t = 0; t < prices_.size(); ++t) sums[t + 1] = sums[t] + prices_[t];
  work_ += prices_.size();
  for (const std::int32_t node : elimination_.free_nodes()) {
    const auto v = static_cast<std::size_t>(node);
    const std::size_t first = core_.first[v], count = core_.strategies(v);
    std::copy_n(base_.data() + first, count, costs_.data() + first);
    for (const CorePiece& piece : core_.pieces(v)) {
      const double price =
          sums[static_cast<std::size_t>(piece.end)] - sums[static_cast<std::size_t>(piece.begin)];
      if (price <= 0) continue;
      for (std::size_t s = 0; s < count; ++s)
        costs_[first + s] += price * static_cast<double>(piece.usage[s]);
    }
  }
}

double RegionSolve::apply(const std::vector<std::int32_t>& x) {
  double change = 0;
  for (const std::int32_t node : elimination_.free_nodes()) {
    const auto v = static_cast<std::size_t>(node);
    change += state_.change(v, static_cast<std::size_t>(x[v]));
    state_.move(v, x[v]);
  }
  return change;
}

/// Doubles the price, starting from what the region pays for usage at that time on average.
void RegionSolve::raise_price(std::size_t t, int attempt) {
  double cost_range = 0, usage_range = 1;
  for (const std::int32_t node : elimination_.free_nodes()) {
    const auto v = static_cast<std::size_t>(node);
    for (const CorePiece& piece : core_.pieces(v)) {
      if (t < static_cast<std::size_t>(piece.begin) || t >= static_cast<std::size_t>(piece.end))
        continue;
      const auto first = base_.begin() + static_cast<std::ptrdiff_t>(core_.first[v]);
      const auto [least, most] = std::minmax_element(first, first + core_.sizes[v]);
      cost_range += std::min(*most - *least, core_.forbidden / 4);
      usage_range +=
          static_cast<double>(*std::max_element(piece.usage, piece.usage + core_.sizes[v]));
    }
  }
  const double unit = (cost_range + 1) / usage_range;
  prices_[t] = std::max(1.5 * prices_[t],
                        prices_[t] + 0.02 * unit * static_cast<double>(1 << (2 * attempt)));
}

double RegionSolve::run() {
  std::vector<std::int32_t> x = state_.assignment();
  const std::vector<std::int32_t> before = x;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    price_costs();
    elimination_.solve(costs_, x);
    work_ += elimination_.work();
    const double change = apply(x);
    const std::size_t worst = state_.worst_time();
    if (worst == core_.capacity.size() && change <= 0) return -change;
    apply(before);
    if (worst == core_.capacity.size()) return 0;
    raise_price(worst, attempt);
  }
  return 0;
}

}  // namespace autoshard::internal
