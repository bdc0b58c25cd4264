// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/options.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/parse_number.hpp"

namespace autoshard {
namespace {

using internal::invalid;
using Setter = Result<void> (*)(IntraOpOptions&, std::string_view name, std::string_view value);

struct Suffix {
  std::string_view name;
  double factor;
};

constexpr std::array kSuffixes = {
    Suffix{"", 1},         Suffix{"B", 1},        Suffix{"KB", 1e3},     Suffix{"MB", 1e6},
    Suffix{"GB", 1e9},     Suffix{"TB", 1e12},    Suffix{"KiB", 0x1p10}, Suffix{"MiB", 0x1p20},
    Suffix{"GiB", 0x1p30}, Suffix{"TiB", 0x1p40}, Suffix{"kB", 1e3},  // as reports print it
};

Error malformed(std::string_view name, std::string_view value, std::string_view expected) {
  return invalid("option '{}': '{}' is not {}", name, value, expected);
}

Result<void> set_memory_limit(IntraOpOptions& options, std::string_view name,
                              std::string_view value) {
  if (value == "none") {
    options.memory_limit_bytes.reset();
    return {};
  }
  const Result<std::int64_t> bytes = parse_bytes(value);
  if (!bytes) return invalid("option '{}': {}", name, bytes.error().message);
  if (*bytes < 1) return malformed(name, value, "at least 1 byte");
  options.memory_limit_bytes = *bytes;
  return {};
}

Result<void> set_target(IntraOpOptions& options, std::string_view name, std::string_view value) {
  Result<Target> target = find_target(value);
  if (!target)
    return Error{target.error().code, fmt::format("option '{}': {}", name, target.error().message)};
  options.target = *std::move(target);
  return {};
}

/// "arg:x=[{"data"}, {}]". What the path and the spec mean is known when a graph is planned.
std::optional<PinnedPath> read_pin(std::string_view text) {
  const auto trim = [](std::string_view part) {
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    return std::string(part);
  };
  const std::size_t bracket = text.rfind('[');
  const std::size_t equals = text.substr(0, bracket).rfind('=');
  if (bracket == text.npos || equals == text.npos) return std::nullopt;
  PinnedPath pin{trim(text.substr(0, equals)), trim(text.substr(equals + 1))};
  if (pin.path.empty() || pin.spec.front() != '[') return std::nullopt;
  return pin;
}

Result<void> set_pin(IntraOpOptions& options, std::string_view name, std::string_view value) {
  if (value == "none") {
    options.pinned_paths.clear();
    return {};
  }
  std::vector<PinnedPath> pins;
  while (true) {
    const std::size_t end = value.find(';');
    const std::optional<PinnedPath> pin = read_pin(value.substr(0, end));
    if (!pin) {
      return malformed(name, value.substr(0, end),
                       R"(a path and a spec like arg:x=[{"data"}, {}])");
    }
    pins.push_back(*pin);
    if (end == value.npos) break;
    value.remove_prefix(end + 1);
  }
  options.pinned_paths.insert(options.pinned_paths.end(), pins.begin(), pins.end());
  return {};
}

Result<void> set_time_limit(IntraOpOptions& options, std::string_view name,
                            std::string_view value) {
  const std::optional<double> seconds = internal::parse_number(value);
  if (!seconds || !(*seconds > 0)) return malformed(name, value, "a number of seconds above 0");
  options.solve.time_limit_seconds = *seconds;
  return {};
}

Result<void> set_work_limit(IntraOpOptions& options, std::string_view name,
                            std::string_view value) {
  if (value == "none") {
    options.solve.work_limit.reset();
    return {};
  }
  const std::optional<std::int64_t> work = internal::parse_integer<std::int64_t>(value);
  if (!work || *work < 1) return malformed(name, value, "an integer of at least 1, or none");
  options.solve.work_limit = *work;
  return {};
}

Result<void> set_threads(IntraOpOptions& options, std::string_view name, std::string_view value) {
  const std::optional<int> threads = internal::parse_integer<int>(value);
  if (!threads || *threads < 1 || *threads > 1024) {
    return malformed(name, value, "an integer from 1 to 1024");
  }
  options.solve.threads = *threads;
  return {};
}

Result<void> set_seed(IntraOpOptions& options, std::string_view name, std::string_view value) {
  const auto seed = internal::parse_integer<std::uint64_t>(value);
  if (!seed) return malformed(name, value, "an integer of at least 0");
  options.solve.seed = *seed;
  return {};
}

Result<void> set_gap_target(IntraOpOptions& options, std::string_view name,
                            std::string_view value) {
  const std::optional<double> gap = internal::parse_number(value);
  if (!gap || !(*gap >= 0)) return malformed(name, value, "a number of at least 0");
  options.solve.gap_target = *gap;
  return {};
}

constexpr std::array kTable = {
    OptionDescription{"memory_limit", "bytes", "byte", "none", "at least 1 byte, or none",
                      "What one device may use at the peak of a step.", false},
    OptionDescription{"target", "name", "", "interpreter", "interpreter, xla, dtensor",
                      "The engine that will run the plan; what it cannot hold is not planned.",
                      false},
    OptionDescription{"pin", "text", "", "none",
                      "paths and specs, as `arg:x=[{\"data\"}, {}]`, with `;` between; or none",
                      "The form in which a tensor leaves its producer, or an argument arrives; "
                      "may be given several times, and each adds.",
                      false, true},
    OptionDescription{"time_limit", "seconds", "second", "60", "above 0",
                      "Wall-clock time of the solver; loading is not counted.", true},
    OptionDescription{"work_limit", "integer", "million table entries", "none",
                      "at least 1, or none",
                      "Ends the solver after a fixed amount of work, so that every run gives the "
                      "same answer at any number of threads.",
                      true},
    OptionDescription{"threads", "integer", "", "1", "1 to 1024", "Threads of the solver.", true},
    OptionDescription{"seed", "integer", "", "0", "at least 0",
                      "Start of the solver's random numbers.", true},
    OptionDescription{"gap_target", "number", "", "0.01 for a plan, 0 for a problem", "at least 0",
                      "Stops once (cost - lower bound) / cost is at most this; 0 asks for a proof.",
                      true},
};

constexpr std::array<Setter, kTable.size()> kSetters = {
    set_memory_limit, set_target,  set_pin,  set_time_limit,
    set_work_limit,   set_threads, set_seed, set_gap_target,
};

std::string names() {
  std::string list;
  for (const OptionDescription& option : kTable) {
    list += list.empty() ? "" : ", ";
    list += option.name;
  }
  return list;
}

std::string flag(std::string_view name) {
  std::string text = "--" + std::string(name);
  for (char& letter : text) letter = letter == '_' ? '-' : letter;
  return text;
}

}  // namespace

std::span<const OptionDescription> option_table() { return kTable; }

Result<void> set_option(IntraOpOptions& options, std::string_view name, std::string_view value) {
  return internal::guarded([&]() -> Result<void> {
    for (std::size_t i = 0; i < kTable.size(); ++i) {
      if (kTable[i].name == name) return kSetters[i](options, name, value);
    }
    return internal::not_found("option '{}': there is none of this name; there are {}", name,
                               names());
  });
}

Result<std::int64_t> parse_bytes(std::string_view text) {
  return internal::guarded([&]() -> Result<std::int64_t> {
    std::size_t digits = text.size();
    while (digits > 0 && std::isalpha(static_cast<unsigned char>(text[digits - 1]))) --digits;
    const std::optional<double> number = internal::parse_number(text.substr(0, digits));
    for (const Suffix& suffix : kSuffixes) {
      if (!number || suffix.name != text.substr(digits)) continue;
      const double bytes = std::floor(*number * suffix.factor);
      if (!(bytes >= 0 && bytes < 0x1p63)) break;
      return static_cast<std::int64_t>(bytes);
    }
    return invalid("'{}' is not a size like 16GB, 1.5GiB or 4096", text);
  });
}

std::string options_markdown() {
  std::string page =
      "# Options of a solve\n\n"
      "This page is written by `autoshard options --markdown`. In C an option is set by\n"
      "`autoshard_options_set(options, name, value)` with the value as text, in Python by a "
      "keyword\n"
      "of `solve_intra_op` and `solve`, and for the command by the flag. Sizes: KB, MB, GB, TB "
      "are\n"
      "powers of 1000, KiB, MiB, GiB, TiB powers of 1024, a bare number is bytes.\n\n"
      "| name | flag | type | unit | default | range | solve of a cost graph | meaning |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const OptionDescription& option : kTable) {
    page += fmt::format("| `{}` | `{}` | {} | {} | {} | {} | {} | {} |\n", option.name,
                        flag(option.name), option.type, option.unit, option.default_value,
                        option.range, option.of_cost_graph ? "yes" : "no", option.help);
  }
  return page;
}

}  // namespace autoshard
