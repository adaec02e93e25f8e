# SPDX-License-Identifier: Apache-2.0
# What a document (docs/guarantees.md, docs/errors.md) names in quotes, as what shows a promise, must be there: as a scenario, as a unit test or as a
# mutant that the tests see. "…" stands for the rest of a name.
#   cmake -DDOCUMENT=… -DTESTS=core_tests -DSCENARIOS=ringproof-verify -DMUTANTS=core/test/CMakeLists.txt -P promises_test.cmake
file(READ "${DOCUMENT}" text)
string(REPLACE ";" "<semicolon>" text "${text}")
string(REPLACE "…" "<more>" text "${text}")
string(REGEX MATCHALL "\"[^\"\n]+\"" quoted "${text}")
list(REMOVE_DUPLICATES quoted)

# Catch2 3, which does not wrap names when it is quiet; or else 2, whose exit code is the number of tests.
execute_process(COMMAND "${TESTS}" --list-tests --verbosity quiet OUTPUT_VARIABLE tests)
if(tests MATCHES "test cases:")
  execute_process(COMMAND "${TESTS}" --list-test-names-only OUTPUT_VARIABLE tests)
endif()
execute_process(COMMAND "${SCENARIOS}" --list OUTPUT_VARIABLE scenarios COMMAND_ERROR_IS_FATAL ANY)
file(READ "${MUTANTS}" mutants)
string(REGEX MATCH "foreach\\(mutant[^)]*\\)" mutants "${mutants}")
string(REGEX REPLACE "[ \n)]+" "\n" mutants "${mutants}")
set(names "\n${tests}\n${scenarios}\n${mutants}\n")
string(REPLACE ";" "<semicolon>" names "${names}")

set(missing "")
list(LENGTH quoted count)
foreach(name IN LISTS quoted)
  string(REGEX REPLACE "^\"|\"$" "" name "${name}")
  string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" pattern "${name}")
  string(REPLACE "<more>" "[^\n]*" pattern "${pattern}")
  # Behind a name: the number of a test's variant, or the models of a scenario.
  if(NOT names MATCHES "\n${pattern}( - [^\n]*|  \\[[^\n]*)?\n")
    string(APPEND missing "  \"${name}\"\n")
  endif()
endforeach()
if(count LESS 20)
  message(FATAL_ERROR "${DOCUMENT} names only ${count} tests and scenarios: has its form changed?")
endif()
if(missing)
  message(FATAL_ERROR "${DOCUMENT} names what is not there:\n${missing}")
endif()
message(STATUS "${count} names, all there")
