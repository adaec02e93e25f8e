# SPDX-License-Identifier: Apache-2.0
# The checker for other projects: install component `verify`.
set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/ringproof")
set(verbs_folder "${CMAKE_INSTALL_LIBEXECDIR}/ringproof") # where the `ringproof` command looks for its verbs
file(RELATIVE_PATH to_libraries "/prefix/${verbs_folder}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
set_target_properties(ringproof-verify ringproof-classics ringproof-zoo PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")

install(TARGETS ringproof_verify ringproof_verify_main EXPORT ringproof_verify_targets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT verify
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT verify)
install(EXPORT ringproof_verify_targets NAMESPACE ringproof:: FILE ringproof-verify-exported.cmake
        DESTINATION "${cmake_folder}" COMPONENT verify)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/ringproof-verify-targets.cmake" "${CMAKE_CURRENT_LIST_DIR}/scenarios.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/discover.cmake"
        DESTINATION "${cmake_folder}" COMPONENT verify)
install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/../include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT verify
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS ringproof_check_main ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT verify)
install(TARGETS ringproof-verify ringproof-classics ringproof-zoo ringproof-check RUNTIME DESTINATION "${verbs_folder}" COMPONENT verify)
