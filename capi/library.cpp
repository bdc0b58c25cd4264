// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Versions, failures, and the names that other functions take.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "autoshard.h"
#include "autoshard/device_mesh.hpp"
#include "autoshard/options.hpp"
#include "guard.hpp"

namespace autoshard::internal {
namespace {

thread_local std::string last_error;
thread_local std::string last_report;

using Json = nlohmann::ordered_json;

/// GLPK (GPL-3) is a backend of its own library and is never part of this one.
std::string build_info() {
  const Json backends = {{{"name", "autoshard"}, {"licence", "Apache-2.0"}}};
  const Json linked = {{{"name", "fmt"}, {"licence", "MIT"}},
                       {{"name", "nlohmann-json"}, {"licence", "MIT"}},
                       {{"name", "Eigen"}, {"licence", "MPL-2.0"}},
                       {{"name", "zlib"}, {"licence", "Zlib"}}};
  Json json;
  json["version"] = AUTOSHARD_VERSION;
  json["abi_version"] = AUTOSHARD_ABI_VERSION;
  json["licence"] = "Apache-2.0";
  json["compiler"] = __VERSION__;
  json["backends"] = backends;
  json["linked"] = linked;
  return json.dump();
}

int32_t status(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return AUTOSHARD_INVALID_ARGUMENT;
    case ErrorCode::not_found:
      return AUTOSHARD_NOT_FOUND;
    case ErrorCode::out_of_memory:
      return AUTOSHARD_OUT_OF_MEMORY;
    case ErrorCode::cancelled:
      return AUTOSHARD_CANCELLED;
    case ErrorCode::internal:
      return AUTOSHARD_INTERNAL;
  }
  return AUTOSHARD_INTERNAL;
}

}  // namespace

int32_t report_failure(const Error& error) noexcept {
  try {
    last_error = error.message;
  } catch (...) {
    last_error.clear();  // no memory for the message; the status still tells
  }
  return status(error.code);
}

const char* keep_report(std::string text) noexcept {
  last_report = std::move(text);
  return last_report.c_str();
}

}  // namespace autoshard::internal

using namespace autoshard;

const char* autoshard_version(void) { return AUTOSHARD_VERSION; }

int32_t autoshard_abi_version(void) { return AUTOSHARD_ABI_VERSION; }

const char* autoshard_build_info(void) {
  try {
    static const std::string text = internal::build_info();
    return text.c_str();
  } catch (...) {
    return "{}";
  }
}

const char* autoshard_last_error(void) { return internal::last_error.c_str(); }

const char* autoshard_device_name(size_t index) {
  try {
    static const std::vector<std::string> names = device_names();
    return index < names.size() ? names[index].c_str() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

const char* autoshard_option_name(size_t index) {
  const std::span<const OptionDescription> table = option_table();
  return index < table.size() ? table[index].name.data() : nullptr;  // literals end with NUL
}
