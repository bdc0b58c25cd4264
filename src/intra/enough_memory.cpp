// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/enough_memory.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

constexpr int kRounds = 8;
constexpr double kCloseEnough = 0.02;       // of the peak
constexpr std::int64_t kWorkPerRound = 200;  // million entries, where there is an answer already

}  // namespace

std::optional<std::vector<std::int32_t>> find_small_assignment(CostGraph costs,
                                                               std::int64_t refused_limit,
                                                               SolveOptions options) {
  options.gap_target = 1.0;  // the first answer is good enough
  options.hint.clear();
  options.time_limit_seconds /= kRounds + 1;
  costs.usage_limit.reset();
  std::optional<std::vector<std::int32_t>> found;
  double low = static_cast<double>(refused_limit), high = 0;
  for (int round = 0; round <= kRounds; ++round) {
    const Result<SolveResult> solved = solve(costs, options);
    if (!solved.ok() || solved->status == SolveStatus::cancelled) break;
    if (solved->cost) {
      found = solved->assignment;
      high = static_cast<double>(*solved->peak_usage);
    } else {
      low = static_cast<double>(costs.usage_limit.value_or(0));
    }
    options.work_limit = std::min(options.work_limit.value_or(kWorkPerRound), kWorkPerRound);
    if (!found || high - low <= kCloseEnough * high) break;
    costs.usage_limit = static_cast<std::int64_t>(low + (high - low) / 2);
  }
  return found;
}

}  // namespace autoshard::internal
