// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data-sheet figures: dense peaks, memory bandwidth, link bandwidth in one direction. f32 products
// run at the TF32 rate where the hardware has it, as frameworks do by default for training.
#include <array>

#include "autoshard/device_mesh.hpp"
#include "base/errors.hpp"

namespace autoshard {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

const std::array<Device, 6>& devices() {
  static const std::array<Device, 6> table = {{
      // name, matmul 16, matmul 32, matmul 64, vector, memory B/s, memory bytes, link
      {"v100",
       125 * kTera,
       15.7 * kTera,
       7.8 * kTera,
       15.7 * kTera,
       900 * kGiga,
       16'000'000'000,
       {6e-6, 130 * kGiga}},
      {"a100",
       312 * kTera,
       156 * kTera,
       19.5 * kTera,
       19.5 * kTera,
       1555 * kGiga,
       40'000'000'000,
       {5e-6, 235 * kGiga}},
      {"a100-80gb",
       312 * kTera,
       156 * kTera,
       19.5 * kTera,
       19.5 * kTera,
       2039 * kGiga,
       80'000'000'000,
       {5e-6, 235 * kGiga}},
      {"h100",
       989 * kTera,
       494 * kTera,
       67 * kTera,
       67 * kTera,
       3350 * kGiga,
       80'000'000'000,
       {4e-6, 370 * kGiga}},
      {"tpu-v5e",
       197 * kTera,
       98 * kTera,
       10 * kTera,
       10 * kTera,
       819 * kGiga,
       16'000'000'000,
       {1e-6, 45 * kGiga}},
      // One core of a server, round figures: what a virtual CPU device of JAX stands for.
      {"cpu",
       50 * kGiga,
       50 * kGiga,
       25 * kGiga,
       10 * kGiga,
       10 * kGiga,
       8'000'000'000,
       {1e-5, 5 * kGiga}},
  }};
  return table;
}

}  // namespace

std::vector<std::string> device_names() {
  std::vector<std::string> names;
  for (const Device& device : devices()) names.push_back(device.name);
  return names;
}

Result<Device> find_device(std::string_view name) {
  std::string known;
  for (const Device& device : devices()) {
    if (device.name == name) return device;
    known += (known.empty() ? "" : ", ") + device.name;
  }
  return internal::not_found("device '{}' is not known; known are {}", name, known);
}

}  // namespace autoshard
