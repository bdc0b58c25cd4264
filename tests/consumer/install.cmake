# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DBUILD=... -DPREFIX=... -DCONFIG=... -P install.cmake
# Starts from an empty prefix, so that a file that is no longer installed is missed.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --config ${CONFIG}
  COMMAND_ERROR_IS_FATAL ANY)
