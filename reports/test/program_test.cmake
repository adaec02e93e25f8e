# SPDX-License-Identifier: Apache-2.0
# cmake -DREPORT=… -DDATA=… -DOUTPUT=… -P program_test.cmake
file(REMOVE_RECURSE "${OUTPUT}")
file(MAKE_DIRECTORY "${OUTPUT}")

function(expect code pattern)
  execute_process(COMMAND "${REPORT}" ${ARGN} WORKING_DIRECTORY "${DATA}"
                  RESULT_VARIABLE got OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT got EQUAL code OR NOT out MATCHES "${pattern}")
    message(SEND_ERROR "report ${ARGN}\nexit code ${got}, expected ${code}; output, expected to match ${pattern}:\n${out}")
  endif()
endfunction()

function(write name results)
  file(WRITE "${OUTPUT}/${name}" "{\"schema\":\"ringproof-verify/1\",\"tool\":{\"name\":\"ringproof\",\"version\":\"0\"},\"results\":[${results}]}")
endfunction()

expect(0 "Everything asked for holds" verify.json litmus.json bench.json -o "${OUTPUT}/good")
foreach(name index.html summary.md junit.xml results.sarif badge.svg)
  if(NOT EXISTS "${OUTPUT}/good/${name}")
    message(SEND_ERROR "${name} was not written")
  endif()
endforeach()
expect(1 "failed: hole" hostile.json -o "${OUTPUT}/hostile")

write(inconclusive.json "{\"name\":\"n\",\"model\":\"sc\",\"verdict\":\"inconclusive\",\"executions\":9}")
expect(4 "Nothing is refuted, but 1 of 1 result is inconclusive" "${OUTPUT}/inconclusive.json" -o "${OUTPUT}/i")
write(empty.json "")
expect(5 "No results" "${OUTPUT}/empty.json" -o "${OUTPUT}/e")
write(skipped.json "{\"name\":\"n\",\"model\":\"sc\",\"verdict\":\"skipped\",\"executions\":0}")
expect(77 "Everything was skipped" "${OUTPUT}/skipped.json" -o "${OUTPUT}/s")

# Every bad file is named, and nothing is written.
write(wrong.json "{\"name\":\"n\",\"model\":\"sc\",\"verdict\":\"maybe\",\"executions\":0}")
expect(2 "broken.json.txt:2:14: .*wrong.json: /results/0/verdict is \"maybe\"" broken.json.txt "${OUTPUT}/wrong.json" -o "${OUTPUT}/never")
if(EXISTS "${OUTPUT}/never")
  message(SEND_ERROR "output was written for bad input")
endif()
expect(2 "no/such.json: cannot read" no/such.json -o "${OUTPUT}/never")
expect(2 "results" -o "${OUTPUT}/never")
expect(2 "say where to write" verify.json)
expect(2 "no option .--no-such-option" verify.json --no-such-option)
expect(2 "Directory" verify.json -o "${OUTPUT}/never" --source "${OUTPUT}/none")
expect(2 "verify.json" verify.json -o "${DATA}/verify.json")
expect(0 "RESULT.json" --help)
expect(0 "\"status\": \"ok\"" verify.json --quiet --json -)
