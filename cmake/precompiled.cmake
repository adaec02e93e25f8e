# SPDX-License-Identifier: Apache-2.0
# Headers that most sources of a library include, compiled once for all of them: a third of what a small source costs. The
# gate's presets do so. Not by default: a source that forgets a header would go unnoticed. (clang-tidy, which the gate runs
# on what changed, reads each source without.)
option(RINGPROOF_PRECOMPILE "Precompile headers of the standard library; the gate's presets set it" OFF)

# What ccache has to know of a target with precompiled headers, to tell what they held.
function(ringproof_precompiled_for_ccache target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()

# ringproof_precompile(TARGET [HEADER…]): the standard library's, and these.
function(ringproof_precompile target)
  if(NOT RINGPROOF_PRECOMPILE)
    return()
  endif()
  set(headers "")
  foreach(header algorithm array functional map memory optional string string_view unordered_map unordered_set variant
          vector ${ARGN})
    list(APPEND headers "$<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>")
  endforeach()
  target_precompile_headers(${target} PRIVATE ${headers})
  ringproof_precompiled_for_ccache(${target})
endfunction()
