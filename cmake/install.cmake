# SPDX-License-Identifier: Apache-2.0
# Only the core is a library for other programs' products: headers, a CMake package and a pkg-config file,
# all in the install component `core`. The package has one targets file per component, so that asking for
# the core never asks for what another component needs. Nothing of it depends on the machine, so all lies in share/.
include(CMakePackageConfigHelpers)

install(TARGETS ringproof_core ringproof_c EXPORT ringproof_core_targets
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT core)
install(EXPORT ringproof_core_targets
        NAMESPACE ringproof:: FILE ringproof-core-targets.cmake
        DESTINATION "${RINGPROOF_INSTALL_CMAKEDIR}" COMPONENT core)

# Behind the C header, and the whole core in one header.
install(FILES "${PROJECT_SOURCE_DIR}/core/source/ringproof_c.cpp"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/ringproof" COMPONENT core)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DINCLUDE=${PROJECT_SOURCE_DIR}/core/include\"
                \"-DOUTPUT=${PROJECT_BINARY_DIR}/generated/ringproof.hpp\" -DVERSION=${PROJECT_VERSION}
                -P \"${CMAKE_CURRENT_LIST_DIR}/amalgamate.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT core)
install(FILES "${PROJECT_BINARY_DIR}/generated/ringproof.hpp"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/ringproof/single-header" COMPONENT core)

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/ringproof-config.cmake.in" "${PROJECT_BINARY_DIR}/generated/ringproof-config.cmake"
  INSTALL_DESTINATION "${RINGPROOF_INSTALL_CMAKEDIR}" PATH_VARS RINGPROOF_INSTALL_CHECKER_CMAKEDIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/ringproof-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/generated/ringproof-config.cmake"
              "${PROJECT_BINARY_DIR}/generated/ringproof-config-version.cmake"
        DESTINATION "${RINGPROOF_INSTALL_CMAKEDIR}" COMPONENT core)

file(RELATIVE_PATH RINGPROOF_PC_TO_PREFIX
     "/prefix/${CMAKE_INSTALL_DATADIR}/pkgconfig" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/ringproof-core.pc.in" "${PROJECT_BINARY_DIR}/generated/ringproof-core.pc"
               @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/ringproof-core.pc"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig" COMPONENT core)

# What one reads, in the folders in which its links find each other.
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
              "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)

if(PROJECT_IS_TOP_LEVEL)
  # Removes what the last installations from this build folder have put there.
  add_custom_target(uninstall
    COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake"
    COMMENT "Removing what was installed from this build folder" VERBATIM USES_TERMINAL)
  include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
endif()
