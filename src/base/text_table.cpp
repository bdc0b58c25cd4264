// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace autoshard::internal {

TextTable::TextTable(std::vector<std::string> headers) : headers_(std::move(headers)) {
  for (std::string& header : headers_) {
    right_.push_back(!header.empty() && header[0] == '>');
    if (right_.back()) header.erase(0, 1);
  }
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(headers_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < headers_.size(); ++column) {
    std::size_t width = headers_[column].size();
    for (const auto& row : rows_) width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  std::string text;
  const auto append = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      line += right_[column] ? fmt::format("  {:>{}}", cells[column], widths[column])
                             : fmt::format("  {:<{}}", cells[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  append(headers_);
  for (const auto& row : rows_) append(row);
  return text;
}

namespace {

struct Unit {
  double size;
  std::string_view name;
};

std::string scaled(double value, const std::array<Unit, 4>& units) {
  for (const Unit& unit : units) {
    if (value < unit.size) continue;
    const double shown = value / unit.size;
    return fmt::format("{:.{}f} {}", shown, shown < 10 ? 2 : (shown < 100 ? 1 : 0), unit.name);
  }
  return {};
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
  const std::string text =
      scaled(static_cast<double>(bytes), {{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}});
  return text.empty() ? fmt::format("{} B", bytes) : text;
}

std::string seconds_text(double seconds) {
  const std::string text = scaled(seconds, {{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}});
  return text.empty() ? "0 s" : text;
}

}  // namespace autoshard::internal
