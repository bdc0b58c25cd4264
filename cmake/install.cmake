# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# Installs the libraries, their headers, a CMake package and two pkg-config files.
include(CMakePackageConfigHelpers)
set(AUTOSHARD_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/autoshard)

install(TARGETS autoshard EXPORT autoshardTargets)
install(DIRECTORY include/autoshard DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp" PATTERN "glpk.hpp" EXCLUDE)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET autoshard_c)
  install(TARGETS autoshard_c EXPORT autoshardTargets)
  install(FILES capi/autoshard.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(EXPORT autoshardTargets NAMESPACE autoshard:: DESTINATION ${AUTOSHARD_PACKAGE_DIR})

if(TARGET autoshard_glpk)
  install(TARGETS autoshard_glpk EXPORT autoshardGlpkTargets)
  install(FILES include/autoshard/glpk.hpp
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/autoshard)
  install(EXPORT autoshardGlpkTargets NAMESPACE autoshard:: DESTINATION ${AUTOSHARD_PACKAGE_DIR})
  install(FILES cmake/FindGLPK.cmake DESTINATION ${AUTOSHARD_PACKAGE_DIR})
endif()

configure_package_config_file(cmake/autoshardConfig.cmake.in autoshardConfig.cmake
  INSTALL_DESTINATION ${AUTOSHARD_PACKAGE_DIR})
write_basic_package_version_file(autoshardConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/autoshardConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/autoshardConfigVersion.cmake DESTINATION ${AUTOSHARD_PACKAGE_DIR})

# Relative to the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH AUTOSHARD_PC_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(AUTOSHARD_PC_REQUIRES_PRIVATE "")
set(AUTOSHARD_PC_LIBS_PRIVATE "")
if(AUTOSHARD_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  set(AUTOSHARD_PC_REQUIRES_PRIVATE "fmt, zlib")
  set(AUTOSHARD_PC_LIBS_PRIVATE "-pthread")
endif()
set(AUTOSHARD_PC_FILES autoshard.pc)
if(TARGET autoshard_c)
  list(APPEND AUTOSHARD_PC_FILES autoshard-c.pc)
endif()
foreach(file IN LISTS AUTOSHARD_PC_FILES)
  configure_file(cmake/${file}.in ${file} @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
