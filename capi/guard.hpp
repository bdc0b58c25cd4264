// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The one guard that every fallible function of the C API passes through: it refuses null
// pointers by name, lets no exception out, and turns a Result into a status and a message.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "autoshard.h"
#include "autoshard/error.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {

/// A pointer that must not be null, and the parameter's name in autoshard.h.
struct Required {
  const char* name;
  const void* pointer;
};

/// Keeps the message for autoshard_last_error.
int32_t report_failure(const Error& error) noexcept;

/// Keeps the text of this thread's last verify or check, and lends it.
const char* keep_report(std::string text) noexcept;

template <class Body>
int32_t run(std::initializer_list<Required> required, Body&& body) noexcept {
  for (const Required& parameter : required) {
    if (!parameter.pointer) {
      return report_failure(guarded([&]() -> Result<void> {
                              return invalid("parameter '{}': is null", parameter.name);
                            }).error());
    }
  }
  const Result<void> result = guarded([&]() -> Result<void> { return body(); });
  return result.ok() ? AUTOSHARD_OK : report_failure(result.error());
}

/// For functions whose `out` is a new handle, made from what `body` returns: Result<argument of
/// its constructor>. `required` does not list `out`.
template <class Handle, class Body>
int32_t create(Handle** out, std::initializer_list<Required> required, Body&& body) noexcept {
  if (out) *out = nullptr;
  const int32_t status = run({{"out", out}}, [] { return Result<void>(); });
  if (status != AUTOSHARD_OK) return status;
  return run(required, [&]() -> Result<void> {
    auto content = body();
    if (!content.ok()) return content.error();
    *out = new Handle(std::move(content).value());
    return {};
  });
}

template <class Handle>
void destroy(Handle** handle) noexcept {
  if (!handle) return;
  delete *handle;
  *handle = nullptr;
}

}  // namespace autoshard::internal
