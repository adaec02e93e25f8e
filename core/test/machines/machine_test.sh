#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every header of the core for another machine, or for musl, and runs layouts.cpp there:
#   machine_test.sh CORE WORK aarch64|riscv64|i386|s390x|musl
# The core's own tests run there by the presets of the same names: .ci/run --machines.
set -u
core=$1 work=$2 machine=$3
mkdir -p "$work" || exit 2

without() { # PACKAGES
    echo "skipped: apt-get install --no-install-recommends $1"
    exit 77
}
warnings="-std=c++20 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror"
triple=$machine-linux-gnu run=qemu-$machine
case $machine in
    i386) triple=i686-linux-gnu ;;
    musl) triple=x86_64-linux-musl ;;
esac

(cd "$core/include" && find ringproof -name '*.hpp' | LC_ALL=C sort | sed 's/.*/#include <&>/') >"$work/all.cpp"
[ "$(wc -l <"$work/all.cpp")" -gt 50 ] || { echo "no headers in $core/include" && exit 1; }
compile() { # OPTION…: every header, and the program's two sources
    # shellcheck disable=SC2086 # a list of words
    "$compiler" $warnings "$@" "-I$core/include" -fsyntax-only "$work/all.cpp" &&
        "$compiler" $warnings "$@" "-I$core/include" -c "$core/test/machines/layouts.cpp" -o "$work/layouts.o" &&
        "$compiler" $warnings "$@" "-I$core/include" -c "$core/source/ringproof_c.cpp" -o "$work/c.o"
}

if [ "$machine" = musl ]; then
    # Debian has no C++ library for musl. The headers of libc++ know it, and what this program takes of libc++.a wants no
    # more of glibc than two functions of its checked stdio.
    llvm=/usr/lib/llvm-19 musl=/usr/lib/x86_64-linux-musl compiler=clang++-19
    for needed in /usr/bin/$compiler /usr/bin/musl-gcc $llvm/lib/libunwind.a $llvm/lib/libc++abi.a $llvm/include/c++/v1/atomic; do
        [ -e "$needed" ] || without "musl-tools clang-19 libc++-19-dev libc++abi-19-dev libunwind-19-dev"
    done
    # Of the kernel's headers alone, those of this machine will do: they need no libc.
    mkdir -p "$work/kernel" && ln -sfn /usr/include/linux "$work/kernel/linux" &&
        ln -sfn /usr/include/asm-generic "$work/kernel/asm-generic" &&
        ln -sfn "/usr/include/$(uname -m)-linux-gnu/asm" "$work/kernel/asm" || exit 2
    compile "--target=$triple" -D_LIBCPP_HAS_MUSL_LIBC -nostdlibinc -isystem $llvm/include/c++/v1 \
        -isystem "/usr/include/$triple" -isystem "$work/kernel" || exit 1
    cat >"$work/checked.c" <<'END' && musl-gcc -c "$work/checked.c" -o "$work/checked.o" || exit 1
#include <stdarg.h>
#include <stdio.h>
int __vfprintf_chk(FILE* file, int flag, const char* format, va_list list) { return (void)flag, vfprintf(file, format, list); }
int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
    va_list list;
    va_start(list, format);
    const int written = __vfprintf_chk(file, flag, format, list);
    va_end(list);
    return written;
}
END
    $compiler -nostdlib -static $musl/crt1.o $musl/crti.o "$work/layouts.o" "$work/c.o" "$work/checked.o" $llvm/lib/libc++.a \
        $llvm/lib/libc++abi.a $llvm/lib/libunwind.a -L$musl -lc "$(musl-gcc -print-libgcc-file-name)" $musl/crtn.o \
        -o "$work/layouts" || exit 1
    exec "$work/layouts"
fi

compiler=$triple-g++
command -v "$compiler" >/dev/null || without "g++-$triple qemu-user"
compile || exit 1
"$compiler" "$work/layouts.o" "$work/c.o" -o "$work/layouts" || exit 1
if [ "$machine" = i386 ]; then
    # The last processor without 64-bit atomics. One error, in which the reason stands first.
    said=$("$compiler" -std=c++20 -march=i486 -fsyntax-only "-I$core/include" "$work/all.cpp" 2>&1 | grep 'error:')
    case $said in
        *'needs lock-free atomics of 64 bits'*-march=i586*) [ "$(echo "$said" | wc -l)" -eq 1 ] ;;
        *) false ;;
    esac || { echo "i486 is not refused with one sentence: $said" && exit 1; }
    # The processor itself, where the kernel runs 32-bit programs.
    loader=/usr/$triple/lib/ld-linux.so.2
    if "$loader" --version >/dev/null 2>&1; then exec "$loader" --library-path "/usr/$triple/lib" "$work/layouts"; fi
fi
command -v "$run" >/dev/null || without "qemu-user"
exec "$run" -L "/usr/$triple" "$work/layouts"
