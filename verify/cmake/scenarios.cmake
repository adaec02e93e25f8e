# SPDX-License-Identifier: Apache-2.0
#   ringproof_instrument(TARGET)
# compiles TARGET so that the checker sees every access to memory, and links it without the
# sanitizer's own runtime: ringproof::verify takes its place.
function(ringproof_instrument target)
  target_compile_options(${target} PRIVATE -fsanitize=thread -O1 -g -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan --param=tsan-instrument-func-entry-exit=0>
    $<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-instrument-func-entry-exit=0>)
  target_link_libraries(${target} PRIVATE ringproof::verify)
  # Calls that the compiler does not instrument: only the target's own, not those of its libraries.
  target_link_options(${target} PRIVATE -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp)
endfunction()
