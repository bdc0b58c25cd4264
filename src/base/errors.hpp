// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Short ways to make an Error, and the guard at every public door that turns an escaping
// exception (a bug, or no memory) into one.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>

#include "autoshard/error.hpp"

namespace autoshard::internal {

template <class... Args>
Error invalid(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::invalid_argument, fmt::format(format, std::forward<Args>(args)...)};
}

template <class... Args>
Error not_found(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::not_found, fmt::format(format, std::forward<Args>(args)...)};
}

/// A bug of ours that reaches the caller as an error instead of an abort.
template <class... Args>
Error internal_error(fmt::format_string<Args...> format, Args&&... args) {
  return {ErrorCode::internal, fmt::format(format, std::forward<Args>(args)...)};
}

/// Runs `body`, which returns a Result<T>; nothing is thrown past this line.
template <class Body>
auto guarded(Body&& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, "out of memory"};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::internal, exception.what()};
  } catch (...) {
    return Error{ErrorCode::internal, "unknown exception"};
  }
}

}  // namespace autoshard::internal
