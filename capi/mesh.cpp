// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;

namespace {

Result<DeviceMesh> mesh_of_axes(const char* const* names, const int64_t* sizes, size_t count,
                                const char* device_name) {
  AUTOSHARD_TRY(Device device, find_device(device_name));
  std::vector<MeshAxis> axes;
  for (size_t i = 0; i < count; ++i) {
    if (!names[i]) return internal::invalid("parameter 'names': entry {} is null", i);
    axes.push_back({names[i], sizes[i], device.link});
  }
  return DeviceMesh::create(std::move(axes), std::move(device));
}

}  // namespace

int32_t autoshard_mesh_parse(const char* text, const char* device, autoshard_mesh** out) {
  return internal::create(out, {{"text", text}, {"device", device}}, [&]() -> Result<DeviceMesh> {
    AUTOSHARD_TRY(const Device found, find_device(device));
    return DeviceMesh::parse(text, found);
  });
}

int32_t autoshard_mesh_create(const char* const* names, const int64_t* sizes, size_t count,
                              const char* device, autoshard_mesh** out) {
  return internal::create(out, {{"names", names}, {"sizes", sizes}, {"device", device}},
                          [&] { return mesh_of_axes(names, sizes, count, device); });
}

int32_t autoshard_mesh_text(const autoshard_mesh* mesh, const char** out) {
  return internal::run({{"mesh", mesh}, {"out", out}}, [&]() -> Result<void> {
    *out = mesh->text.get([&] { return mesh->mesh.to_string(); });
    return {};
  });
}

void autoshard_mesh_destroy(autoshard_mesh** mesh) { internal::destroy(mesh); }
