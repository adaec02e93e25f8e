# SPDX-License-Identifier: Apache-2.0
# The toolchain of the clang presets: Debian's default clang, or else the newest that is installed.
foreach(language IN ITEMS CXX C)
  if(language STREQUAL "CXX")
    set(name clang++)
  else()
    set(name clang)
  endif()
  set(names ${name})
  foreach(version RANGE 30 14 -1)
    list(APPEND names ${name}-${version})
  endforeach()
  find_program(RINGPROOF_CLANG_${language} NAMES ${names} NAMES_PER_DIR
               DOC "the compiler of the clang presets")
  if(NOT RINGPROOF_CLANG_${language})
    message(FATAL_ERROR "no ${name} 14 or later in PATH (Debian: apt-get install clang)")
  endif()
  set(CMAKE_${language}_COMPILER "${RINGPROOF_CLANG_${language}}")
endforeach()
