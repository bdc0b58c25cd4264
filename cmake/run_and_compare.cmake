# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPROGRAM=... -DEXPECTED=FILE -P run_and_compare.cmake
# Fails unless PROGRAM exits 0 and prints exactly what FILE holds.
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed ERROR_VARIABLE errors
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} exited with ${status}\n${printed}${errors}")
endif()
file(READ ${EXPECTED} expected)
if(NOT "${printed}" STREQUAL "${expected}")
  message(FATAL_ERROR "${PROGRAM} printed\n${printed}\nbut ${EXPECTED} has\n${expected}")
endif()
