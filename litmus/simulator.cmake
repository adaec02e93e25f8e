# SPDX-License-Identifier: Apache-2.0
# The simulator: front ends, the cat language, the enumeration of executions.
include("${CMAKE_CURRENT_LIST_DIR}/models.cmake")

# What reads a test and enumerates its executions: fuzz.cmake compiles it once more.
set(simulator_sources
  src/model/matrix.cpp src/cat/lexer.cpp src/cat/parser.cpp src/cat/expression_parser.cpp src/cat/graph.cpp
  src/cat/evaluator.cpp src/cat/names.cpp src/cat/interpreter.cpp src/cat/values.cpp src/cat/evaluate.cpp
  src/cat/primitives.cpp src/cat/coherence.cpp src/cat/monotone.cpp src/cat/embedded.cpp "${generated}" src/frontend/expression.cpp
  src/frontend/program.cpp src/frontend/pieces.cpp src/frontend/places.cpp src/frontend/x86.cpp src/frontend/c_tokens.cpp src/frontend/c_macros.cpp
  src/frontend/c_syntax.cpp src/frontend/c_calls.cpp src/frontend/c.cpp src/frontend/c_memory.cpp src/frontend/assembly.cpp
  src/frontend/assembly_thread.cpp src/frontend/aarch64.cpp src/frontend/aarch64_memory.cpp src/frontend/aarch64_pairs.cpp
  src/frontend/aarch64_compute.cpp src/frontend/aarch64_bits.cpp src/frontend/riscv.cpp src/frontend/load.cpp src/enumerate/structure.cpp
  src/enumerate/question.cpp src/enumerate/model.cpp src/enumerate/search.cpp src/enumerate/execution_search.cpp
  src/enumerate/why_not.cpp src/enumerate/picture.cpp)

add_library(ringproof_litmus_simulator STATIC ${simulator_sources}
  src/enumerate/report.cpp src/graph/svg.cpp src/graph/writer.cpp src/answer/answer.cpp
  src/ring/machine.cpp src/ring/program.cpp src/ring/program_c.cpp src/ring/program_assembly.cpp
  src/ring/barriers.cpp src/ring/table.cpp)
add_library(ringproof::litmus_simulator ALIAS ringproof_litmus_simulator)
ringproof_precompile(ringproof_litmus_simulator)
target_link_libraries(ringproof_litmus_simulator PUBLIC ringproof::litmus_lib PRIVATE fmt::fmt Threads::Threads)

# The second engine: threads run step by step, under models written in C++.
add_library(ringproof_litmus_explore STATIC src/explore/replayed_path.cpp src/explore/litmus_machine.cpp
  src/explore/explored.cpp src/batch/batch.cpp)
add_library(ringproof::litmus_explore ALIAS ringproof_litmus_explore)
ringproof_precompile(ringproof_litmus_explore)
target_link_libraries(ringproof_litmus_explore PUBLIC ringproof::litmus_simulator ringproof::silicon PRIVATE fmt::fmt Threads::Threads)

# Tests made from cycles of relations.
add_library(ringproof_litmus_cycles STATIC src/cycle/edge.cpp src/cycle/cycle.cpp src/cycle/emit.cpp
  src/cycle/emit_c.cpp src/cycle/emit_assembly.cpp src/cycle/choose.cpp)
add_library(ringproof::litmus_cycles ALIAS ringproof_litmus_cycles)
ringproof_precompile(ringproof_litmus_cycles)
target_include_directories(ringproof_litmus_cycles PUBLIC src)
target_link_libraries(ringproof_litmus_cycles PRIVATE fmt::fmt)

# C tests through compilers, and their assembly read back.
add_library(ringproof_litmus_compile STATIC src/compile/unit.cpp src/compile/lines.cpp src/compile/reader.cpp
  src/compile/aarch64_reader.cpp src/compile/riscv_reader.cpp src/compile/x86_reader.cpp src/compile/machine.cpp
  src/compile/compiler.cpp src/compile/compare.cpp src/compile/campaign.cpp)
add_library(ringproof::litmus_compile ALIAS ringproof_litmus_compile)
ringproof_precompile(ringproof_litmus_compile)
target_link_libraries(ringproof_litmus_compile PUBLIC ringproof::litmus_simulator PRIVATE fmt::fmt Threads::Threads)

