# SPDX-License-Identifier: Apache-2.0
# What find_package(ringproof COMPONENTS verify) brings: ringproof::verify, ringproof::verify_main, and the
# functions that build scenarios with them.
include("${CMAKE_CURRENT_LIST_DIR}/ringproof-verify-exported.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/scenarios.cmake")
