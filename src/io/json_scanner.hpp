// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A forward-only reader of JSON text for large files of known shape: no tree is built, whole
// numbers are read at several hundred megabytes a second, unknown values are skipped. After the
// first failure every call fails and `error()` says where and why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "autoshard/error.hpp"

namespace autoshard::internal {

class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// Prefixed to the message of an error, such as "node 12".
  void set_subject(std::string subject) { subject_ = std::move(subject); }
  bool failed() const { return failed_; }
  Error error() const;
  void fail(std::string_view reason);

  bool take(char expected);
  bool peek(char expected);
  bool read_int(std::int64_t& value);
  /// Escapes other than \" \\ \/ are kept as written: names are only shown, never compared.
  bool read_string(std::string& value);
  bool skip_value();
  bool at_end();

  /// Calls `read()` for every element of a list; it must consume one value.
  template <class Read>
  bool list(Read&& read) {
    if (!take('[')) return false;
    if (peek(']')) return take(']');
    do {
      if (!read()) return false;
    } while (peek(',') && take(','));
    return take(']');
  }

  /// Calls `read(key)` for every member of an object; it must consume the value.
  template <class Read>
  bool object(Read&& read) {
    if (!take('{')) return false;
    if (peek('}')) return take('}');
    do {
      std::string key;
      if (!read_string(key) || !take(':') || !read(key)) return false;
    } while (peek(',') && take(','));
    return take('}');
  }

 private:
  void skip_space();
  bool skip_nested();
  bool skip_scalar();

  std::string_view text_;
  std::size_t at_ = 0;
  std::string subject_, reason_;
  std::size_t failed_at_ = 0;
  bool failed_ = false;
};

}  // namespace autoshard::internal
