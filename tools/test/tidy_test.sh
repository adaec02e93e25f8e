#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# clang-tidy over a small tree: one source of C++ with a test, and one of C.
set -u
. "$(dirname -- "$0")/lib.sh"
tree=$here/tree

mkdir -p "$tree/tools" "$tree/litmus/src" "$tree/litmus/test" "$tree/build/release"
cp "$top/tools/tidy" "$tree/tools/tidy"
cp "$top/.clang-tidy" "$tree/.clang-tidy"
mkdir "$tree/cmake"
cp -R "$top/cmake/catch2_outline" "$tree/cmake/catch2_outline"
cat >"$tree/litmus/src/fine.cpp" <<'END_OF_SOURCE'
#include "fine.hpp"
int twice(int x) { return 2 * x; }
END_OF_SOURCE
echo 'int twice(int x);' >"$tree/litmus/src/fine.hpp"
cat >"$tree/litmus/test/fine_test.cpp" <<'END_OF_SOURCE'
#include "../src/fine.hpp"
#include <catch2/catch.hpp>
TEST_CASE("two times two is four") {
    CAPTURE(twice(2));
    CHECK(twice(2) == 4);
    CHECK_THAT("four", Catch::Contains("our") && !Catch::StartsWith("f"));
}
END_OF_SOURCE
echo 'int plain(void) { return 0; }' >"$tree/litmus/src/plain.c"
command_of() { # FILE COMPILER
    printf '{"directory": "%s", "file": "%s", "command": "ccache /usr/bin/%s -Wall -fno-tree-ch -o x.o -c '"'%s'"'"}' \
        "$tree/build/release" "$tree/$1" "$2" "$tree/$1"
}
commands() {
    printf '[%s,\n%s,\n%s]\n' "$(command_of litmus/src/fine.cpp "g++ -std=c++20")" \
        "$(command_of litmus/test/fine_test.cpp "g++ -std=c++20")" "$(command_of litmus/src/plain.c gcc)" \
        >"$tree/build/release/compile_commands.json"
}
commands
tidy() { # CODE [OPTION…]: or a skip, where there is no clang-tidy 14
    wanted=$1
    shift
    (cd "$tree" && tools/tidy "$@") >"$here/stdout" 2>"$here/stderr"
    code=$?
    if [ "$code" -eq 77 ]; then cat "$here/stdout" && exit 77; fi
    [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted, of: tidy $*"
}

case_clean() { # a clean tree of C, C++ and tests has no finding
    tidy 0
    says stdout "3 sources checked in "
    says stdout ", 0 findings"
}
case_sample() { # what the last 50 commits changed is looked at, and of the rest a part that changes with their number
    git -C "$tree" init -q
    commit() { git -C "$tree" -c user.name=A -c user.email=a@b commit -q --allow-empty -m more; }
    git -C "$tree" add litmus
    commit
    tidy 0 --sample 3
    says stdout "3 sources checked in "
    i=0
    while [ $i -lt 50 ]; do commit && i=$((i + 1)); done
    tidy 0 --sample 3
    says stdout "1 sources checked in "
    echo '/* changed */' >>"$tree/litmus/src/plain.c"
    git -C "$tree" add litmus
    commit
    tidy 0 --sample 100
    says stdout "1 sources checked in "
    tidy 2 --sample 0
}
case_name() { # a name in another style is a finding, in a source, a header and a test, each told once
    echo 'int Thrice(int x);' >>"$tree/litmus/src/fine.hpp"
    echo 'int Plain(void) { return 1; }' >>"$tree/litmus/src/plain.c"
    tidy 1
    says stdout "litmus/src/fine.hpp:2:5: invalid case style for function 'Thrice' [readability-identifier-naming]"
    says stdout "litmus/src/plain.c:2:5: invalid case style for function 'Plain' [readability-identifier-naming]"
    says stdout ", 2 findings"
    tidy 0 litmus/src/no-such-folder ../tree/litmus/src/fine.cpp --bounds 50,20
    tidy 1 litmus/src/plain.c
    says stdout "1 sources checked"
}
case_tangled() { # a function above the bounds is a finding
    {
        echo 'int tangled(int a) { int n = 0;'
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do
            echo "for (int i = 0; i < a; ++i) if (i == $i && a > i) n += i;"
        done
        echo 'return n; }'
    } >>"$tree/litmus/src/fine.cpp"
    tidy 1
    says stdout "function 'tangled' has cognitive complexity of "
    tidy 1 --bounds 10,1000
    says stdout "function 'tangled' has 29 lines [readability-function-size]"
    tidy 0 --bounds 50,1000
}
case_listed() { # a function above the bounds that is listed passes, until it has more, or less
    echo 'int deep(int a) { if (a) { if (a > 1) { if (a > 2) { if (a > 3) { if (a > 4) { if (a > 5) { if (a > 6)
{ if (a > 7) return 1; } } } } } } } return 0; }' >>"$tree/litmus/src/fine.cpp"
    tidy 1
    says stdout "function 'deep' has cognitive complexity of 36 "
    echo 'complexity 36 litmus/src/fine.cpp deep' >"$tree/tools/tidy.txt"
    tidy 0
    echo 'complexity 35 litmus/src/fine.cpp deep' >"$tree/tools/tidy.txt"
    tidy 1
    says stdout "function 'deep' has cognitive complexity of 36 "
    echo 'complexity 37 litmus/src/fine.cpp deep' >"$tree/tools/tidy.txt"
    tidy 1
    says stdout "tools/tidy.txt:1: deep has less than 37: write 36"
    echo 'complexity 50 litmus/src/fine.cpp gone
complexity 36 litmus/src/fine.cpp deep' >"$tree/tools/tidy.txt"
    tidy 1
    says stdout "tools/tidy.txt:1: gone has less than 50: strike this line"
    tidy 0 litmus/src/fine.cpp
    echo 'complex' >"$tree/tools/tidy.txt"
    tidy 2
    says stderr "tools/tidy.txt:1: expected "
}
case_broken() { # a file that clang-tidy cannot read is a finding, not silence
    echo 'int broken( {' >>"$tree/litmus/src/fine.cpp"
    tidy 1
    says stdout "[clang-diagnostic-error]"
}
case_usage() { # a wrong option, a missing build and names of no source are refused
    tidy 2 --loud
    says stderr "no option '--loud'"
    tidy 2 --jobs
    says stderr "--jobs needs a value"
    tidy 2 --jobs none
    says stderr "--jobs takes a number from 1, not 'none'"
    tidy 2 --build no-such-build
    says stderr "configure first"
    tidy 2 litmus/src/none.cpp
    says stderr "no source of that name"
}

"$1"
