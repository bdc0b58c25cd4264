// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a verification finds on its way, kept short: the first mismatches in full, the others as a
// number, and each place once although a loop passes it many times.
#pragma once

#include <set>
#include <string>

#include "autoshard/verify.hpp"

namespace autoshard::internal {

class Findings {
 public:
  Findings() { report_.values_equal = report_.bytes_equal = true; }

  void wrong_value(const std::string& place, const std::string& what);
  void wrong_bytes(const std::string& place, const std::string& what);
  void compared(double relative_error);
  void ran_collective(std::int64_t bytes_moved);
  void predicted(std::int64_t bytes) { report_.bytes_predicted += bytes; }
  void skipped(const std::string& text);

  VerifyReport finish() &&;

 private:
  void add(const std::string& place, const std::string& what);

  VerifyReport report_;
  std::set<std::string> places_;
  std::size_t unnamed_ = 0;
};

}  // namespace autoshard::internal
