# SPDX-License-Identifier: Apache-2.0
# What makes no sense must not compile, and the compiler must say the reason in the first line of its one error:
#   cmake -DCORE=core/ -DCOMPILER=… -DFILE=refused/….cpp -P refused_test.cmake
# In FILE each REFUSED("part of the sentence", what) is to give one error, in the order of the file.
get_filename_component(here "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)

function(compile file out_code out_errors)
  set(limit "")
  if(COMPILER MATCHES "clang")
    set(limit "-ferror-limit=0")
  endif()
  execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${limit} "-I${CORE}/include" "${file}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  # Semicolons and brackets mean something to CMake's lists.
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REGEX MATCHALL "error: [^\n]*" errors "${text}")
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_errors} "${errors}" PARENT_SCOPE)
endfunction()

file(READ "${here}/${FILE}" text)
string(REPLACE ";" "," text "${text}")
string(REGEX MATCHALL "\nREFUSED\\(\"[^\"]*\"" sentences "${text}")
list(LENGTH sentences wanted)
compile("${here}/${FILE}" code errors)
list(LENGTH errors met)
set(failures "")
foreach(wish IN LISTS sentences)
  string(REGEX REPLACE "^\nREFUSED\\(\"(.*)\"$" "\\1" sentence "${wish}")
  list(POP_FRONT errors error)
  string(FIND "${error}" "${sentence}" found)
  if(found EQUAL -1)
    string(APPEND failures "wanted: ${sentence}\ngot:    ${error}\n")
    break() # the rest is only shifted
  endif()
endforeach()
if(wanted EQUAL 0)
  message(FATAL_ERROR "${FILE} refuses nothing")
elseif(failures)
  message(FATAL_ERROR "${failures}")
elseif(code EQUAL 0 OR NOT wanted EQUAL met)
  message(FATAL_ERROR "${FILE} has ${wanted} REFUSED and gives ${met} errors: after the last one that was wanted\n${errors}")
endif()
message(STATUS "${wanted} refused, each by one error that says why")
