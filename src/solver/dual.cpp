// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/dual.hpp"

#include <algorithm>
#include <limits>

#include "solver/kernels.hpp"

namespace autoshard::internal {

Dual::Dual(const Core& core)
    : core_(core),
      prices_(core.capacity.size(), 0),
      penalties_(core.unary.size(), 0),
      shares_(core.size(), 1),
      earlier_(core.size(), 0) {
  std::size_t total = 0;
  for (const CoreEdge& edge : core.edges) {
    message_first_.push_back(total);
    total += core.strategies(static_cast<std::size_t>(edge.from)) +
             core.strategies(static_cast<std::size_t>(edge.to));
  }
  messages_.assign(total, 0);
  std::size_t widest = 0;
  for (std::size_t v = 0; v < core.size(); ++v) {
    for (const Link& link : core.links(v))
      earlier_[v] += static_cast<std::size_t>(link.neighbour) < v ? 1 : 0;
    const auto later = static_cast<std::int64_t>(core.links(v).size()) - earlier_[v];
    shares_[v] = std::max<std::int64_t>({1, later, earlier_[v]});
    widest = std::max(widest, core.strategies(v));
  }
  belief_.resize(widest);
  row_.resize(widest);
  out_.resize(widest);
  refresh_costs();
}

void Dual::set_prices(std::vector<double> prices) {
  prices_ = std::move(prices);
  refresh_costs();
}

void Dual::refresh_costs() {
  theta_ = core_.unary;
  add_to(theta_.data(), penalties_.data(), theta_.size());
  std::vector<double> sums(prices_.size() + 1, 0);
  for (std::size_t t = 0; t < prices_.size(); ++t) sums[t + 1] = sums[t] + prices_[t];
  for (std::size_t v = 0; v < core_.size(); ++v) {
    double* theta = theta_.data() + core_.first[v];
    for (const CorePiece& piece : core_.pieces(v)) {
      const double price =
          sums[static_cast<std::size_t>(piece.end)] - sums[static_cast<std::size_t>(piece.begin)];
      if (price <= 0) continue;
      for (std::size_t s = 0; s < core_.strategies(v); ++s)
        theta[s] += price * static_cast<double>(piece.usage[s]);
    }
  }
}

const double* Dual::message(std::size_t e, std::int32_t to_node) const {
  const CoreEdge& edge = core_.edges[e];
  const std::size_t skip =
      edge.from == to_node ? 0 : core_.strategies(static_cast<std::size_t>(edge.from));
  return messages_.data() + message_first_[e] + skip;
}

double* Dual::message(std::size_t e, std::int32_t to_node) {
  return const_cast<double*>(static_cast<const Dual*>(this)->message(e, to_node));
}

void Dual::gather_belief(std::size_t v) {
  const std::size_t count = core_.strategies(v);
  std::copy_n(theta_.data() + core_.first[v], count, belief_.data());
  for (const Link& link : core_.links(v)) {
    add_to(belief_.data(),
           message(static_cast<std::size_t>(link.edge), static_cast<std::int32_t>(v)), count);
  }
}

/// Sends the message v -> link.neighbour (2006, equation 12); returns its constant.
double Dual::send(std::size_t v, const Link& link) {
  const std::size_t count = core_.strategies(v),
                    columns = core_.strategies(static_cast<std::size_t>(link.neighbour));
  const double* back = message(static_cast<std::size_t>(link.edge), static_cast<std::int32_t>(v));
  const double share = 1.0 / static_cast<double>(shares_[v]);
  for (std::size_t s = 0; s < count; ++s) row_[s] = share * belief_[s] - back[s];
  std::fill_n(out_.begin(), columns, std::numeric_limits<double>::infinity());
  for (std::size_t s = 0; s < count; ++s)
    min_with_shifted(out_.data(), link.table + s * columns, row_[s], columns);
  const double least = min_of(out_.data(), columns);
  double* into = message(static_cast<std::size_t>(link.edge), link.neighbour);
  for (std::size_t j = 0; j < columns; ++j) into[j] = out_[j] - least;
  return least;
}

void Dual::forward() {
  for (std::size_t v = 0; v < core_.size(); ++v) {
    gather_belief(v);
    for (const Link& link : core_.links(v)) {
      if (static_cast<std::size_t>(link.neighbour) > v) send(v, link);
    }
  }
}

double Dual::backward() {
  double bound = 0;
  for (std::size_t v = core_.size(); v-- > 0;) {
    gather_belief(v);
    const double kept = 1 - static_cast<double>(earlier_[v]) / static_cast<double>(shares_[v]);
    bound += kept * min_of(belief_.data(), core_.strategies(v));
    for (const Link& link : core_.links(v)) {
      if (static_cast<std::size_t>(link.neighbour) < v) bound += send(v, link);
    }
  }
  return bound;
}

double Dual::pass() {
  forward();
  double bound = backward();
  for (std::size_t t = 0; t < prices_.size(); ++t)
    bound -= prices_[t] * static_cast<double>(core_.capacity[t]);
  return bound;
}

void Dual::decode(std::vector<std::int32_t>& x) const {
  x.assign(core_.size(), 0);
  std::vector<double> scores;
  for (std::size_t v = 0; v < core_.size(); ++v) {
    const std::size_t count = core_.strategies(v);
    scores.assign(theta_.begin() + static_cast<std::ptrdiff_t>(core_.first[v]),
                  theta_.begin() + static_cast<std::ptrdiff_t>(core_.first[v] + count));
    for (const Link& link : core_.links(v)) {
      const auto e = static_cast<std::size_t>(link.edge),
                 u = static_cast<std::size_t>(link.neighbour);
      if (u > v) {
        add_to(scores.data(), message(e, static_cast<std::int32_t>(v)), count);
      } else {
        const CoreEdge& edge = core_.edges[e];
        const double* table = edge.from == link.neighbour ? edge.by_from : edge.by_to;
        add_to(scores.data(), table + static_cast<std::size_t>(x[u]) * count, count);
      }
    }
    x[v] = static_cast<std::int32_t>(argmin_of(scores.data(), count));
  }
}

}  // namespace autoshard::internal
