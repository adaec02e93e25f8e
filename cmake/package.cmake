# SPDX-License-Identifier: Apache-2.0
# Debian packages by `cpack`, one for each group of install components: ringproof-core-dev, ringproof-tools, ringproof-doc.
# packaging/debian/finish.cmake adds to each what Debian's policy asks for.
set(RINGPROOF_MAINTAINER "The ringproof authors <maintainers@ringproof.invalid>" CACHE STRING
    "Who answers for the Debian packages: NAME <ADDRESS>")
file(READ "${PROJECT_SOURCE_DIR}/packaging/debian/changelog" changelog)
string(REGEX MATCH "^ringproof \\(([^)]+)\\)" unused "${changelog}")
set(CPACK_DEBIAN_PACKAGE_VERSION "${CMAKE_MATCH_1}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ringproof)
set(CPACK_PACKAGE_VENDOR ringproof)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL core verify tools shells doc)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${RINGPROOF_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/packaging/debian/begin.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/finish.cmake")
set(CPACK_RINGPROOF_SOURCE "${PROJECT_SOURCE_DIR}")
set(CPACK_RINGPROOF_BUILD "${PROJECT_BINARY_DIR}")
set(CPACK_RINGPROOF_STRIP "${CMAKE_STRIP}")
set(CPACK_RINGPROOF_OBJCOPY "${CMAKE_OBJCOPY}")

set(CPACK_DEBIAN_CORE-DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_CORE-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_CORE-DEV_DESCRIPTION "verified ring buffers between threads or processes (headers)
A header-only C++20 library of lock-free ring buffers: queues with one or
many producers, rings of records that are filled and read in place, flight
recorders, and sessions that merge the records of many threads. The record
ring has a C interface. Each was verified under the C++ memory model.

This package has the headers, a CMake package (ringproof::core), a pkg-config
file, and the same as a single header.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# The verbs find the checker's library by the path that is in them; for dpkg-shlibdeps it lies elsewhere yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/lib")
# `ringproof check` compiles what it checks, and so do litmus tests on hardware. What is built with ringproof::verify
# is linked with its library alone, whose own dependencies shlibdeps names; its CMake package is part of the core's.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "g++ | c++-compiler, libc6-dev, ringproof-core-dev (= ${CPACK_DEBIAN_PACKAGE_VERSION})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "clang, cmake, linux-perf, ringproof-doc")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "model checker for lock-free C and C++ programs, and benchmarks
The command ringproof explores every execution that a memory model allows of
an unmodified program with atomics and threads, and shows the one that
breaks; it verifies the scenarios of the ringproof core, simulates litmus
tests and runs them on the processor at hand, benchmarks queues and rings,
and makes reports of the results.

This package has the command with all its verbs, manual pages, completion for
bash, zsh and fish, and the checker's library with its CMake functions.")

set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_DESCRIPTION "documentation and examples of ringproof
How to check lock-free code and to benchmark it, what each ring buffer of
ringproof guarantees and what shows it, and examples for C and C++.")

include(CPack)
cpack_add_component(core GROUP core-dev)
cpack_add_component(verify GROUP tools)
cpack_add_component(tools GROUP tools)
cpack_add_component(shells GROUP tools)
cpack_add_component(doc GROUP doc)
