# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# Finds GLPK, whose Debian package has neither a CMake nor a pkg-config file. Defines GLPK_FOUND,
# GLPK_VERSION and the target GLPK::GLPK. Note that GLPK is licensed under the GPL, version 3.
find_path(GLPK_INCLUDE_DIR glpk.h PATH_SUFFIXES glpk)
find_library(GLPK_LIBRARY NAMES glpk)
mark_as_advanced(GLPK_INCLUDE_DIR GLPK_LIBRARY)

if(GLPK_INCLUDE_DIR)
  file(STRINGS ${GLPK_INCLUDE_DIR}/glpk.h GLPK_VERSION_LINES
    REGEX "#define[ \t]+GLP_(MAJOR|MINOR)_VERSION[ \t]+[0-9]+")
  string(REGEX REPLACE ".*MAJOR_VERSION[ \t]+([0-9]+).*MINOR_VERSION[ \t]+([0-9]+).*" "\\1.\\2"
    GLPK_VERSION "${GLPK_VERSION_LINES}")
  unset(GLPK_VERSION_LINES)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GLPK
  REQUIRED_VARS GLPK_LIBRARY GLPK_INCLUDE_DIR VERSION_VAR GLPK_VERSION)

if(GLPK_FOUND AND NOT TARGET GLPK::GLPK)
  add_library(GLPK::GLPK UNKNOWN IMPORTED)
  set_target_properties(GLPK::GLPK PROPERTIES
    IMPORTED_LOCATION ${GLPK_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${GLPK_INCLUDE_DIR})
endif()
