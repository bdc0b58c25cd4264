// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/neighbourhood.hpp"

#include <algorithm>

#include "solver/region_solve.hpp"

namespace autoshard::internal {
namespace {

constexpr double kExplore = 0.25;  // share of attempts that ignore the record
constexpr double kForget = 0.98;   // old gains count less: what pays off changes with time
constexpr double kTight = 0.02;    // a time is tight when this share of its capacity is free

}  // namespace

Neighbourhoods::Neighbourhoods(const Core& core, std::uint64_t seed)
    : core_(core),
      random_(seed),
      arms_{{12, 20'000}, {40, 100'000}, {120, 300'000}, {400, 1'000'000}, {1500, 4'000'000}},
      marks_(core.size(), 0) {}

Neighbourhoods::Arm& Neighbourhoods::choose_arm() {
  if (random_.unit() < kExplore) {
    // Larger regions cost more, so they are tried less often.
    const std::size_t top = random_.below(arms_.size()) + 1;
    return arms_[random_.below(top)];
  }
  return *std::max_element(arms_.begin(), arms_.end(), [](const Arm& a, const Arm& b) {
    return a.gain / a.work < b.gain / b.work;
  });
}

std::size_t Neighbourhoods::tight_time(const LocalState& state) {
  const std::size_t times = core_.capacity.size();
  const std::size_t start = random_.below(times);
  for (std::size_t i = 0; i < times; ++i) {
    const std::size_t t = (start + i) % times;
    if (static_cast<double>(state.room(t)) <= kTight * static_cast<double>(core_.capacity[t]))
      return t;
  }
  return start;
}

bool Neighbourhoods::include(std::size_t v, std::vector<std::int32_t>& region) {
  if (marks_[v] == mark_) return false;
  marks_[v] = mark_;
  region.push_back(static_cast<std::int32_t>(v));
  return true;
}

/// Nodes that hold memory at time t, from a random node on.
void Neighbourhoods::add_live_nodes(std::size_t t, std::size_t count,
                                    std::vector<std::int32_t>& region) {
  const std::size_t start = random_.below(core_.size());
  for (std::size_t i = 0; i < core_.size() && count > 0; ++i) {
    const std::size_t v = (start + i) % core_.size();
    const auto pieces = core_.pieces(v);
    const bool live = std::any_of(pieces.begin(), pieces.end(), [t](const CorePiece& piece) {
      return static_cast<std::size_t>(piece.begin) <= t && t < static_cast<std::size_t>(piece.end);
    });
    if (live && include(v, region)) --count;
  }
  work_ += core_.size();
}

std::vector<std::int32_t> Neighbourhoods::grow_region(const LocalState& state, std::size_t count) {
  std::vector<std::int32_t> region;
  ++mark_;
  count = std::min(count, core_.size());
  if (!core_.capacity.empty() && random_.unit() < 0.5) {
    add_live_nodes(tight_time(state), 1 + random_.below(1 + count / 2), region);
  }
  while (region.size() < count) {
    const std::size_t grown = region.size();
    include(random_.below(core_.size()), region);
    for (std::size_t next = grown; next < region.size() && region.size() < count; ++next) {
      // A random element of the frontier goes first, so that regions of one seed differ.
      std::swap(region[next], region[next + random_.below(region.size() - next)]);
      for (const Link& link : core_.links(static_cast<std::size_t>(region[next]))) {
        if (region.size() < count) include(static_cast<std::size_t>(link.neighbour), region);
      }
    }
  }
  return region;
}

double Neighbourhoods::attempt(LocalState& state, const std::vector<double>& prices) {
  Arm& arm = choose_arm();
  const std::vector<std::int32_t> region = grow_region(state, arm.nodes);
  EliminationOrder order =
      find_order(core_, region, {arm.table_entries, 4 * arm.table_entries, true});
  const bool free = random_.unit() < 0.5;
  RegionSolve solve(state, std::move(order), free ? std::vector<double>(prices.size(), 0) : prices);
  const double gain = solve.run();
  const std::uint64_t work = solve.work() + 60 * region.size() + core_.unary.size() / 4;
  work_ += work;
  arm.gain = kForget * arm.gain + gain;
  arm.work = kForget * arm.work + static_cast<double>(work);
  return gain;
}

std::uint64_t Neighbourhoods::take_work() {
  const std::uint64_t work = work_;
  work_ = 0;
  return work;
}

}  // namespace autoshard::internal
