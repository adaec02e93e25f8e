# SPDX-License-Identifier: Apache-2.0
# Catch2 for another machine. Version 2 is headers alone, so those of this machine will do; but not by -I/usr/include,
# which would put this machine's libc before the other's.
if(NOT Catch2_VERSION VERSION_LESS 3)
  message(FATAL_ERROR "the tests of another machine need Catch2 2, which is headers alone (Debian 12); Catch2 ${Catch2_VERSION} "
                      "is a library of this machine. Without tests: -DRINGPROOF_BUILD_TESTING=OFF")
endif()
if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(FATAL_ERROR "no ${RINGPROOF_QEMU} in PATH, which runs the tests of another machine (Debian: apt-get install qemu-user). "
                      "Without tests: -DRINGPROOF_BUILD_TESTING=OFF")
endif()
get_target_property(folder Catch2::Catch2 INTERFACE_INCLUDE_DIRECTORIES)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/catch2")
file(CREATE_LINK "${folder}/catch2" "${PROJECT_BINARY_DIR}/generated/catch2/catch2" SYMBOLIC)
set_target_properties(Catch2::Catch2 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/generated/catch2")
