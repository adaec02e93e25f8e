# SPDX-License-Identifier: Apache-2.0
# What a user can choose. As a subproject only the core is configured, and the checker where its packages are (see
# checker.cmake), so that add_subdirectory() and FetchContent ask for no dependency.
include(GNUInstallDirs)

option(RINGPROOF_BUILD_TOOLS "Build all commands: the checker, the litmus runner, the report (needs packages)"
       ${PROJECT_IS_TOP_LEVEL})
option(RINGPROOF_BUILD_BENCH "Build the benchmarks (needs Google Benchmark and hwloc)"
       ${PROJECT_IS_TOP_LEVEL})
option(RINGPROOF_BUILD_TESTING "Build the tests (needs Catch2)" ${PROJECT_IS_TOP_LEVEL})
option(RINGPROOF_SANITIZED "Only what a sanitizer can judge; the sanitizer presets set it" OFF)
option(RINGPROOF_TIDY "Run clang-tidy while compiling; the tidy preset sets it" OFF)
option(RINGPROOF_INSTALL "Generate the install rules" ${PROJECT_IS_TOP_LEVEL})
option(RINGPROOF_REPRODUCIBLE "Leave the paths of this build out of what is installed; the package preset sets it" OFF)

# What is the same on every machine lies in share/; the checker's library, which is no interface of its own (its
# programs are built beside it), in a folder that the dynamic linker does not look in.
set(RINGPROOF_INSTALL_CMAKEDIR "${CMAKE_INSTALL_DATADIR}/cmake/ringproof")
set(RINGPROOF_INSTALL_CHECKER_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/ringproof")
set(RINGPROOF_INSTALL_CHECKER_DIR "${CMAKE_INSTALL_LIBDIR}/ringproof/checker")
set(RINGPROOF_INSTALL_VERBS_DIR "${CMAKE_INSTALL_LIBEXECDIR}/ringproof") # where the `ringproof` command looks
file(RELATIVE_PATH RINGPROOF_VERBS_TO_CHECKER
     "/prefix/${RINGPROOF_INSTALL_VERBS_DIR}" "/prefix/${RINGPROOF_INSTALL_CHECKER_DIR}")

if(RINGPROOF_REPRODUCIBLE)
  # Debug information and assertions name files from the top of the sources, and programs find libraries from where they
  # are: then two folders give the same bytes.
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.")
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake")
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  # One bin and one lib folder, so that `ringproof VERB` finds its verbs beside itself.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  if(RINGPROOF_TIDY)
    find_program(RINGPROOF_CLANG_TIDY NAMES clang-tidy clang-tidy-19 clang-tidy-16 clang-tidy-14 REQUIRED)
    set(CMAKE_CXX_CLANG_TIDY "${RINGPROOF_CLANG_TIDY}")
    set(CMAKE_C_CLANG_TIDY "${RINGPROOF_CLANG_TIDY}")
  endif()
  if(RINGPROOF_BUILD_TESTING)
    enable_testing()
    include(cmake/catch2_main.cmake)
  endif()
endif()
