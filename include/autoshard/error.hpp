// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What every public function answers with when it can fail. `Result<T>` holds a value or an
// `Error`; nothing in the library throws to its caller and nothing aborts. A solve that finds no
// answer is not an error: it is a result whose status says so.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace autoshard {

enum class ErrorCode { invalid_argument, not_found, out_of_memory, cancelled, internal };

/// `message` names the offender first: "operator 'mlp/dot': operand 1 has rank 2, expected 3".
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value; calling this on an error is a bug of the caller.
  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

/// Success without a value.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace autoshard
