// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/budget.hpp"

namespace autoshard::internal {
namespace {

constexpr std::uint64_t kEntriesPerUnit = 1'000'000;
// About a millisecond of work: often enough for a 100 ms promise, seldom enough to cost nothing.
constexpr std::uint64_t kEntriesPerLook = 1'000'000;
constexpr double kSecondsPerReport = 0.1;

}  // namespace

Budget::Budget(const SolveOptions& options)
    : options_(options), start_(std::chrono::steady_clock::now()) {
  if (options.work_limit)
    entry_limit_ = static_cast<std::uint64_t>(*options.work_limit) * kEntriesPerUnit;
  look();
}

void Budget::charge(std::uint64_t entries) {
  entries_ += entries;
  if (stop_ == Stop::none && entry_limit_ && entries_ >= *entry_limit_) stop_ = Stop::work;
  if (entries_ < next_look_) return;
  next_look_ = entries_ + kEntriesPerLook;
  look();
}

void Budget::look() {
  if (stop_ != Stop::none) return;
  if (options_.cancel && options_.cancel->load(std::memory_order_relaxed)) {
    stop_ = Stop::cancelled;
  } else if (seconds() >= options_.time_limit_seconds) {
    stop_ = Stop::clock;
  } else {
    repeat_report(false);
  }
}

double Budget::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::int64_t Budget::work_units() const {
  return static_cast<std::int64_t>((entries_ + kEntriesPerUnit - 1) / kEntriesPerUnit);
}

void Budget::report(std::string_view phase, std::optional<Int128> cost, std::optional<Int128> bound,
                    bool always) {
  last_report_ = {phase, 0, cost, bound};
  repeat_report(always);
}

void Budget::repeat_report(bool always) {
  if (!options_.progress) return;
  last_report_.seconds = seconds();
  if (!always && last_report_.seconds - last_report_seconds_ < kSecondsPerReport) return;
  last_report_seconds_ = last_report_.seconds;
  if (!options_.progress(last_report_) && stop_ == Stop::none) stop_ = Stop::cancelled;
}

}  // namespace autoshard::internal
