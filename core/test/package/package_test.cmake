# SPDX-License-Identifier: Apache-2.0
# How a stranger gets the core, tried for real:
#   cmake -DWAY=installed|subdirectory|fetched -DSOURCE=… -DBUILD=… -DWORK=… -DGENERATOR=… -DCOMPILER=… -P package_test.cmake
# installed:     the install component `core` into an empty prefix, moved elsewhere; the examples built alone
#                against it, once through CMake and once through pkg-config
# subdirectory:  the whole project inside a parent that has none of the packages the tools need
# fetched:       the same by FetchContent
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    string(REPLACE ";" " " line "${ARGV}")
    message(FATAL_ERROR "${line}\nended with ${code}:\n${output}")
  endif()
endfunction()

function(configure_and_build source build)
  run("${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
      -DCMAKE_CXX_STANDARD=20 -DCMAKE_BUILD_TYPE=Release ${ARGN})
  run("${CMAKE_COMMAND}" --build "${build}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

if(WAY STREQUAL "installed")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --component core --prefix "${WORK}/staged")
  file(RENAME "${WORK}/staged" "${WORK}/moved")
  file(GLOB_RECURSE config "${WORK}/moved/*-config.cmake" "${WORK}/moved/*-targets.cmake")
  foreach(file IN LISTS config)
    file(READ "${file}" text)
    if(text MATCHES "find_dependency|find_package *\\(" OR text MATCHES "${SOURCE}")
      message(FATAL_ERROR "${file} asks for a dependency or names the source tree")
    endif()
  endforeach()
  foreach(example core-spsc core-records core-aux core-c core-processes)
    configure_and_build("${SOURCE}/examples/${example}" "${WORK}/${example}" "-DCMAKE_PREFIX_PATH=${WORK}/moved")
    string(REPLACE "-" "_" program "${example}")
    run("${WORK}/${example}/${program}")
  endforeach()

  # It runs perf where that is installed: the test of the kernel's rings does.
  configure_and_build("${SOURCE}/examples/core-perf" "${WORK}/core-perf" "-DCMAKE_PREFIX_PATH=${WORK}/moved")

  # The single header alone, away from everything else that was installed.
  file(GLOB_RECURSE single "${WORK}/moved/*/ringproof.hpp")
  file(COPY "${single}" DESTINATION "${WORK}/alone")
  configure_and_build("${SOURCE}/examples/core-single-header" "${WORK}/core-single-header"
                      "-DRINGPROOF_HPP=${WORK}/alone")
  run("${WORK}/core-single-header/core_single_header")

  find_program(PKG_CONFIG pkg-config)
  if(PKG_CONFIG)
    file(GLOB_RECURSE pc "${WORK}/moved/ringproof-core.pc")
    get_filename_component(directory "${pc}" DIRECTORY)
    set(ENV{PKG_CONFIG_PATH} "${directory}")
    execute_process(COMMAND "${PKG_CONFIG}" --cflags ringproof-core OUTPUT_VARIABLE flags
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run("${COMPILER}" ${flags} -O1 -pthread "${SOURCE}/examples/core-spsc/main.cpp" -o "${WORK}/by-pkg-config")
    run("${WORK}/by-pkg-config")
  else()
    message(STATUS "pkg-config is not installed: its file was not tried")
  endif()

  # A component that is not there is refused by name.
  file(WRITE "${WORK}/unknown/CMakeLists.txt"
       "cmake_minimum_required(VERSION 3.20)\nproject(unknown CXX)\n"
       "find_package(ringproof REQUIRED COMPONENTS nosuch)\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/unknown" -B "${WORK}/unknown/build" -G "${GENERATOR}"
                          "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/moved"
                  RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE output)
  if(code EQUAL 0 OR NOT output MATCHES "nosuch")
    message(FATAL_ERROR "an unknown component was not refused by name:\n${output}")
  endif()
elseif(WAY STREQUAL "subdirectory" OR WAY STREQUAL "fetched")
  if(WAY STREQUAL "fetched")
    set(how "include(FetchContent)\nFetchContent_Declare(ringproof SOURCE_DIR \"${SOURCE}\")\n"
            "FetchContent_MakeAvailable(ringproof)\n")
  else()
    set(how "add_subdirectory(\"${SOURCE}\" ringproof)\n")
  endif()
  file(WRITE "${WORK}/parent/CMakeLists.txt"
       "cmake_minimum_required(VERSION 3.25)\nproject(parent CXX)\nfind_package(Threads REQUIRED)\n"
       ${how}
       "add_executable(parent \"${SOURCE}/examples/core-spsc/main.cpp\")\n"
       "target_link_libraries(parent PRIVATE ringproof::core Threads::Threads)\n")
  # Every package the tools need is hidden: the core must not miss them.
  set(hidden)
  foreach(package Catch2 benchmark CLI11 fmt nlohmann_json Boost PkgConfig hwloc)
    list(APPEND hidden "-DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON")
  endforeach()
  configure_and_build("${WORK}/parent" "${WORK}/build" ${hidden})
  run("${WORK}/build/parent")
else()
  message(FATAL_ERROR "WAY is '${WAY}', not installed, subdirectory or fetched")
endif()
file(REMOVE_RECURSE "${WORK}")
