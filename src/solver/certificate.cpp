// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/certificate.hpp"

#include <algorithm>
#include <cmath>

namespace autoshard::internal {
namespace {

constexpr int kMaxScaleBits = 20;
constexpr std::int64_t kSaturated = std::int64_t{1} << 61;

Int128 floor_shift(Int128 value, int bits) { return value >> bits; }  // arithmetic: rounds down
Int128 ceil_divide(Int128 value, std::int64_t by) {
  return value >= 0 ? (value + by - 1) / by : -(-value / by);
}
std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  const std::int64_t quotient = value / by;
  return value % by < 0 ? quotient - 1 : quotient;
}

class Certifier {
 public:
  Certifier(const Core& core, const Dual& dual) : core_(core), dual_(dual) {
    // One term may reach `ceiling_`; all terms that meet in one number together stay below 2^60.
    ceiling_ = (std::int64_t{1} << 60) /
               static_cast<std::int64_t>(4 * (core.size() + 2 * core.edges.size() + 1));
    const double largest = std::max(1.0, core.forbidden);
    while (bits_ < kMaxScaleBits &&
           largest * static_cast<double>(std::int64_t{2} << bits_) <= static_cast<double>(ceiling_))
      ++bits_;
    scale_ = std::int64_t{1} << bits_;
  }

  Certificate run() {
    round_prices();
    round_costs();
    round_messages();
    certificate_.scale = scale_;
    certificate_.reduced.assign(core_.unary.size(), 0);
    for (std::size_t v = 0; v < core_.size(); ++v) count_node(v);
    for (std::size_t e = 0; e < core_.edges.size(); ++e) count_edge(e);
    certificate_.scaled_bound -= capacity_cost_;
    certificate_.bound = ceil_divide(certificate_.scaled_bound, scale_);
    return std::move(certificate_);
  }

 private:
  std::int64_t rounded(double value) const {
    const double scaled = value * static_cast<double>(scale_),
                 ceiling = static_cast<double>(ceiling_);
    return std::isnan(scaled)
               ? 0
               : static_cast<std::int64_t>(std::llround(std::clamp(scaled, -ceiling, ceiling)));
  }

  // Prices need more digits than costs: usage may be counted in bytes.
  void round_prices() {
    const std::vector<double>& prices = dual_.prices();
    double largest = 1e-30;
    for (const double price : prices) largest = std::max(largest, price);
    const double room = std::ldexp(1.0, 58) / (largest * static_cast<double>(scale_) *
                                               static_cast<double>(prices.size() + 1));
    price_bits_ = std::clamp(static_cast<int>(std::floor(std::log2(room))), 0, 44);
    price_sums_.assign(prices.size() + 1, 0);
    Int128 capacity_cost = 0;
    for (std::size_t t = 0; t < prices.size(); ++t) {
      const double scaled = std::ldexp(prices[t] * static_cast<double>(scale_), price_bits_);
      const std::int64_t price =
          scaled > 0 ? static_cast<std::int64_t>(std::min(scaled, std::ldexp(1.0, 58))) : 0;
      price_sums_[t + 1] = price_sums_[t] + price;
      capacity_cost += Int128{price} * core_.capacity[t];
    }
    capacity_cost_ = -floor_shift(-capacity_cost, price_bits_);
  }

  void round_costs() {
    beliefs_.resize(core_.unary.size());
    for (std::size_t v = 0; v < core_.size(); ++v) {
      for (std::size_t s = 0; s < core_.strategies(v); ++s)
        beliefs_[core_.first[v] + s] = rounded_cost(v, s);
    }
  }

  std::int64_t rounded_cost(std::size_t v, std::size_t s) const {
    const std::size_t i = core_.first[v] + s;
    Int128 priced = 0;
    for (const CorePiece& piece : core_.pieces(v)) {
      const Int128 price = price_sums_[static_cast<std::size_t>(piece.end)] -
                           price_sums_[static_cast<std::size_t>(piece.begin)];
      priced += price * piece.usage[s];
    }
    // Lowering a cost is always sound, so what is too large is cut.
    const Int128 paid = Int128{static_cast<std::int64_t>(core_.unary[i])} * scale_ +
                        floor_shift(priced, price_bits_);
    return static_cast<std::int64_t>(
        std::min<Int128>(paid + rounded(dual_.penalties()[i]), ceiling_));
  }

