// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a solve may still spend: wall-clock time, work and the caller's patience. Algorithms report
// their work and ask `spent()`; they never read a clock themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "autoshard/solve.hpp"

namespace autoshard::internal {

enum class Stop { none, clock, work, cancelled };

class Budget {
 public:
  explicit Budget(const SolveOptions& options);

  /// Counts table entries touched. Looks at the clock and the cancel flag once in a while.
  void charge(std::uint64_t entries);
  bool spent() const { return stop_ != Stop::none; }
  Stop stop() const { return stop_; }

  double seconds() const;
  std::uint64_t entries() const { return entries_; }
  std::int64_t work_units() const;  ///< millions of entries, rounded up

  /// Calls the caller's progress function, at most ten times a second unless `always`. `phase`
  /// outlives the budget. Between reports `look()` repeats the last one as often: a caller may
  /// have no other way to cancel.
  void report(std::string_view phase, std::optional<Int128> cost, std::optional<Int128> bound,
              bool always = false);
  void look();  ///< at the clock and at the cancel flag, now

 private:
  void repeat_report(bool always);

  const SolveOptions& options_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t entries_ = 0;
  std::uint64_t next_look_ = 0;
  std::optional<std::uint64_t> entry_limit_;
  SolveProgress last_report_{"start", 0, {}, {}};
  double last_report_seconds_ = -1;
  Stop stop_ = Stop::none;
};

}  // namespace autoshard::internal
