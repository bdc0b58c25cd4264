// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A position in HLO text and the tokens that can be read there. The first failure sticks and moves
// the position to the end, so that a parser can be written straight through and ask once. It knows
// brackets, quotes and comments, and nothing about instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "autoshard/error.hpp"

namespace autoshard::internal {

class HloCursor {
 public:
  explicit HloCursor(std::string_view text) : text_(text) {}

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  /// Names the line, and the subject when there is one.
  void fail(std::string reason);
  void fail_at(std::size_t offset, std::string reason);
  /// What the messages that follow are about: "instruction 'add.1'"; empty for nothing.
  void set_subject(std::string_view kind, std::string_view name);

  std::size_t offset() const { return position_; }
  std::string_view text() const { return text_; }

  /// The next character that is neither blank nor in a comment; '\0' at the end.
  char peek();
  /// The very next character.
  char peek_raw() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool accept(char expected);
  bool accept(std::string_view word);  ///< a whole word
  void expect(char expected);

  /// A name, with or without '%' and quotes.
  std::string_view identifier();
  /// A name that is followed at once by `next`, or nothing and no move.
  std::optional<std::string_view> identifier_before(char next);
  std::int64_t integer();
  /// What stands up to the next ',' or end of line outside brackets and quotes.
  std::string_view raw_value();
  /// What stands between the bracket here and the one that closes it, which are consumed.
  std::string_view bracketed();
  void skip_line();

 private:
  void skip_blanks();
  void skip_string();
  std::string_view quoted();
  std::string_view word_here() const;

  std::string_view text_;
  std::size_t position_ = 0;
  std::string_view subject_kind_;
  std::string_view subject_name_;
  std::optional<Error> error_;
};

}  // namespace autoshard::internal
