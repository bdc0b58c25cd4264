// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/json_scanner.hpp"

#include <charconv>

#include "base/errors.hpp"

namespace autoshard::internal {

Error JsonScanner::error() const {
  const std::string prefix = subject_.empty() ? "" : subject_ + ": ";
  return invalid("{}{} at byte {}", prefix, reason_, failed_at_);
}

void JsonScanner::fail(std::string_view reason) {
  if (failed_) return;
  failed_ = true;
  failed_at_ = at_;
  reason_ = reason;
}

void JsonScanner::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
}

bool JsonScanner::peek(char expected) {
  skip_space();
  return at_ < text_.size() && text_[at_] == expected;
}

bool JsonScanner::take(char expected) {
  if (failed_) return false;
  if (peek(expected)) {
    ++at_;
    return true;
  }
  fail(fmt::format("expected '{}'{}", expected,
                   at_ >= text_.size() ? ", found the end of the text" : ""));
  return false;
}

bool JsonScanner::read_int(std::int64_t& value) {
  if (failed_) return false;
  skip_space();
  const char* begin = text_.data() + at_;
  const char* end = text_.data() + text_.size();
  const auto [stop, code] = std::from_chars(begin, end, value);
  const bool fraction = stop != end && (*stop == '.' || *stop == 'e' || *stop == 'E');
  if (code != std::errc() || fraction) {
    fail(code == std::errc::result_out_of_range ? "a number does not fit 64 bits"
                                                : "expected a whole number");
    return false;
  }
  at_ += static_cast<std::size_t>(stop - begin);
  return true;
}

bool JsonScanner::read_string(std::string& value) {
  if (!take('"')) return false;
  value.clear();
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '"') {
      ++at_;
      return true;
    }
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    value.push_back(text_[at_]);
  }
  fail("a string does not end");
  return false;
}

bool JsonScanner::skip_value() {
  std::string ignored;
  if (peek('"')) return read_string(ignored);
  return peek('[') || peek('{') ? skip_nested() : skip_scalar();
}

// A loop, not a recursion: depth is the input's choice.
bool JsonScanner::skip_nested() {
  std::string ignored;
  for (std::size_t depth = 0; at_ < text_.size();) {
    const char c = text_[at_];
    if (c == '"') {
      if (!read_string(ignored)) return false;
      continue;
    }
    ++at_;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && --depth == 0) return true;
  }
  fail("a list or an object does not end");
  return false;
}

bool JsonScanner::skip_scalar() {
  const std::size_t begin = at_;
  constexpr std::string_view kScalar = "+-.0123456789abcdefghijklmnopqrstuvwxyzE";
  while (at_ < text_.size() && kScalar.find(text_[at_]) != std::string_view::npos) ++at_;
  if (at_ == begin) fail("expected a value");
  return at_ != begin;
}

bool JsonScanner::at_end() {
  skip_space();
  return at_ == text_.size();
}

}  // namespace autoshard::internal
