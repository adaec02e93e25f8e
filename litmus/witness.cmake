# SPDX-License-Identifier: Apache-2.0
# The simulator beside the checker of compiled code. Only run.cpp is seen by the checker.
add_library(ringproof_litmus_witness_run OBJECT src/witness/run.cpp)
ringproof_instrument(ringproof_litmus_witness_run)

add_executable(ringproof-litmus-witness src/witness/main.cpp src/witness/compare.cpp src/witness/translate.cpp
  src/witness/translate_c.cpp src/witness/translate_x86.cpp)
target_link_libraries(ringproof-litmus-witness PRIVATE ringproof_litmus_witness_run ringproof::verify
  ringproof::litmus_simulator ringproof::litmus_cycles ringproof::command CLI11::CLI11 fmt::fmt)

if(RINGPROOF_BUILD_TESTING)
  add_test(NAME "litmus: the simulator and the checker find the same final states of 2,400 generated tests"
           COMMAND ringproof-litmus-witness --generate 2000)
  # The yardsticks lie beside the project where it is developed.
  set(yardsticks "${PROJECT_SOURCE_DIR}/../shared/yardsticks/litmus")
  add_test(NAME "litmus: the simulator and the checker find the same final states of the yardsticks"
           COMMAND sh -c "test -d '${yardsticks}' || { echo 'skipped: ${yardsticks} is not here'; exit 77; }; exec '$<TARGET_FILE:ringproof-litmus-witness>' '${yardsticks}'")
  set_tests_properties("litmus: the simulator and the checker find the same final states of the yardsticks"
                       PROPERTIES SKIP_RETURN_CODE 77)
endif()

if(RINGPROOF_INSTALL)
  set_target_properties(ringproof-litmus-witness PROPERTIES INSTALL_RPATH "$ORIGIN/${RINGPROOF_VERBS_TO_CHECKER}")
  install(TARGETS ringproof-litmus-witness RUNTIME DESTINATION "${RINGPROOF_INSTALL_VERBS_DIR}" COMPONENT tools OPTIONAL)
endif()