  void round_messages() {
    first_.resize(2 * core_.edges.size());
    for (std::size_t e = 0; e < core_.edges.size(); ++e) {
      round_message(e, core_.edges[e].from, first_[2 * e]);
      round_message(e, core_.edges[e].to, first_[2 * e + 1]);
    }
  }

  void round_message(std::size_t e, std::int32_t to_node, std::size_t& first) {
    const auto v = static_cast<std::size_t>(to_node);
    const double* message = dual_.message(e, to_node);
    first = messages_.size();
    for (std::size_t s = 0; s < core_.strategies(v); ++s) {
      messages_.push_back(rounded(message[s]));
      beliefs_[core_.first[v] + s] += messages_.back();
    }
  }

  /// What a node keeps after giving a share of its belief to each edge to an earlier node.
  void count_node(std::size_t v) {
    std::int64_t least = INT64_MAX;
    for (std::size_t i = core_.first[v]; i < core_.first[v + 1]; ++i)
      least = std::min(least, kept(v, i));
    for (std::size_t i = core_.first[v]; i < core_.first[v + 1]; ++i)
      add_reduced(i, kept(v, i) - least);
    certificate_.scaled_bound += least;
  }

  std::int64_t given(std::size_t v, std::size_t i) const {
    return floor_divide(beliefs_[i], dual_.share(v));
  }
  std::int64_t kept(std::size_t v, std::size_t i) const {
    return beliefs_[i] - dual_.earlier(v) * given(v, i);
  }

  void count_edge(std::size_t e) {
    const CoreEdge& edge = core_.edges[e];
    const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
    const std::size_t rows = core_.strategies(from), columns = core_.strategies(to);
    end_costs(from, to, first_[2 * e], row_costs_);
    end_costs(to, from, first_[2 * e + 1], column_costs_);
    row_least_.assign(rows, INT64_MAX);
    column_least_.assign(columns, INT64_MAX);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const std::int64_t cost =
            static_cast<std::int64_t>(edge.by_from[i * columns + j]) * scale_ + row_costs_[i] +
            column_costs_[j];
        row_least_[i] = std::min(row_least_[i], cost);
        column_least_[j] = std::min(column_least_[j], cost);
      }
    }
    const std::int64_t least = *std::min_element(row_least_.begin(), row_least_.end());
    for (std::size_t i = 0; i < rows; ++i)
      add_reduced(core_.first[from] + i, row_least_[i] - least);
    for (std::size_t j = 0; j < columns; ++j)
      add_reduced(core_.first[to] + j, column_least_[j] - least);
    certificate_.scaled_bound += least;
  }

  /// What the strategies of one end add to the edge: their share minus the message they were sent.
  void end_costs(std::size_t v, std::size_t other, std::size_t message,
                 std::vector<std::int64_t>& costs) const {
    costs.resize(core_.strategies(v));
    for (std::size_t s = 0; s < costs.size(); ++s) {
      costs[s] = (v > other ? given(v, core_.first[v] + s) : 0) - messages_[message + s];
    }
  }

  void add_reduced(std::size_t i, std::int64_t amount) {
    certificate_.reduced[i] =
        std::min(kSaturated, certificate_.reduced[i] + std::min(amount, kSaturated));
  }

  const Core& core_;
  const Dual& dual_;
  Certificate certificate_;
  std::int64_t ceiling_ = 0, scale_ = 1;
  int bits_ = 0, price_bits_ = 0;
  std::vector<Int128> price_sums_;
  Int128 capacity_cost_ = 0;
  std::vector<std::int64_t> beliefs_, messages_, row_costs_, column_costs_, row_least_,
      column_least_;
  std::vector<std::size_t> first_;
};

}  // namespace

Certificate certify(const Core& core, const Dual& dual) { return Certifier(core, dual).run(); }

}  // namespace autoshard::internal
