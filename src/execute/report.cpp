// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "autoshard/verify.hpp"

namespace autoshard {

std::string VerifyReport::brief_report() const {
  return fmt::format(
      "{}: {} copies compared, largest relative error {:.2g}; {} collectives, {} bytes moved, "
      "{} predicted{}",
      passed() ? "passed" : "FAILED", tensors_compared, largest_relative_error, collectives_run,
      bytes_moved, bytes_predicted,
      mismatches.empty() ? "" : fmt::format("; first mismatch: {}", mismatches.front()));
}

std::string VerifyReport::full_report() const {
  std::string text = fmt::format("values equal      {}\nbytes equal       {}\n",
                                 values_equal ? "yes" : "no", bytes_equal ? "yes" : "no");
  text += fmt::format("copies compared   {}\nrelative error    {:.2g}\n", tensors_compared,
                      largest_relative_error);
  text += fmt::format("collectives       {}\nbytes moved       {}\nbytes predicted   {}\n",
                      collectives_run, bytes_moved, bytes_predicted);
  for (const std::string& mismatch : mismatches) text += "mismatch: " + mismatch + "\n";
  for (const std::string& name : skipped) text += "not verified: " + name + "\n";
  return text;
}

}  // namespace autoshard
