# SPDX-License-Identifier: Apache-2.0
# Combinations that make no sense must not compile, and the compiler must print the reason:
#   cmake -DCORE=core/ -DWORK=… -DCOMPILER=… -P refused_test.cmake
# One line each: what is declared, and a part of the sentence that the compiler prints. The table with the reasons
# stands in docs/guarantees.md.
set(perf "acquire_release, refuse, perf_abi")
set(processes "acquire_release, refuse, between_processes")
set(combinations
  "record_ring<single_in_band, ${perf}>"                  "a ring that commits in band has no head"
  "record_ring<shared, ${perf}>"                          "data_head covers complete records only"
  "record_ring<one_cpu, ${perf}>"                         "data_head covers complete records only"
  "record_ring<single, ${processes}>"                     "only `robust` knows whose a reservation is"
  "record_ring<nested, ${processes}>"                     "only `robust` knows whose a reservation is"
  "record_ring<shared, ${processes}>"                     "only `robust` knows whose a reservation is"
  "record_ring<one_cpu, ${processes}>"                    "only `robust` knows whose a reservation is"
  "record_ring<robust>"                                   "it needs the layout"
  "record_ring<robust, ${perf}>"                          "it needs the layout"
  "record_ring<robust, acquire_release, keep_oldest, between_processes>" "would die with their producer"
  "record_ring<robust, ${processes}, futex_wakeup>"       "would die with their producer"
  "recorder<shared, backward>"                            "give each thread a recorder of its own"
  "recorder<robust>"                                      "give each thread a recorder of its own"
  "recorder<single, paged>"                               "pages are for many threads"
  "recorder<shared, paged, acquire_release, perf_abi>"    "perf's layout has no place for either"
  "recorder<shared, paged, acquire_release, between_processes>" "the marks of its writers are this process's"
  "recorder<one_cpu>"                                     "give each thread a recorder of its own"
  "recorder<single_in_band>"                              "a snapshot begins at head"
  "recorder<single_batched<>>"                            "a snapshot begins at head"
  "recorder<single, backward, acquire_release, between_processes>" "a recorder has no consumer in another process"
  "record_ring<single, acquire_release, backward>"        "see recorder.hpp"
  "mpsc_queue<may_throw>"                                 "must be movable without throwing"
  "batched<0>"                                             "a batch has something in it")

function(try_declaration declaration out_code out_text)
  file(WRITE "${WORK}/refused.cpp" "
#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/layout/between_processes.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mpsc_queue.hpp>
#include <ringproof/producer/one_cpu.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/spsc_queue.hpp>
#include <ringproof/wake/futex.hpp>
using namespace ringproof;
struct may_throw { may_throw(may_throw&&) {} };
static_assert(sizeof(ringproof::${declaration}) != 0);
")
  execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${CORE}/include" "${WORK}/refused.cpp"
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_text} "${text}" PARENT_SCOPE)
endfunction()

# What is sound compiles, so that a mistake in this file is no refusal.
try_declaration("record_ring<robust, ${processes}>" code text)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "a sound combination does not compile:\n${text}")
endif()
set(failures "")
while(combinations)
  list(POP_FRONT combinations declaration sentence)
  try_declaration("${declaration}" code text)
  string(FIND "${text}" "${sentence}" found)
  if(code EQUAL 0)
    string(APPEND failures "${declaration} compiles\n")
  elseif(found EQUAL -1)
    string(APPEND failures "${declaration} is refused, but not with \"${sentence}\":\n${text}\n")
  endif()
endwhile()
file(REMOVE_RECURSE "${WORK}")
if(failures)
  message(FATAL_ERROR "${failures}")
endif()
