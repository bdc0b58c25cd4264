// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A value inside a plan's JSON text together with where it stands ("tensors[3].spec"), so that
// reading code is as short as the schema and every complaint names its place. It checks JSON types
// and ranges; what a value means is the reader's business.
//
// Complaints are thrown as PlanJsonError, which parse_plan_json turns into an Error: the reader
// descends five levels, and a Result at each of them would hide the schema.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"

namespace autoshard::internal {

/// `what()` starts with the path of the value.
struct PlanJsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class JsonCursor {
 public:
  /// `value` is borrowed; an empty path is the top.
  JsonCursor(const nlohmann::json& value, std::string path)
      : value_(&value), path_(std::move(path)) {}

  JsonCursor operator[](std::string_view key) const;  ///< a member that must be there
  std::vector<JsonCursor> items() const;              ///< of a list

  bool is_null() const { return value_->is_null(); }
  bool boolean() const;
  const std::string& text() const;
  double number() const;  ///< finite, >= 0
  std::int64_t integer(std::int64_t least = 0,
                       std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  std::vector<std::int64_t> integers() const;

  [[noreturn]] void fail(std::string_view reason) const;

  /// The value of a Result, or its error at this place.
  template <class T>
  T take(Result<T> result) const {
    if (!result.ok()) fail(result.error().message);
    return std::move(result).value();
  }
  void check(const Result<void>& result) const {
    if (!result.ok()) fail(result.error().message);
  }

 private:
  const nlohmann::json* value_;
  std::string path_;
};

}  // namespace autoshard::internal
