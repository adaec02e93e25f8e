# SPDX-License-Identifier: Apache-2.0
# The checker for other projects: install component `verify`. The verbs are optional, so that a build of the checker alone
# (preset `checker`) can be installed too.
set_target_properties(ringproof-verify ringproof-classics ringproof-zoo PROPERTIES
  INSTALL_RPATH "$ORIGIN/${RINGPROOF_VERBS_TO_CHECKER}")

install(TARGETS ringproof_verify ringproof_verify_main EXPORT ringproof_verify_targets
        LIBRARY DESTINATION "${RINGPROOF_INSTALL_CHECKER_DIR}" COMPONENT verify NAMELINK_COMPONENT verify
        ARCHIVE DESTINATION "${RINGPROOF_INSTALL_CHECKER_DIR}" COMPONENT verify)
install(EXPORT ringproof_verify_targets NAMESPACE ringproof:: FILE ringproof-verify-exported.cmake
        DESTINATION "${RINGPROOF_INSTALL_CHECKER_CMAKEDIR}" COMPONENT verify)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/ringproof-verify-targets.cmake" "${CMAKE_CURRENT_LIST_DIR}/scenarios.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/discover.cmake"
        DESTINATION "${RINGPROOF_INSTALL_CHECKER_CMAKEDIR}" COMPONENT verify)
install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/../include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT verify
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "barrier" PATTERN "latch")
if(RINGPROOF_BUILD_TOOLS)
  install(TARGETS ringproof_check_main ringproof_relacy_compat ringproof_cdschecker_compat ringproof_gtest_compat ringproof_catch2_compat
          EXPORT ringproof_verify_targets ARCHIVE DESTINATION "${RINGPROOF_INSTALL_CHECKER_DIR}" COMPONENT verify)
  install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/../compat/relacy" "${CMAKE_CURRENT_LIST_DIR}/../compat/cdschecker"
                    "${CMAKE_CURRENT_LIST_DIR}/../compat/gtest" "${CMAKE_CURRENT_LIST_DIR}/../compat/catch2"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/ringproof/verify/compat" COMPONENT verify)
endif()
install(TARGETS ringproof-verify ringproof-classics ringproof-zoo ringproof-check ringproof-split ringproof-merge ringproof-museum
        RUNTIME DESTINATION "${RINGPROOF_INSTALL_VERBS_DIR}" COMPONENT verify OPTIONAL)
if(TARGET ringproof-mpi) # apart, as the others are to need no MPI
  install(TARGETS ringproof-mpi RUNTIME DESTINATION "${RINGPROOF_INSTALL_VERBS_DIR}" COMPONENT mpi OPTIONAL)
endif()
