# SPDX-License-Identifier: Apache-2.0
# CDSChecker, built by the user: RINGPROOF_CDSCHECKER_ROOT is the folder that holds libmodel.so, as a variable of CMake or of
# the environment. It is of 2013, so a program of two threads is run on it before it is called usable.
#
#   CDSChecker_FOUND      it is there and its probe ends well
#   CDSChecker_LIBRARY    libmodel.so
#   CDSChecker_STATE      ready, absent, unusable
#   CDSChecker_WHY        a sentence, when it is not ready
set(RINGPROOF_CDSCHECKER_ROOT "$ENV{RINGPROOF_CDSCHECKER_ROOT}" CACHE PATH "Folder that holds CDSChecker's libmodel.so")

set(CDSChecker_FOUND FALSE)
set(CDSChecker_STATE absent)
set(CDSChecker_WHY "RINGPROOF_CDSCHECKER_ROOT names no folder")
set(CDSChecker_LIBRARY "${RINGPROOF_CDSCHECKER_ROOT}/libmodel.so")
if(RINGPROOF_CDSCHECKER_ROOT)
  set(CDSChecker_STATE unusable)
  set(build "make CXX='g++ -std=gnu++11' there, with USE_MPROTECT_SNAPSHOT 0 in config.h")
  if(NOT EXISTS "${CDSChecker_LIBRARY}")
    set(CDSChecker_WHY "RINGPROOF_CDSCHECKER_ROOT is ${RINGPROOF_CDSCHECKER_ROOT}, where no libmodel.so is: ${build}")
  else()
    set(probe "${CMAKE_BINARY_DIR}/CMakeFiles/cdschecker_probe_program")
    try_compile(CDSChecker_LINKS "${CMAKE_BINARY_DIR}/CMakeFiles/cdschecker_probe"
      "${CMAKE_CURRENT_LIST_DIR}/../verify/opinions/cdschecker/probe.cpp"
      LINK_LIBRARIES "${CDSChecker_LIBRARY}" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
      COPY_FILE "${probe}" OUTPUT_VARIABLE said)
    if(NOT CDSChecker_LINKS)
      string(REGEX MATCH "[^\n]*(error|undefined)[^\n]*" first "${said}")
      set(CDSChecker_WHY "a program does not link with ${CDSChecker_LIBRARY}: ${first}")
    else()
      # A hang is one of the ways in which it fails on today's systems.
      execute_process(COMMAND "${probe}" TIMEOUT 10 RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE errors)
      if(code EQUAL 0 AND said MATCHES "Number of complete, bug-free executions: [1-9]")
        set(CDSChecker_FOUND TRUE)
        set(CDSChecker_STATE ready)
        set(CDSChecker_WHY "")
      else()
        string(REGEX MATCH "[^\n]+" first "${errors}${said}")
        set(CDSChecker_WHY "not usable: a program of two threads does not run on ${CDSChecker_LIBRARY} (${code}: '${first}'): ${build}")
      endif()
    endif()
    unset(CDSChecker_LINKS CACHE)
  endif()
endif()
