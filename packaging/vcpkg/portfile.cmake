# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# An overlay port: it builds the checkout that it lies in (vcpkg install autoshard
# --overlay-ports=packaging/vcpkg). Without the GPL-3 licensed GLPK backend.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DAUTOSHARD_BUILD_TESTS=OFF -DAUTOSHARD_BUILD_TOOLS=OFF -DAUTOSHARD_BUILD_EXAMPLES=OFF
    -DAUTOSHARD_WITH_GLPK=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/autoshard)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