if(RINGPROOF_BUILD_TESTING)
  ringproof_add_unit_tests(ringproof_litmus_cycles_test
    SOURCES test/cycle/edge_test.cpp test/cycle/cycle_test.cpp test/cycle/emit_test.cpp test/cycle/choose_test.cpp
            test/cycle/inclusion_test.cpp
    LIBRARIES ringproof::litmus_cycles ringproof::litmus_simulator PREFIX "litmus cycles: ")
  target_compile_definitions(ringproof_litmus_cycles_test PRIVATE RINGPROOF_SHARED="${PROJECT_SOURCE_DIR}/../shared")
  ringproof_add_unit_tests(ringproof_litmus_simulator_test
    SOURCES test/model/matrix_test.cpp test/frontend/expression_test.cpp test/frontend/load_test.cpp
            test/cat/lexer_test.cpp test/cat/parser_test.cpp test/cat/graph_test.cpp test/cat/evaluator_test.cpp
            test/cat/coherence_test.cpp test/cat/monotone_test.cpp test/cat/interpreter_test.cpp test/enumerate/model_test.cpp
            test/enumerate/structure_test.cpp test/enumerate/question_test.cpp test/enumerate/search_test.cpp
            test/enumerate/execution_search_test.cpp test/enumerate/report_test.cpp test/frontend/c_macros_test.cpp
            test/frontend/c_tokens_test.cpp test/frontend/c_syntax_test.cpp test/frontend/c_calls_test.cpp test/frontend/c_memory_test.cpp test/frontend/x86_test.cpp
            test/frontend/aarch64_test.cpp test/frontend/aarch64_bits_test.cpp test/frontend/aarch64_compute_test.cpp test/frontend/aarch64_memory_test.cpp test/frontend/aarch64_pairs_test.cpp
            test/enumerate/why_not_test.cpp test/enumerate/picture_test.cpp test/random/random_program.cpp test/random/random_program_test.cpp test/frontend/riscv_test.cpp
            test/graph/svg_test.cpp test/models/models_test.cpp test/answer/answer_test.cpp
            test/mixed/bytewise.cpp test/mixed/bytewise_random.cpp test/mixed/global_order.cpp test/mixed/store_buffers.cpp test/mixed/mixed_test.cpp test/frontend/pieces_test.cpp test/frontend/places_test.cpp
    LIBRARIES ringproof::litmus_simulator PREFIX "litmus simulator: ")
  target_compile_definitions(ringproof_litmus_simulator_test PRIVATE
    RINGPROOF_LITMUS_CLAUSES="${CMAKE_CURRENT_LIST_DIR}/test/models")
  ringproof_add_unit_tests(ringproof_litmus_ring_test SOURCES test/ring/barriers_test.cpp
    LIBRARIES ringproof::litmus_simulator nlohmann_json::nlohmann_json PREFIX "litmus ring: ")
  target_compile_definitions(ringproof_litmus_ring_test PRIVATE
    RINGPROOF_LITMUS_TESTS="${CMAKE_CURRENT_LIST_DIR}/tests"
    RINGPROOF_BARRIERS_PAGE="${PROJECT_SOURCE_DIR}/docs/barriers.md"
    RINGPROOF_SHARED="${PROJECT_SOURCE_DIR}/../shared")
  ringproof_add_unit_tests(ringproof_litmus_compile_test
    SOURCES test/compile/lines_test.cpp test/compile/unit_test.cpp test/compile/reader_test.cpp
            test/compile/aarch64_reader_test.cpp test/compile/riscv_reader_test.cpp test/compile/x86_reader_test.cpp
            test/compile/machine_test.cpp test/compile/compiler_test.cpp test/compile/compare_test.cpp
            test/compile/campaign_test.cpp test/compile/random_c11.cpp
    LIBRARIES ringproof::litmus_compile ringproof::litmus_cycles fmt::fmt nlohmann_json::nlohmann_json
    PREFIX "litmus compile: ")
  target_compile_definitions(ringproof_litmus_compile_test PRIVATE
    RINGPROOF_LITMUS_TESTS="${CMAKE_CURRENT_LIST_DIR}/tests")
  add_library(ringproof_litmus_comparison STATIC test/explore/comparison.cpp test/explore/random_aarch64.cpp
    test/explore/random_riscv.cpp test/explore/random_threads.cpp)
  target_link_libraries(ringproof_litmus_comparison PUBLIC ringproof::litmus_explore PRIVATE fmt::fmt)
  ringproof_add_unit_tests(ringproof_litmus_explore_test
    SOURCES test/explore/explored_test.cpp test/explore/litmus_machine_test.cpp test/explore/replayed_path_test.cpp
    LIBRARIES ringproof_litmus_comparison ringproof::litmus_cycles PREFIX "litmus explore: ")
  target_compile_definitions(ringproof_litmus_explore_test PRIVATE
    RINGPROOF_LITMUS_TESTS="${CMAKE_CURRENT_LIST_DIR}/tests")
  add_executable(ringproof_litmus_judge test/explore/judge.cpp)
  target_link_libraries(ringproof_litmus_judge PRIVATE ringproof_litmus_comparison ringproof::litmus_cycles fmt::fmt)
  foreach(judged "AArch64;10,000;--random;3000;--pairs;5000;--cycles;2000"
                 "RISC-V;3,000;--riscv;--random;600;--pairs;1800;--cycles;600")
    list(POP_FRONT judged dialect count)
    set(sentence "litmus explore: ${count} tests in ${dialect} have the executions that the simulator finds")
    add_test(NAME "${sentence}" COMMAND ringproof_litmus_judge ${judged} --seed 22 "${CMAKE_CURRENT_LIST_DIR}/tests"
                                        "${PROJECT_SOURCE_DIR}/../shared/yardsticks")
    set_tests_properties("${sentence}" PROPERTIES LABELS judge TIMEOUT 300)
  endforeach()
  # A checkout of herdtools7 that lies somewhere: its tests have their expected logs beside them.
  add_executable(ringproof_litmus_herd_expected test/agreement/herd_expected.cpp test/agreement/herd7.cpp
                 test/agreement/herd_log.cpp)
  target_link_libraries(ringproof_litmus_herd_expected PRIVATE ringproof::litmus_simulator ringproof::command fmt::fmt)
  add_test(NAME "litmus: tests of a checkout of herdtools7 and other collections have the outcomes that herd7 finds"
           COMMAND ringproof_litmus_herd_expected)
  set_tests_properties("litmus: tests of a checkout of herdtools7 and other collections have the outcomes that herd7 finds"
                       PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
  add_executable(ringproof_litmus_agreement test/agreement/agreement.cpp)
  target_link_libraries(ringproof_litmus_agreement PRIVATE ringproof::litmus_simulator fmt::fmt)
  add_test(NAME "litmus: agrees with the reference simulator on every row of the tables"
           COMMAND ringproof_litmus_agreement "${PROJECT_SOURCE_DIR}/../shared/yardsticks/litmus")
  set_tests_properties("litmus: agrees with the reference simulator on every row of the tables"
                       PROPERTIES SKIP_RETURN_CODE 77)
endif()
