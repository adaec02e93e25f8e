# SPDX-License-Identifier: Apache-2.0
# Relacy Race Detector, whose headers are at the user's: RINGPROOF_RELACY_ROOT is the folder that holds relacy/relacy.hpp, as
# a variable of CMake or of the environment.
#
#   Relacy_FOUND          it is there and compiles
#   Relacy_INCLUDE_DIR
#   Relacy_STATE          ready, absent, unusable
#   Relacy_WHY            a sentence, when it is not ready
set(RINGPROOF_RELACY_ROOT "$ENV{RINGPROOF_RELACY_ROOT}" CACHE PATH "Folder that holds relacy/relacy.hpp")

set(Relacy_FOUND FALSE)
set(Relacy_STATE absent)
set(Relacy_WHY "RINGPROOF_RELACY_ROOT names no folder")
set(Relacy_INCLUDE_DIR "")
if(RINGPROOF_RELACY_ROOT)
  set(Relacy_STATE unusable)
  if(NOT EXISTS "${RINGPROOF_RELACY_ROOT}/relacy/relacy.hpp")
    set(Relacy_WHY "RINGPROOF_RELACY_ROOT is ${RINGPROOF_RELACY_ROOT}, where no relacy/relacy.hpp is: give the folder that holds relacy/")
  else()
    # Tried each time, as the headers may have changed.
    try_compile(Relacy_COMPILES "${CMAKE_BINARY_DIR}/CMakeFiles/relacy_probe"
      "${CMAKE_CURRENT_LIST_DIR}/../verify/opinions/relacy/probe.cpp"
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${RINGPROOF_RELACY_ROOT}"
      CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON OUTPUT_VARIABLE said)
    if(Relacy_COMPILES)
      set(Relacy_FOUND TRUE)
      set(Relacy_STATE ready)
      set(Relacy_WHY "")
      set(Relacy_INCLUDE_DIR "${RINGPROOF_RELACY_ROOT}")
    else()
      string(REGEX MATCH "[^\n]*error: [^\n]*" first "${said}")
      set(Relacy_WHY "the Relacy in ${RINGPROOF_RELACY_ROOT} does not compile with this compiler: ${first}")
    endif()
    unset(Relacy_COMPILES CACHE)
  endif()
endif()
