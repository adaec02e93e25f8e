# SPDX-License-Identifier: Apache-2.0
# Catch2 v2's main is slow to compile: once for all test binaries, as an object library.
#   ringproof_add_unit_tests(NAME [OPTIMISED] SOURCES a.cpp b.cpp LIBRARIES x y)
# makes one test binary and registers each of its cases with CTest. The sources of tests are not optimised, which
# would be half of their compile time, unless what they test is in headers.
# It is this machine's also when what is built is another's.
find_package(Catch2 REQUIRED NO_CMAKE_FIND_ROOT_PATH)
if(Catch2_VERSION VERSION_LESS 2.13)
  message(FATAL_ERROR "Catch2 ${Catch2_VERSION} is too old; 2.13 (Debian 12) and 3 (Debian 13) are known to do")
endif()
include(Catch)
if(CMAKE_CROSSCOMPILING)
  include("${CMAKE_CURRENT_LIST_DIR}/catch2_cross.cmake")
endif()

if(Catch2_VERSION VERSION_LESS 3)
  file(WRITE "${PROJECT_BINARY_DIR}/generated/catch2_main.cpp"
       "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
  add_library(ringproof_catch2_main OBJECT "${PROJECT_BINARY_DIR}/generated/catch2_main.cpp")
  target_link_libraries(ringproof_catch2_main PUBLIC Catch2::Catch2)
  # What a test that calls the compiler itself says to it, divided by |.
  set(RINGPROOF_CATCH2_MAIN "$<TARGET_OBJECTS:ringproof_catch2_main>")
else() # which brings a main of its own, and has no catch.hpp any more
  add_library(ringproof_catch2_main INTERFACE)
  target_include_directories(ringproof_catch2_main INTERFACE "${CMAKE_CURRENT_LIST_DIR}/catch2_v3")
  target_link_libraries(ringproof_catch2_main INTERFACE Catch2::Catch2WithMain)
  set(RINGPROOF_CATCH2_MAIN
      "-I${CMAKE_CURRENT_LIST_DIR}/catch2_v3|$<TARGET_FILE:Catch2::Catch2WithMain>|$<TARGET_FILE:Catch2::Catch2>")
endif()

function(ringproof_add_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "PREFIX" "SOURCES;LIBRARIES;LABELS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ringproof_catch2_main Catch2::Catch2 ${arg_LIBRARIES})
  if(NOT arg_OPTIMISED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  # catch.hpp is half of what compiling a test costs: once for each binary. A few sources do not win that back.
  list(LENGTH arg_SOURCES count)
  if(count GREATER 3)
    target_precompile_headers(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:<catch2/catch.hpp$<ANGLE-R>>)
    ringproof_precompiled_for_ccache(${name})
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX "${name}: ")
  endif()
  # In quotes of its own: CMake takes trailing blanks off a -D value that has none.
  # A name that matches no test case is no success: a semicolon in a name makes two of it. Labels come last, since there
  # may be none.
  catch_discover_tests(${name} TEST_PREFIX "'${arg_PREFIX}'"
    PROPERTIES FAIL_REGULAR_EXPRESSION "No.test.cases.matched" LABELS "${arg_LABELS}")
endfunction()
