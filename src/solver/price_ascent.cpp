// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/price_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace autoshard::internal {
namespace {

constexpr double kSmoothing = 0.7;  // weight of the earlier directions
constexpr int kPatience = 5;        // passes without a better bound before steps get shorter
constexpr double kShorten = 0.6;
constexpr double kShortest = 1e-4;
// Prices stay at zero until a pass raises the bound by less than this share of it, or for this many
// passes: while messages are still on their way, an excess says little.
constexpr double kSettled = 2e-4;
constexpr int kWarmPasses = 64;
// Without an answer, how far above the bound an answer is hoped for.
constexpr double kHope = 0.02;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

PriceAscent::PriceAscent(const Core& core, Dual& dual)
    : core_(core),
      dual_(dual),
      excess_(core.capacity.size(), 0),
      best_prices_(dual.prices()),
      best_bound_(-kInfinity) {}

void PriceAscent::restart(double length) {
  best_bound_ = -kInfinity;
  best_prices_ = dual_.prices();
  length_ = length;
  stalled_ = 0;
  warm_passes_ = kWarmPasses;
}

void PriceAscent::return_to_best() { dual_.set_prices(best_prices_); }

double PriceAscent::step(double target) {
  const double bound = dual_.pass();
  dual_.decode(decoded_);
  if (core_.capacity.empty() || warming(bound)) {
    best_bound_ = std::max(best_bound_, bound);
    return bound;
  }
  if (bound > best_bound_) {
    best_bound_ = bound;
    best_prices_ = dual_.prices();
    stalled_ = 0;
  } else if (++stalled_ >= kPatience) {
    stalled_ = 0;
    length_ = std::max(kShortest, kShorten * length_);
    return_to_best();
  }
  measure_excess();
  const double hope = std::isfinite(target) ? target : bound + kHope * std::abs(bound) + 1;
  move_prices(length_ * std::max(hope - bound, 1e-6 * std::abs(bound)));
  return bound;
}

bool PriceAscent::warming(double bound) {
  if (warm_passes_ >= kWarmPasses) return false;
  const bool settled = bound - best_bound_ < kSettled * std::abs(bound);
  warm_passes_ = settled ? kWarmPasses : warm_passes_ + 1;
  return true;
}

void PriceAscent::measure_excess() {
  std::vector<double> change(core_.capacity.size() + 1, 0);
  for (std::size_t v = 0; v < core_.size(); ++v) {
    for (const CorePiece& piece : core_.pieces(v)) {
      const auto usage = static_cast<double>(piece.usage[decoded_[v]]);
      change[static_cast<std::size_t>(piece.begin)] += usage;
      change[static_cast<std::size_t>(piece.end)] -= usage;
    }
  }
  double level = 0;
  for (std::size_t t = 0; t < excess_.size(); ++t) {
    level += change[t];
    excess_[t] = kSmoothing * excess_[t] +
                 (1 - kSmoothing) * (level - static_cast<double>(core_.capacity[t]));
  }
}

void PriceAscent::move_prices(double length) {
  std::vector<double> prices = dual_.prices();
  double norm = 0;
  for (std::size_t t = 0; t < prices.size(); ++t) {
    if (prices[t] > 0 || excess_[t] > 0) norm += excess_[t] * excess_[t];
  }
  if (norm <= 0) return;
  for (std::size_t t = 0; t < prices.size(); ++t)
    prices[t] = std::max(0.0, prices[t] + length / norm * excess_[t]);
  dual_.set_prices(std::move(prices));
}

}  // namespace autoshard::internal
