// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "autoshard/options.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::tool {
namespace {

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing else

void interrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);  // the second one ends the program
}

std::string flag(std::string_view option) {
  std::string text = "--" + std::string(option);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

/// One line on the terminal that rewrites itself.
class ProgressLine {
 public:
  bool operator()(const SolveProgress& progress) {
    if (watch_.seconds() - last_seconds_ < kPeriodSeconds) return true;
    last_seconds_ = watch_.seconds();
    fmt::print(stderr, "\r\033[K{:.1f} s  {}  cost {}  lower bound {}", progress.seconds,
               progress.phase, text(progress.cost), text(progress.lower_bound));
    std::fflush(stderr);
    shown_ = true;
    return true;
  }
  ~ProgressLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  static constexpr double kPeriodSeconds = 0.2;
  static std::string text(const std::optional<Int128>& value) {
    return value ? to_string(*value) : "-";
  }
  Stopwatch watch_;
  double last_seconds_ = 0;
  bool shown_ = false;
};

}  // namespace

int complain(const Error& error) {
  fmt::print(stderr, "autoshard: error: {}\n", error.message);
  const bool bad_input =
      error.code == ErrorCode::invalid_argument || error.code == ErrorCode::not_found;
  return bad_input ? kBadInput : kNoAnswer;
}

void SolverFlags::add_to(CLI::App& command, bool cost_graph_only) {
  for (const OptionDescription& option : option_table()) {
    if (cost_graph_only && !option.of_cost_graph) continue;
    const std::string help =
        fmt::format("{} {}; default {}", option.help, option.range, option.default_value);
    CLI::Option* added =
        command.add_option(flag(option.name), values_[std::string(option.name)], help)
            ->type_name(std::string(option.type));
    // One value after each flag; one that repeats may be given several times.
    option.repeats ? added->allow_extra_args(false) : added->expected(1);
  }
}

Result<IntraOpOptions> SolverFlags::options() const {
  IntraOpOptions options;
  for (const auto& [name, values] : values_) {
    for (const std::string& value : values) {
      AUTOSHARD_CHECK_OK(set_option(options, name, value));
    }
  }
  std::signal(SIGINT, interrupt);
  options.solve.cancel = &interrupted;
  if (isatty(STDERR_FILENO)) {
    options.solve.progress = [line = std::make_shared<ProgressLine>()](const SolveProgress& now) {
      return (*line)(now);
    };
  }
  return options;
}

void OutputFlags::add_to(CLI::App& command) {
  command.add_option("--format", format_, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("text|json");
  command.add_option("-o,--output", path_, "write to this file")->type_name("FILE");
}

int OutputFlags::print(std::string_view text, int exit_code) const {
  std::FILE* file = path_.empty() ? stdout : std::fopen(path_.c_str(), "wb");
  if (!file) return complain(internal::invalid("file '{}': {}", path_, std::strerror(errno)));
  const bool line_break = text.empty() || text.back() != '\n';
  std::fwrite(text.data(), 1, text.size(), file);
  if (line_break) std::fputc('\n', file);
  const bool failed = std::fflush(file) != 0 || std::ferror(file) != 0;
  const int reason = errno;
  if (file != stdout) std::fclose(file);
  if (!failed) return exit_code;
  return complain(internal::invalid("file '{}': {}", path_.empty() ? "standard output" : path_,
                                    std::strerror(reason)));
}

Stopwatch::Stopwatch()
    : start_nanoseconds_(std::chrono::steady_clock::now().time_since_epoch().count()) {}

double Stopwatch::seconds() const {
  using Period = std::chrono::steady_clock::period;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<double>(now - start_nanoseconds_) * Period::num / Period::den;
}

}  // namespace autoshard::tool
