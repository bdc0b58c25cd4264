// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command `autoshard`. Exit codes: 0 an answer, 1 none, 2 bad input.
#include <fmt/format.h>

#include <exception>

#include "command.hpp"

namespace {

using namespace autoshard;

int run(int argc, char** argv) {
  CLI::App app("Plans how the tensors of a model are split over devices.", "autoshard");
  app.set_version_flag("--version", std::string("autoshard ") + AUTOSHARD_VERSION);
  app.require_subcommand(0, 1);  // so that a wrong one is named
  app.footer("Exit codes: 0 an answer, 1 none, 2 bad input.");
  int exit_code = tool::kAnswer;
  tool::add_plan(app, exit_code);
  tool::add_solve(app, exit_code);
  tool::add_check(app, exit_code);
  tool::add_verify(app, exit_code);
  tool::add_devices(app, exit_code);
  tool::add_options(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return tool::complain({ErrorCode::invalid_argument, error.what()});
  }
  if (app.get_subcommands().empty()) {
    return tool::complain({ErrorCode::invalid_argument, "a subcommand is required, see --help"});
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& exception) {
    return tool::complain({ErrorCode::internal, exception.what()});
  }
}
