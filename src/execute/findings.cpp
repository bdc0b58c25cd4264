// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace autoshard::internal {

void Findings::wrong_value(const std::string& place, const std::string& what) {
  report_.values_equal = false;
  add(place, what);
}

void Findings::wrong_bytes(const std::string& place, const std::string& what) {
  report_.bytes_equal = false;
  add(place, what);
}

void Findings::compared(double relative_error) {
  ++report_.tensors_compared;
  report_.largest_relative_error = std::max(report_.largest_relative_error, relative_error);
}

void Findings::ran_collective(std::int64_t bytes_moved) {
  ++report_.collectives_run;
  report_.bytes_moved += bytes_moved;
}

void Findings::skipped(const std::string& text) {
  if (places_.insert("skipped " + text).second) report_.skipped.push_back(text);
}

void Findings::add(const std::string& place, const std::string& what) {
  constexpr std::size_t kNamed = 20;
  if (!places_.insert(place).second) return;
  if (report_.mismatches.size() < kNamed) {
    report_.mismatches.push_back(place + ": " + what);
  } else {
    ++unnamed_;
  }
}

VerifyReport Findings::finish() && {
  if (unnamed_ > 0) report_.mismatches.push_back(fmt::format("and {} more", unnamed_));
  return std::move(report_);
}

}  // namespace autoshard::internal
