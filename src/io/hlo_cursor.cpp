// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_cursor.hpp"

#include <charconv>
#include <utility>

#include "base/errors.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_opening(char c) { return c == '{' || c == '(' || c == '['; }
bool is_closing(char c) { return c == '}' || c == ')' || c == ']'; }

bool is_name(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '$' || c == '@' || c == '#';
}

}  // namespace

void HloCursor::set_subject(std::string_view kind, std::string_view name) {
  subject_kind_ = kind;
  subject_name_ = name;
}

void HloCursor::fail(std::string reason) {
  if (failed()) return;
  const std::size_t line = line_of(text_, position_);
  error_ = subject_name_.empty()
               ? invalid("line {}: {}", line, reason)
               : invalid("line {}, {} '{}': {}", line, subject_kind_, subject_name_, reason);
  position_ = text_.size();
}

void HloCursor::fail_at(std::size_t offset, std::string reason) {
  if (failed()) return;
  position_ = offset;
  fail(std::move(reason));
}

void HloCursor::skip_blanks() {
  while (position_ < text_.size()) {
    if (is_blank(text_[position_])) {
      ++position_;
    } else if (text_[position_] == '/' && text_.substr(position_, 2) == "/*") {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) return fail("comment does not end");
      position_ = end + 2;
    } else {
      return;
    }
  }
}

char HloCursor::peek() {
  skip_blanks();
  return peek_raw();
}

bool HloCursor::accept(char expected) {
  if (peek() != expected || position_ >= text_.size()) return false;
  ++position_;
  return true;
}

void HloCursor::expect(char expected) {
  if (accept(expected)) return;
  if (position_ >= text_.size())
    return fail(fmt::format("text ends where '{}' should be", expected));
  fail(fmt::format("expected '{}', found '{}'", expected, peek_raw()));
}

std::string_view HloCursor::word_here() const {
  std::size_t end = position_;
  while (end < text_.size() && is_name(text_[end])) {
    if (text_[end] == '-' && end + 1 < text_.size() && text_[end + 1] == '>') break;
    ++end;
  }
  return text_.substr(position_, end - position_);
}

bool HloCursor::accept(std::string_view word) {
  skip_blanks();
  if (word_here() != word) return false;
  position_ += word.size();
  return true;
}

void HloCursor::skip_string() {
  for (++position_; position_ < text_.size(); ++position_) {
    if (text_[position_] == '\\') {
      ++position_;
    } else if (text_[position_] == '"') {
      ++position_;
      return;
    }
  }
  fail("string does not end");
}

std::string_view HloCursor::quoted() {
  const std::size_t start = position_ + 1;
  skip_string();
  return failed() ? std::string_view() : text_.substr(start, position_ - 1 - start);
}

std::string_view HloCursor::identifier() {
  skip_blanks();
  if (peek_raw() == '%') ++position_;
  if (peek_raw() == '"') return quoted();
  const std::string_view name = word_here();
  position_ += name.size();
  if (!name.empty()) return name;
  fail(position_ >= text_.size() ? std::string("text ends where a name should be")
                                 : fmt::format("expected a name, found '{}'", peek_raw()));
  return {};
}

std::optional<std::string_view> HloCursor::identifier_before(char next) {
  skip_blanks();
  const std::string_view word = word_here();
  const std::size_t end = position_ + word.size();
  if (word.empty() || end >= text_.size() || text_[end] != next) return std::nullopt;
  position_ = end;
  return word;
}

std::int64_t HloCursor::integer() {
  skip_blanks();
  std::int64_t value = 0;
  const char* begin = text_.data() + position_;
  const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (code == std::errc::result_out_of_range) fail("number is out of range");
  if (code == std::errc::invalid_argument) {
    fail(position_ >= text_.size() ? "text ends where a number should be" : "expected a number");
  }
  if (failed()) return 0;
  position_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::string_view HloCursor::raw_value() {
  skip_blanks();
  const std::size_t start = position_;
  std::size_t depth = 0;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (depth == 0 && (c == ',' || c == '\n' || is_closing(c))) break;
    if (c == '"') {
      skip_string();
      continue;
    }
    if (is_opening(c)) ++depth;
    if (is_closing(c)) --depth;
    ++position_;
  }
  if (depth > 0) fail("text ends inside brackets");
  if (failed()) return {};
  std::size_t end = position_;
  while (end > start && is_blank(text_[end - 1])) --end;
  if (end == start) fail("attribute has no value");
  return text_.substr(start, end - start);
}

std::string_view HloCursor::bracketed() {
  const std::size_t start = position_ + 1;
  std::size_t depth = 0;
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '"') {
      skip_string();
      continue;
    }
    ++position_;
    if (is_opening(c)) ++depth;
    if (is_closing(c) && --depth == 0) return text_.substr(start, position_ - 1 - start);
  }
  fail("text ends inside brackets");
  return {};
}

void HloCursor::skip_line() {
  const std::size_t end = text_.find('\n', position_);
  position_ = end == std::string_view::npos ? text_.size() : end + 1;
}

}  // namespace autoshard::internal
