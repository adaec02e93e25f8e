# SPDX-License-Identifier: Apache-2.0
# Toolchain: Debian's cross compiler for another machine. RINGPROOF_CROSS is the machine's triple (aarch64-linux-gnu), a
# cache variable of the presets or, for bench/bundle, a variable of the environment. Libraries beyond the compiler's own are
# where RINGPROOF_SYSROOT in the environment says (bench/bundle/sysroot puts them there); the core's tests need none.
if(NOT RINGPROOF_CROSS)
  set(RINGPROOF_CROSS "$ENV{RINGPROOF_CROSS}")
endif()
# CMake reads this file again for its checks, without the cache.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RINGPROOF_CROSS)

set(CMAKE_SYSTEM_NAME Linux)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "${RINGPROOF_CROSS}")
set(CMAKE_LIBRARY_ARCHITECTURE "${RINGPROOF_CROSS}")
foreach(language IN ITEMS C CXX)
  if(language STREQUAL "CXX")
    set(name g++)
  else()
    set(name gcc)
  endif()
  find_program(RINGPROOF_CROSS_${language} "${RINGPROOF_CROSS}-${name}")
  if(NOT RINGPROOF_CROSS_${language})
    message(FATAL_ERROR "no ${RINGPROOF_CROSS}-${name} in PATH (Debian: apt-get install g++-${RINGPROOF_CROSS})")
  endif()
  set(CMAKE_${language}_COMPILER "${RINGPROOF_CROSS_${language}}")
endforeach()

# What runs the other machine's programs here. 32-bit x86 is run by the processor itself where the kernel allows it:
# an emulator would hide an access that is torn.
set(machine "${CMAKE_SYSTEM_PROCESSOR}")
if(machine STREQUAL "i686")
  set(machine i386)
  set(loader "/usr/${RINGPROOF_CROSS}/lib/ld-linux.so.2")
  execute_process(COMMAND "${loader}" --version RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(code EQUAL 0)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${loader};--library-path;/usr/${RINGPROOF_CROSS}/lib")
  endif()
endif()
set(RINGPROOF_QEMU "qemu-${machine}")
if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
  find_program(RINGPROOF_EMULATOR "${RINGPROOF_QEMU}")
  if(RINGPROOF_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${RINGPROOF_EMULATOR};-L;/usr/${RINGPROOF_CROSS}")
  endif()
endif()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH "/usr/${RINGPROOF_CROSS}")
set(sysroot "$ENV{RINGPROOF_SYSROOT}")
if(sysroot)
  set(CMAKE_FIND_ROOT_PATH "${sysroot}")
  # Debian keeps headers that differ by architecture apart; and what the libraries themselves need.
  set(CMAKE_CXX_FLAGS_INIT "-isystem ${sysroot}/usr/include/${RINGPROOF_CROSS}")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,${sysroot}/usr/lib/${RINGPROOF_CROSS} -Wl,-rpath-link,${sysroot}/lib/${RINGPROOF_CROSS}")
  set(ENV{PKG_CONFIG_SYSROOT_DIR} "${sysroot}")
  set(ENV{PKG_CONFIG_LIBDIR} "${sysroot}/usr/lib/${RINGPROOF_CROSS}/pkgconfig:${sysroot}/usr/share/pkgconfig")
endif()
