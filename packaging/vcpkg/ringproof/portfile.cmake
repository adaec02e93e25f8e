# SPDX-License-Identifier: Apache-2.0
# An overlay port: it builds the tree that it lies in. The core alone; the checker's libraries are Debian's.
set(VCPKG_BUILD_TYPE release) # headers: there is no debug form
get_filename_component(source "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS -DRINGPROOF_BUILD_TOOLS=OFF -DRINGPROOF_BUILD_BENCH=OFF -DRINGPROOF_BUILD_TESTING=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/ringproof)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
