// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "solver/elimination.hpp"
#include "solver/phases.hpp"

namespace autoshard::internal {
namespace {

// Above this, message passing reaches the same bound sooner.
constexpr EliminationLimits kExactLimits{8'000'000, 40'000'000, false};

bool fits(const Core& core, const std::vector<std::int32_t>& x) {
  std::vector<std::int64_t> change(core.capacity.size() + 1, 0);
  for (std::size_t v = 0; v < core.size(); ++v) {
    for (const CorePiece& piece : core.pieces(v)) {
      const std::int64_t usage = piece.usage[x[v]];
      change[static_cast<std::size_t>(piece.begin)] += usage;
      change[static_cast<std::size_t>(piece.end)] -= usage;
    }
  }
  std::int64_t level = 0;
  for (std::size_t t = 0; t < core.capacity.size(); ++t) {
    level += change[t];
    if (level > core.capacity[t]) return false;
  }
  return true;
}

}  // namespace

void eliminate_without_memory(Session& session) {
  const Core& core = session.core();
  std::vector<std::int32_t> region(core.size());
  std::iota(region.begin(), region.end(), 0);
  EliminationOrder order = find_order(core, region, kExactLimits);
  if (!order.feasible) return;
  Elimination elimination(core, std::move(order));
  std::vector<std::int32_t> x(core.size(), 0);
  elimination.solve(core.unary, x);
  session.budget().charge(elimination.work());
  if (elimination.exact()) session.raise_bound(static_cast<Int128>(core.cost(x)));
  if (fits(core, x)) session.offer(x);
}

}  // namespace autoshard::internal
