#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Which compilers the yardsticks are built with, and what is said of each; cmake only does as it is told.
# shellcheck disable=SC2016 # for the programs
set -u
. "$(dirname -- "$0")/lib.sh"
tree="$here/tree"
mkdir -p "$tree/tools" "$here/bin"
cp "$top/tools/compilers" "$tree/tools/"

program() { # NAME: a program of the script on standard input
    { echo '#!/bin/sh' && cat; } >"$here/bin/$1"
    chmod +x "$here/bin/$1"
}
# Writes down what it is asked; a build leaves yardsticks that say $says and exit with $code.
program cmake <<'END_OF_PROGRAM'
echo "$@" >>"$(dirname "$0")/asked"
[ "$1" = --build ] || exit 0
mkdir -p "$2/bin"
printf '#!/bin/sh\necho a row\necho "%s"\nexit %d\n' "${says:-5 agree, 0 differ}" "${code:-0}" >"$2/bin/ringproof_verify_yardsticks"
chmod +x "$2/bin/ringproof_verify_yardsticks"
exit "${build_code:-0}"
END_OF_PROGRAM
for compiler in g++-13 clang++-19; do program "$compiler" </dev/null; done
compilers() { env PATH="$here/bin:$PATH" "$tree/tools/compilers" "$@"; }

case_usage() { # an unknown option, a number of jobs that is none, and a compiler that is not there exit with 2
    runs 2 compilers --fast
    runs 2 compilers --jobs zero
    runs 2 compilers g++-1
    says stderr "no g++-1 in PATH"
    runs 2 compilers cmake
    says stderr "neither a g++ nor a clang++"
}
case_each() { # each compiler is tried with the C compiler that belongs to it
    runs 0 compilers g++-13 clang++-19
    says stdout "g++-13"
    says stdout "5 agree, 0 differ"
    grep -q -e '-DCMAKE_CXX_COMPILER=g++-13 .*-DCMAKE_C_COMPILER=gcc-13' "$here/bin/asked" || fail "asked: $(cat "$here/bin/asked")"
    grep -q -e '-DCMAKE_CXX_COMPILER=clang++-19 .*-DCMAKE_C_COMPILER=clang-19' "$here/bin/asked" || fail "asked: $(cat "$here/bin/asked")"
}
case_found() { # without a name those that are there are tried
    runs 0 compilers
    grep -q '^g++-13 ' "$here/stdout" || fail "no g++-13"
    grep -q '^clang++-19 ' "$here/stdout" || fail "no clang++-19"
}
case_differs() { # a number that differs is exit code 1, and the rows are shown
    export code=1 says="4 agree, 1 differ"
    runs 1 compilers g++-13
    says stdout "4 agree, 1 differ"
    says stdout "  | a row"
}
case_no_build() { # a build that fails is exit code 1, and the next compiler is tried all the same
    export build_code=1
    runs 1 compilers g++-13 clang++-19
    [ "$(grep -c 'does not build' "$here/stdout")" = 2 ] || fail "not both"
}
# As ninja answers: which targets there are, and the commands, of which the last one links.
programs_of_ninja() {
    program ninja <<'END_OF_PROGRAM'
echo "ninja $*" >>"$(dirname "$0")/asked"
objects=verify/test/yardsticks/CMakeFiles/ringproof_verify_yardsticks.dir
case $* in
    *targets*) printf '%s\n' "$objects/main.cpp.o: CXX_COMPILER" "$objects/spsc.cpp.o: CXX_COMPILER" "lib/x.cpp.o: CXX_COMPILER" ;;
    *commands*) printf '%s\n' 'exit 9' 'cat lib/libringproof_verify.so command/libringproof_command.a >bin/ringproof_verify_yardsticks && chmod +x bin/ringproof_verify_yardsticks' ;;
esac
END_OF_PROGRAM
}
case_programs() { # with a checker that is built only the programs are compiled, and linked with it
    programs_of_ninja
    mkdir -p "$here/release/lib" "$here/release/command"
    printf '#!/bin/sh\n' >"$here/release/lib/libringproof_verify.so"
    runs 2 compilers --programs "$here/release" g++-13
    says stderr "no checker is built in '$here/release'"
    echo 'echo "7 agree, 0 differ"' >"$here/release/command/libringproof_command.a"
    runs 0 compilers --programs "$here/release" g++-13
    says stdout "7 agree, 0 differ"
    grep -q 'ninja .*/main.cpp.o verify.*/spsc.cpp.o$' "$here/bin/asked" || fail "asked: $(cat "$here/bin/asked")"
    if grep -q -e '--build' "$here/bin/asked"; then fail "the checker was built"; fi
}

"$1"
