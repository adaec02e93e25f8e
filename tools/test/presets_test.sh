#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the presets ask of a compiler.
set -u
. "$(dirname -- "$0")/lib.sh"

cd "$top" || exit 1
presets() { cmake --list-presets | sed -n 's/^ *"\(.*\)"$/\1/p'; }
# What a preset sets, as CMake sees it; nothing is configured.
shown() { cmake -N --preset "$1" -B "$here/none"; }

case_no_errors() { # warnings are errors in the gate's presets alone, so that a newer compiler builds what is right
    found=0
    for preset in $(presets); do
        shown "$preset" >"$here/stdout" || fail "no preset $preset"
        wanted=OFF
        case $preset in ci | ci-*) wanted=ON && found=$((found + 1)) ;; esac
        says stdout "CMAKE_COMPILE_WARNING_AS_ERROR=\"$wanted\""
        ! grep -q -e -Werror "$here/stdout" || fail "$preset has -Werror"
    done
    [ "$found" -eq 2 ] || fail "$found presets of the gate"
}
case_no_version() { # no preset names a version of a compiler
    for preset in $(presets); do
        shown "$preset" >"$here/stdout" || fail "no preset $preset"
        ! grep -E '(gcc|g[+][+]|clang([+][+]|-tidy)?)-[0-9]' "$here/stdout" || fail "$preset names a version"
    done
}
case_clang_found() { # the clang presets take the clang that is there, whatever its version
    mkdir "$here/bin"
    for tool in clang++-17 clang-17; do
        printf '#!/bin/sh\n' >"$here/bin/$tool"
        chmod +x "$here/bin/$tool"
    done
    cat >"$here/p.cmake" <<END
include("$top/cmake/clang.cmake")
message("<\${CMAKE_CXX_COMPILER}> <\${CMAKE_C_COMPILER}>")
END
    runs 0 env "PATH=$here/bin" "$(command -v cmake)" -D CMAKE_SYSTEM_PREFIX_PATH= -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -P "$here/p.cmake"
    says stderr "<$here/bin/clang++-17> <$here/bin/clang-17>"
}
case_clang_missing() { # without any clang the clang presets name the package
    printf 'include("%s/cmake/clang.cmake")\n' "$top" >"$here/p.cmake"
    runs 1 env PATH=/nowhere "$(command -v cmake)" -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -P "$here/p.cmake"
    says stderr "apt-get install clang"
}
case_checker() { # the checker alone takes no test, no benchmark and no litmus test to build
    runs 0 cmake --preset checker -B "$here/checker"
    grep -q '"checker", "targets": \["ringproof", "ringproof-check", "ringproof-report", "ringproof_verify_main"\]' CMakePresets.json || fail "other targets"
    runs 0 ninja -C "$here/checker" -t inputs ringproof ringproof-check ringproof-report ringproof_verify_main
    says stdout "verify/src/search/explorer.cpp"
    says stdout "verify/check/main.cpp"
    ! grep -E '/(litmus|bench|record|test|scenarios)/[^ ]*[.]cpp$' "$here/stdout" || fail "more than the checker"
}
case_machines() { # each machine's preset takes Debian's cross compiler and builds the core and its tests
    for pair in aarch64=aarch64-linux-gnu riscv64=riscv64-linux-gnu i386=i686-linux-gnu s390x=s390x-linux-gnu; do
        shown "${pair%%=*}" >"$here/stdout" || fail "no preset ${pair%%=*}"
        says stdout "RINGPROOF_CROSS=\"${pair#*=}\""
        says stdout 'RINGPROOF_BUILD_TOOLS="OFF"'
        says stdout 'RINGPROOF_BUILD_TESTING="ON"'
    done
}
case_no_cross_compiler() { # without the cross compiler the package is named
    runs 1 env PATH=/nowhere "$(command -v cmake)" -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -D RINGPROOF_CROSS=mips-linux-gnu -P "$top/cmake/cross.cmake"
    says stderr "apt-get install g++-mips-linux-gnu"
}
case_gate_options() { # the gate refuses an option that it does not know, and begins nothing
    runs 2 .ci/run --machine
    says stderr "usage: .ci/run [--compilers | --machines | --playground]"
}

"$1"
