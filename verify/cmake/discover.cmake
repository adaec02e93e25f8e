# SPDX-License-Identifier: Apache-2.0
# Run after a scenario binary is built: asks it for its scenarios and writes one add_test() for each.
execute_process(COMMAND "${PROGRAM}" --list --json - OUTPUT_VARIABLE listed ERROR_VARIABLE complaint
                RESULT_VARIABLE code TIMEOUT 60)
if(NOT code EQUAL 0)
  file(REMOVE "${PROGRAM}") # so that the next build comes here again
  message(FATAL_ERROR "${PROGRAM} --list ended with ${code}: ${complaint}")
endif()

# Brackets kept the space at its end from being trimmed.
string(REGEX REPLACE "^<(.*)>$" "\\1" PREFIX "${PREFIX}")
string(JSON count LENGTH "${listed}" scenarios)
set(tests "")
# Names may hold quotes, semicolons, brackets: they only ever stand in bracket arguments.
function(add_scenario_test name label)
  set(arguments "[==[--filter]==] [==[=${name}]==]")
  foreach(argument IN LISTS ARGUMENTS ARGN)
    string(APPEND arguments " [==[${argument}]==]")
  endforeach()
  string(APPEND tests "add_test([==[${PREFIX}${name}${label}]==] [==[${PROGRAM}]==] ${arguments})\n")
  if(LABELS)
    string(APPEND tests "set_tests_properties([==[${PREFIX}${name}${label}]==] PROPERTIES LABELS [==[${LABELS}]==])\n")
  endif()
  set(tests "${tests}" PARENT_SCOPE)
endfunction()

if(count GREATER 0)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON name GET "${listed}" scenarios ${i} name)
    if(MODELS)
      foreach(model IN LISTS MODELS)
        add_scenario_test("${name}" " [${model}]" --model ${model})
      endforeach()
    else()
      add_scenario_test("${name}" "")
    endif()
  endforeach()
endif()
file(WRITE "${OUTPUT}" "${tests}")
