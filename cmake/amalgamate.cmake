# SPDX-License-Identifier: Apache-2.0
# The whole core in one header:  cmake -DINCLUDE=core/include -DOUTPUT=ringproof.hpp -DVERSION=… -P amalgamate.cmake
# Each header is put where it is first included; the order of includes is the order of the files' own.
cmake_minimum_required(VERSION 3.20)
get_filename_component(INCLUDE "${INCLUDE}" ABSOLUTE)
set(done)
set(text "")

function(take header)
  if(header IN_LIST done)
    return()
  endif()
  list(APPEND done "${header}")
  file(READ "${INCLUDE}/${header}" content)
  # Brackets and semicolons mean something to CMake's lists.
  string(REPLACE "[" "@open@" content "${content}")
  string(REPLACE "]" "@close@" content "${content}")
  string(REPLACE ";" "@semicolon@" content "${content}")
  string(REPLACE "\\" "@backslash@" content "${content}")
  string(REPLACE "\n" ";" lines "${content}")
  set(text "${text}\n// ---- ${header}\n")
  foreach(line IN LISTS lines)
    if(line MATCHES "^#pragma once" OR line MATCHES "^// SPDX-License-Identifier")
      continue()
    elseif(line MATCHES "^#include \"(ringproof/[^\"]+)\"")
      take("${CMAKE_MATCH_1}")
    else()
      string(APPEND text "${line}\n")
    endif()
  endforeach()
  set(text "${text}" PARENT_SCOPE)
  set(done "${done}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers RELATIVE "${INCLUDE}" "${INCLUDE}/ringproof/*.hpp")
list(SORT headers)
# A header that another one includes at its end is not where to begin.
list(REMOVE_ITEM headers ringproof/paged_recorder.hpp ringproof/record_batch.hpp ringproof/session/session_writer.hpp)
foreach(header IN LISTS headers)
  take("${header}")
endforeach()

string(REPLACE "@open@" "[" text "${text}")
string(REPLACE "@close@" "]" text "${text}")
string(REPLACE "@semicolon@" ";" text "${text}")
string(REPLACE "@backslash@" "\\" text "${text}")
file(WRITE "${OUTPUT}" "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"
     "// ringproof ${VERSION}: the core in one header, made from the headers of core/include. Do not edit.\n${text}")
