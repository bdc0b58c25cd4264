// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Early return for Result: `AUTOSHARD_TRY(value, expression)` declares `value` or returns the
// error; `AUTOSHARD_CHECK_OK(expression)` is the same for Result<void>.
#pragma once

#include "autoshard/error.hpp"

#define AUTOSHARD_CONCAT_(a, b) a##b
#define AUTOSHARD_CONCAT(a, b) AUTOSHARD_CONCAT_(a, b)

#define AUTOSHARD_TRY_(temporary, declaration, ...) \
  auto temporary = (__VA_ARGS__);                   \
  if (!temporary.ok()) return temporary.error();    \
  declaration = std::move(temporary).value()

#define AUTOSHARD_TRY(declaration, ...) \
  AUTOSHARD_TRY_(AUTOSHARD_CONCAT(try_result_, __LINE__), declaration, __VA_ARGS__)

#define AUTOSHARD_CHECK_OK(...)                                                       \
  do {                                                                                \
    if (auto try_status = (__VA_ARGS__); !try_status.ok()) return try_status.error(); \
  } while (false)
