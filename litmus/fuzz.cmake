# SPDX-License-Identifier: Apache-2.0
# libFuzzer on the three parsers: tests of every dialect, models, macro files. 10 seconds each.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR RINGPROOF_SANITIZED)
  return()
endif()

# What is fuzzed is compiled anew, so that the fuzzer sees which branches an input takes.
add_library(ringproof_litmus_fuzzed OBJECT
  src/parse/source.cpp src/parse/scanner.cpp src/parse/condition.cpp src/parse/test.cpp src/parse/text.cpp src/parse/assembly.cpp src/parse/features.cpp
  src/parse/aarch64.cpp src/parse/x86.cpp src/parse/x86_thread.cpp
  ${simulator_sources})
ringproof_precompile(ringproof_litmus_fuzzed)
target_include_directories(ringproof_litmus_fuzzed PUBLIC src)
target_link_libraries(ringproof_litmus_fuzzed PUBLIC fmt::fmt Threads::Threads)
target_compile_options(ringproof_litmus_fuzzed PUBLIC -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)

foreach(parser test model macros)
  add_executable(litmus_fuzz_${parser} test/fuzz/${parser}_fuzz.cpp)
  target_link_libraries(litmus_fuzz_${parser} PRIVATE ringproof_litmus_fuzzed)
  target_link_options(litmus_fuzz_${parser} PRIVATE -fsanitize=fuzzer,address,undefined)
  # New inputs go to the build's own folder; the corpus in the repository is only read.
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fuzz-found/${parser}")
  set(name "litmus fuzz: the parser of ${parser} files ends with a result or an error, for 10 seconds")
  add_test(NAME "${name}"
           COMMAND litmus_fuzz_${parser} -max_total_time=10 -timeout=120 -rss_limit_mb=1500 -max_len=2000 -print_final_stats=1
                   "${CMAKE_CURRENT_BINARY_DIR}/fuzz-found/${parser}" "${CMAKE_CURRENT_SOURCE_DIR}/test/fuzz/corpus/${parser}")
  set_tests_properties("${name}" PROPERTIES LABELS "litmus;fuzz" TIMEOUT 300)
endforeach()
