// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Plain-text tables and human-readable sizes for reports. No colours, no terminal control.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace autoshard::internal {

/// Columns are as wide as their widest cell; a header starting with '>' aligns to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headers);
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Every line indented by two spaces and ended by a newline.
  std::string text() const;

 private:
  std::vector<std::string> headers_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

std::string bytes_text(std::int64_t bytes);  ///< "1.50 GB", powers of 1000
std::string seconds_text(double seconds);    ///< "12.3 ms"

}  // namespace autoshard::internal
