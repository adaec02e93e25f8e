# SPDX-License-Identifier: Apache-2.0
# Toolchain: Debian's cross compiler for RINGPROOF_CROSS (aarch64-linux-gnu), with the libraries that bench/bundle/sysroot
# put into RINGPROOF_SYSROOT. Both come from the environment, since CMake reads this file again for its checks.
set(CMAKE_SYSTEM_NAME Linux)
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR "$ENV{RINGPROOF_CROSS}")
set(CMAKE_C_COMPILER "$ENV{RINGPROOF_CROSS}-gcc")
set(CMAKE_CXX_COMPILER "$ENV{RINGPROOF_CROSS}-g++")
set(CMAKE_LIBRARY_ARCHITECTURE "$ENV{RINGPROOF_CROSS}")

set(CMAKE_FIND_ROOT_PATH "$ENV{RINGPROOF_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Debian keeps headers that differ by architecture apart; and what the libraries themselves need.
set(CMAKE_CXX_FLAGS_INIT "-isystem $ENV{RINGPROOF_SYSROOT}/usr/include/$ENV{RINGPROOF_CROSS}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-rpath-link,$ENV{RINGPROOF_SYSROOT}/usr/lib/$ENV{RINGPROOF_CROSS} -Wl,-rpath-link,$ENV{RINGPROOF_SYSROOT}/lib/$ENV{RINGPROOF_CROSS}")

set(ENV{PKG_CONFIG_SYSROOT_DIR} "$ENV{RINGPROOF_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "$ENV{RINGPROOF_SYSROOT}/usr/lib/$ENV{RINGPROOF_CROSS}/pkgconfig:$ENV{RINGPROOF_SYSROOT}/usr/share/pkgconfig")
