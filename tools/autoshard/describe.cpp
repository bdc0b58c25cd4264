// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// autoshard devices; autoshard options [--markdown]
#include <fmt/format.h>

#include <memory>

#include "autoshard/device_mesh.hpp"
#include "autoshard/options.hpp"
#include "base/try.hpp"
#include "command.hpp"

namespace autoshard::tool {
namespace {

Result<std::string> devices_text() {
  std::string text = fmt::format("{:<12}{:>16}{:>16}{:>12}{:>12}{:>12}\n", "device",
                                 "16-bit TFLOP/s", "32-bit TFLOP/s", "GB", "GB/s", "link GB/s");
  for (const std::string& name : device_names()) {
    AUTOSHARD_TRY(const Device device, find_device(name));
    text += fmt::format("{:<12}{:>16.1f}{:>16.1f}{:>12.1f}{:>12.0f}{:>12.0f}\n", name,
                        device.matmul_flops_per_second_16 / 1e12,
                        device.matmul_flops_per_second_32 / 1e12,
                        static_cast<double>(device.memory_bytes) / 1e9,
                        device.memory_bytes_per_second / 1e9, device.link.bytes_per_second / 1e9);
  }
  return text;
}

std::string options_text() {
  std::string text;
  for (const OptionDescription& option : option_table()) {
    text += fmt::format("{:<14}{} Range: {}. Default: {}.\n", option.name, option.help,
                        option.range, option.default_value);
  }
  return text;
}

}  // namespace

void add_devices(CLI::App& app, int& exit_code) {
  app.add_subcommand("devices", "List the built-in devices")->callback([&exit_code] {
    const Result<std::string> text = devices_text();
    if (text.ok()) fmt::print("{}", *text);
    exit_code = text.ok() ? kAnswer : complain(text.error());
  });
}

void add_options(CLI::App& app, int& exit_code) {
  const auto markdown = std::make_shared<bool>(false);
  CLI::App* options_app = app.add_subcommand("options", "List the options of a solve");
  options_app->add_flag("--markdown", *markdown, "as docs/options.md");
  options_app->callback([markdown, &exit_code] {
    fmt::print("{}", *markdown ? options_markdown() : options_text());
    exit_code = kAnswer;
  });
}

}  // namespace autoshard::tool
