// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a SolveResult says about itself, and decimal text for 128-bit totals.
#include <fmt/format.h>

#include <algorithm>

#include "autoshard/solve.hpp"

namespace autoshard {
namespace {

std::string text(const std::optional<Int128>& value) { return value ? to_string(*value) : "none"; }

std::string gap_text(const SolveResult& result) {
  const std::optional<double> gap = result.gap();
  return gap ? fmt::format("{:.4f} %", 100 * *gap) : "unknown";
}

std::string row(std::string_view key, const std::string& value) {
  return fmt::format("{:<16}{}\n", key, value);
}

std::string usage_text(const SolveResult& result) {
  const std::string limit = result.usage_limit ? std::to_string(*result.usage_limit) : "no limit";
  return fmt::format("{} of {}", text(result.peak_usage), limit);
}

}  // namespace

std::string to_string(Int128 value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::optimal:
      return "optimal";
    case SolveStatus::feasible:
      return "feasible";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::time_limit:
      return "time_limit";
    case SolveStatus::cancelled:
      return "cancelled";
  }
  return "unknown";
}

std::optional<double> SolveResult::gap() const {
  if (!cost || !lower_bound) return std::nullopt;
  if (*cost == *lower_bound) return 0.0;
  if (*cost == 0) return std::nullopt;
  const double magnitude = static_cast<double>(*cost < 0 ? -*cost : *cost);
  return static_cast<double>(*cost - *lower_bound) / magnitude;
}

std::string SolveResult::brief_report() const {
  return fmt::format("{}: cost {}, lower bound {}, gap {}, {:.3f} s", name(status), text(cost),
                     text(lower_bound), gap_text(*this), seconds);
}

std::string SolveResult::full_report() const {
  std::string table = row("status", std::string(name(status)));
  table += row("reason", reason);
  table += row("cost", text(cost));
  table += row("lower bound", text(lower_bound));
  table += row("gap", gap_text(*this));
  table += row("peak usage", usage_text(*this));
  table += row("nodes", fmt::format("{} given, {} solved", nodes_given, nodes_solved));
  table += row("edges", fmt::format("{} given, {} solved", edges_given, edges_solved));
  table += row("work", fmt::format("{} million entries", work));
  table += row("reproducible", reproducible ? "yes" : "no");
  table += row("seconds", fmt::format("{:.3f}", seconds));
  for (const PhaseTime& phase : phases)
    table += row("  " + phase.name, fmt::format("{:.3f}", phase.seconds));
  return table;
}

}  // namespace autoshard
