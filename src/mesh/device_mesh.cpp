// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/device_mesh.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using internal::invalid;

/// Far above any machine; keeps every product of axis sizes and tables of devices small.
constexpr std::int64_t kMaxDevices = std::int64_t{1} << 22;

bool is_name(std::string_view text) {
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), word);
}

Result<void> check_axes(std::span<const MeshAxis> axes) {
  if (axes.empty()) return invalid("mesh: it has no axis");
  std::int64_t devices = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const MeshAxis& axis = axes[i];
    if (!is_name(axis.name)) return invalid("mesh axis {}: '{}' is not a name", i, axis.name);
    if (axis.size < 1)
      return invalid("mesh axis '{}': size {} is less than 1", axis.name, axis.size);
    for (std::size_t j = 0; j < i; ++j) {
      if (axes[j].name == axis.name)
        return invalid("mesh axis '{}': the name is used twice", axis.name);
    }
    if (!(axis.link.bytes_per_second > 0) || !(axis.link.latency_seconds >= 0)) {
      return invalid("mesh axis '{}': its link needs a bandwidth > 0 and a latency >= 0",
                     axis.name);
    }
    if (axis.size > kMaxDevices / devices) {
      return invalid("mesh axis '{}': more than {} devices", axis.name, kMaxDevices);
    }
    devices *= axis.size;
  }
  return {};
}

Result<void> check_ids(std::span<const std::int64_t> ids, std::int64_t devices) {
  if (static_cast<std::int64_t>(ids.size()) != devices) {
    return invalid("mesh: {} device ids for {} devices", ids.size(), devices);
  }
  std::vector<std::int64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return invalid("mesh: device id {} appears twice", *twice);
  return {};
}

Result<std::int64_t> parse_size(std::string_view text, std::string_view whole) {
  std::int64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) {
    return invalid("mesh '{}': '{}' is not an axis size", whole, text);
  }
  return size;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

Result<std::vector<MeshAxis>> parse_axes(std::string_view text, const Link& link) {
  const bool named = text.find('=') != std::string_view::npos;
  std::vector<MeshAxis> axes;
  for (std::string_view part : split(text, named ? ',' : 'x')) {
    std::string axis_name = fmt::format("a{}", axes.size());
    if (named) {
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) {
        return invalid("mesh '{}': '{}' is not of the form name=size", text, part);
      }
      axis_name = part.substr(0, equals);
      part.remove_prefix(equals + 1);
    }
    AUTOSHARD_TRY(const std::int64_t size, parse_size(part, text));
    axes.push_back({std::move(axis_name), size, link});
  }
  return axes;
}

}  // namespace

Result<DeviceMesh> DeviceMesh::create(std::vector<MeshAxis> axes, Device device,
                                      std::vector<std::int64_t> device_ids) {
  return internal::guarded([&]() -> Result<DeviceMesh> {
    AUTOSHARD_CHECK_OK(check_axes(axes));
    std::int64_t devices = 1;
    for (const MeshAxis& axis : axes) devices *= axis.size;
    if (device_ids.empty()) {
      device_ids.resize(static_cast<std::size_t>(devices));
      std::iota(device_ids.begin(), device_ids.end(), std::int64_t{0});
    }
    AUTOSHARD_CHECK_OK(check_ids(device_ids, devices));
    DeviceMesh mesh;
    mesh.axes_ = std::move(axes);
    mesh.device_ = std::move(device);
    mesh.device_ids_ = std::move(device_ids);
    return mesh;
  });
}

Result<DeviceMesh> DeviceMesh::parse(std::string_view text, const Device& device) {
  return internal::guarded([&]() -> Result<DeviceMesh> {
    AUTOSHARD_TRY(std::vector<MeshAxis> axes, parse_axes(text, device.link));
    return create(std::move(axes), device);
  });
}

std::int64_t DeviceMesh::coordinate(std::int64_t device, std::int32_t axis) const {
  std::int64_t inner = 1;
  for (std::size_t i = axes_.size() - 1; i > static_cast<std::size_t>(axis); --i) {
    inner *= axes_[i].size;
  }
  return device / inner % axes_[static_cast<std::size_t>(axis)].size;
}

std::string DeviceMesh::to_string() const {
  std::string text;
  for (const MeshAxis& axis : axes_) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", axis.name, axis.size);
  }
  return text;
}

}  // namespace autoshard
