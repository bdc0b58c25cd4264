// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/graph_json_text.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/errors.hpp"

namespace autoshard::internal {
namespace {

using nlohmann::json;

/// The reader of bodies recurses; 32 nested loops take about 100 levels.
constexpr int kMaximumDepth = 200;
constexpr std::size_t kLongestMessage = 400;

/// Looks on while the parser works. It discards what follows a mistake.
class Watcher {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (error_) return false;
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    if (opens && depth >= kMaximumDepth) {
      error_ = invalid("JSON is nested deeper than {}", kMaximumDepth);
    }
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key) add_key(parsed.get_ref<const std::string&>());
    return !error_;
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  void add_key(const std::string& key) {
    if (!keys_.back().insert(key).second) error_ = invalid("JSON key '{}' is used twice", key);
  }

  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
  std::optional<Error> error_;
};

/// "[json.exception.parse_error.101] parse error at line 1, column 2: ..." without its first part.
Error from_exception(const json::exception& exception) {
  std::string message = exception.what();
  if (const std::size_t end = message.find("] "); end != std::string::npos) {
    message.erase(0, end + 2);
  }
  if (message.size() > kLongestMessage) message.resize(kLongestMessage);
  return invalid("JSON: {}", message);
}

}  // namespace

Result<json> parse_json_text(std::string_view text) {
  Watcher watcher;
  const auto callback = [&watcher](int depth, json::parse_event_t event, json& parsed) {
    return watcher(depth, event, parsed);
  };
  try {
    json document = json::parse(text.begin(), text.end(), callback);
    if (watcher.error()) return *watcher.error();
    return document;
  } catch (const json::exception& exception) {
    if (watcher.error()) return *watcher.error();
    return from_exception(exception);
  }
}

}  // namespace autoshard::internal
