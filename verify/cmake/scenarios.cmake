# SPDX-License-Identifier: Apache-2.0
# Building programs for the checker, and their scenarios as CTest tests.
include_guard(GLOBAL)

# Headers that stand before the standard library's where the checker wants them simpler.
foreach(to_include ../include ../../../include ../../../../include)
  if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/${to_include}/ringproof/verify/std")
    get_filename_component(RINGPROOF_STANDARD_HEADERS "${CMAKE_CURRENT_LIST_DIR}/${to_include}/ringproof/verify/std" ABSOLUTE)
    break()
  endif()
endforeach()

# What makes the compiler announce every access to memory; `ringproof check` takes the same. clang leaves
# accesses of a local object's members out although a thread has the object's address, unless it may not
# look for who has it. Both copy the head of a waiting loop, so that its first look is another call than the
# next, unless they may not; and both make one call of two in different places. memcpy and its kin stay
# calls, which the linker hands to the checker: expanded in place they are seen by nobody. gcc leaves writes to a
# static variable out that nobody reads, unless it may not look for who does; and it joins accesses of one before and
# behind a call of a function that makes none, though that takes a lock, unless it may not look for who makes them.
set(RINGPROOF_INSTRUMENT_FLAGS -fsanitize=thread -O1 -g -fno-omit-frame-pointer
  -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-memcmp)
# Libraries hide from a thread sanitizer what it would not understand, where they see that they are compiled for
# one. They are not: gcc is told to keep quiet about it (clang cannot be). libstdc++ goes on as if it were told,
# since its shared_ptr would else read two counts at once; and so does the core, which leaves assembly out then.
set(RINGPROOF_INSTRUMENT_FLAGS_GNU -U__SANITIZE_THREAD__ -D_GLIBCXX_TSAN=1 -DRINGPROOF_WATCHED=1 -Wno-tsan
  --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1 -fno-crossjumping -fno-tree-ch
  -fno-ipa-reference -fno-ipa-reference-addressable)
set(RINGPROOF_INSTRUMENT_FLAGS_CLANG -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-distinguish-volatile=1
  -mllvm -tsan-instrument-read-before-write=1
  -mllvm -capture-tracking-max-uses-to-explore=0 -mllvm -rotation-max-header-size=0
  -mllvm -sink-common-insts=false -mllvm -hoist-common-insts=false -mllvm -enable-tail-merge=false)

# Functions are called from other folders than the one that included this file, which do not see its variables.
foreach(variable RINGPROOF_STANDARD_HEADERS RINGPROOF_INSTRUMENT_FLAGS RINGPROOF_INSTRUMENT_FLAGS_GNU
                 RINGPROOF_INSTRUMENT_FLAGS_CLANG)
  set_property(GLOBAL PROPERTY ${variable} "${${variable}}")
endforeach()

#   ringproof_instrument(TARGET)
# compiles TARGET so that the checker sees every access to memory, and links it without the
# sanitizer's own runtime: ringproof::verify takes its place.
function(ringproof_instrument target)
  foreach(variable RINGPROOF_STANDARD_HEADERS RINGPROOF_INSTRUMENT_FLAGS RINGPROOF_INSTRUMENT_FLAGS_GNU
                   RINGPROOF_INSTRUMENT_FLAGS_CLANG)
    get_property(${variable} GLOBAL PROPERTY ${variable})
  endforeach()
  list(JOIN RINGPROOF_INSTRUMENT_FLAGS_CLANG " " for_clang)
  target_compile_options(${target} PRIVATE ${RINGPROOF_INSTRUMENT_FLAGS}
    "SHELL:-isystem \"${RINGPROOF_STANDARD_HEADERS}\""
    "$<$<CXX_COMPILER_ID:GNU>:${RINGPROOF_INSTRUMENT_FLAGS_GNU}>"
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:${for_clang}>")
  target_link_libraries(${target} PRIVATE ringproof::verify)
endfunction()

#   ringproof_add_scenarios(TARGET SOURCES a.cpp b.cpp [LIBRARIES x y])
# makes the scenarios of SOURCES into an executable with the checker's command line. TARGET may exist
# already. What LIBRARIES hold as compiled code is not seen by the checker; headers are.
function(ringproof_add_scenarios target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringproof_add_scenarios(${target}): what is '${arg_UNPARSED_ARGUMENTS}'? SOURCES come after SOURCES")
  endif()
  if(NOT TARGET ${target})
    add_executable(${target})
  endif()
  target_sources(${target} PRIVATE ${arg_SOURCES})
  ringproof_instrument(${target})
  target_link_libraries(${target} PRIVATE ringproof::verify_main ${arg_LIBRARIES})
endfunction()

#   ringproof_discover_scenarios(TARGET [MODELS rc11 sc] [PREFIX text] [ARGUMENTS --time 60] [LABELS l])
# makes every scenario of TARGET a CTest test, one per model where MODELS are given, else one that
# runs it under the models it names. The scenarios are listed when TARGET is built.
function(ringproof_discover_scenarios target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PREFIX" "MODELS;ARGUMENTS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringproof_discover_scenarios(${target}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT DEFINED arg_PREFIX)
    set(arg_PREFIX "${target}: ")
  endif()
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}_scenarios")
  file(GENERATE OUTPUT "${base}_include.cmake" CONTENT
       "if(EXISTS \"${base}.cmake\")
  include(\"${base}.cmake\")
else()
  add_test(\"${arg_PREFIX}scenarios that are not built\" \"${target}_NOT_BUILT\")
endif()
")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DOUTPUT=${base}.cmake"
            "-DMODELS=${arg_MODELS}" "-DPREFIX=<${arg_PREFIX}>" "-DARGUMENTS=${arg_ARGUMENTS}" "-DLABELS=${arg_LABELS}"
            -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/discover.cmake"
    BYPRODUCTS "${base}.cmake" VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${base}_include.cmake")
endfunction()
