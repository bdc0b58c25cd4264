// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The devices of one stage as a grid with named axes. Any number of axes, any sizes >= 1. It says
// where devices are, how fast they are and over which link an axis runs; it holds no strategy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/error.hpp"
#include "autoshard/types.hpp"

namespace autoshard {

/// What a device can send over one axis: t(S) = latency + S / bandwidth per step of a ring.
struct Link {
  double latency_seconds = 5e-6;
  double bytes_per_second = 100e9;  ///< one direction, per device
};

/// One accelerator. Peaks are dense, without sparsity tricks.
struct Device {
  std::string name;
  double matmul_flops_per_second_16 = 0;  ///< bf16 and f16
  double matmul_flops_per_second_32 = 0;  ///< f32 (with TF32 where frameworks use it by default)
  double matmul_flops_per_second_64 = 0;
  double vector_flops_per_second = 0;  ///< everything that is not a dot or a convolution
  double memory_bytes_per_second = 0;
  std::int64_t memory_bytes = 0;
  Link link;  ///< between neighbours inside a host
};

/// Built-in devices: "v100", "a100", "h100", "tpu-v5e", ... Errors: not_found, with the list.
Result<Device> find_device(std::string_view name);
std::vector<std::string> device_names();

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;  ///< >= 1
  Link link;
};

class DeviceMesh {
 public:
  /// `device_ids` is row-major over the axes, the last axis innermost; empty: 0, 1, 2, ...
  /// Errors: no axis, size < 1, repeated or malformed name, too many devices, wrong id count.
  static Result<DeviceMesh> create(std::vector<MeshAxis> axes, Device device,
                                   std::vector<std::int64_t> device_ids = {});
  /// "data=2,model=4", or "2x4" for axes a0, a1. Links are the device's.
  static Result<DeviceMesh> parse(std::string_view text, const Device& device);

  std::span<const MeshAxis> axes() const { return axes_; }
  const Device& device() const { return device_; }
  std::span<const std::int64_t> device_ids() const { return device_ids_; }
  std::int64_t device_count() const { return static_cast<std::int64_t>(device_ids_.size()); }
  /// Coordinate of the n-th device (row-major) along an axis.
  std::int64_t coordinate(std::int64_t device, std::int32_t axis) const;
  std::string to_string() const;  ///< "data=2,model=4"

 private:
  std::vector<MeshAxis> axes_;
  Device device_;
  std::vector<std::int64_t> device_ids_;
};

}  // namespace autoshard
