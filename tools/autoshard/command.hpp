// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the subcommands share: exit codes, complaints, the flags of the option table, output.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/intra_op.hpp"

namespace autoshard::tool {

inline constexpr int kAnswer = 0;
inline constexpr int kNoAnswer = 1;
inline constexpr int kBadInput = 2;

/// Each adds a subcommand that leaves its exit code in `exit_code`.
void add_plan(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_devices(CLI::App& app, int& exit_code);
void add_options(CLI::App& app, int& exit_code);

/// "autoshard: error: ..." on stderr, and the exit code for it.
int complain(const Error& error);

/// One flag for each option of the table (those of a bare cost graph only, or all of them).
class SolverFlags {
 public:
  void add_to(CLI::App& command, bool cost_graph_only);
  /// With interrupts (Ctrl-C gives the best answer so far) and progress on a terminal connected.
  Result<IntraOpOptions> options() const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;  ///< by option name
};

/// --format text|json and -o FILE.
class OutputFlags {
 public:
  void add_to(CLI::App& command);
  bool json() const { return format_ == "json"; }
  /// Prints with a line break at the end, and answers with `exit_code` unless that fails.
  int print(std::string_view text, int exit_code) const;

 private:
  std::string format_ = "text";
  std::string path_;
};

/// Seconds since it was made.
class Stopwatch {
 public:
  Stopwatch();
  double seconds() const;

 private:
  std::int64_t start_nanoseconds_;
};

}  // namespace autoshard::tool
