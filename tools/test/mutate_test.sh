#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mutants in a tree of its own: one library with a CTest test, and one executable of two sources.
set -u
. "$(dirname -- "$0")/lib.sh"
tree=$here/tree
mutate=$tree/tools/mutate

mkdir -p "$tree/tools/mutants" "$tree/part"
cp "$top/tools/mutate" "$mutate"
cat >"$tree/CMakePresets.json" <<'END'
{ "version": 6, "configurePresets": [ { "name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release" } ] }
END
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tree C)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
add_library(sums SHARED part/sum.c)
set_target_properties(sums PROPERTIES SOVERSION 0.1)
add_executable(asks part/asks.c)
target_link_libraries(asks PRIVATE sums)
add_test(NAME "sum: of two" COMMAND asks 2)
add_test(NAME "sum: of three" COMMAND asks 3)
add_executable(alone part/alone.c part/other.c)
END
echo 'int sum(int a, int b) { return a + b; } int twice(int a) { return a + a; }' >"$tree/part/sum.c"
cat >"$tree/part/asks.c" <<'END'
int sum(int, int);
int main(int count, char** arguments) { return count == 2 && sum(1, 2) == 3 ? arguments[1][0] == '4' : 1; }
END
cat >"$tree/part/value.h" <<'END'
static int value(int a) {
    int x = a;
    while (x < a) ++x; // never
    return x;
}
END
echo '#include "value.h"
int main(void) { return value(3) != 3; }' >"$tree/part/alone.c"
echo '#include "value.h"
int other(void) { return value(4); }' >"$tree/part/other.c"

stanza() { # NAME FILE FROM TO [LINE…]: appended to the list
    printf '\n# a comment\nname: %s\nfile: part/%s\nfrom: %s\nto: %s\n' "$1" "$2" "$3" "$4"
    shift 4
    [ $# -eq 0 ] || printf '%s\n' "$@"
}
list=$tree/tools/mutants/part.txt
sums() { stanza "$1" sum.c "$2" "$3" "target: sums asks" "tests: ^sum: "; }
alone() { stanza "$1" value.h "$2" "$3" "target: alone" "sources: part/alone.c"; }

case_killed() { # what a test sees is killed, in a library and in an executable, also by taking too long
    {
        sums adds "a + b" "a - b"
        alone returns "return x;" "return 0;"
        alone loops "x < a" "x <= a + 0 * ++a"
    } >"$list"
    sed -i 's/^limit=.*/limit=3/' "$mutate"
    runs 0 "$mutate" --jobs 2
    says stdout "part: 3 of 3 killed (100 %)"
    ends "3 passed, 0 failed, 0 skipped"
    [ "$(cat "$tree/part/value.h" "$tree/part/sum.c" | grep -c 'a - b\|return 0')" = 0 ] || fail "the tree was changed"
}
case_survived() { # a survivor fails the run, but for one that is argued equivalent
    {
        sums twice "a + a" "2 * a"
        alone never "++x" "--x"
        echo "equivalent: the loop is never entered"
    } >"$list"
    runs 1 "$mutate"
    says stdout "survived, and no line argues that no program can tell: part/twice"
    says stdout "part: 0 of 1 killed (0 %), 1 argued equivalent"
    ends "0 passed, 1 failed, 1 skipped"
}
case_no_longer_equivalent() { # a mutant that is argued equivalent and killed fails the run
    { sums adds "a + b" "a - b" && echo "equivalent: who adds?"; } >"$list"
    runs 1 "$mutate"
    says stdout "a test tells them apart"
}
case_does_not_compile() { # a mutant that does not compile is an error of the list
    sums adds "a + b" "a + c" >"$list"
    runs 2 "$mutate"
    says stderr "part/adds does not compile"
}
case_place() { # a place that is not found exactly once is an error of the list
    { sums many a b && sums none "a * b" c && sums nowhere "a + b" c && echo "near: elsewhere"; } >"$list"
    runs 2 "$mutate" --list
    says stderr "part/many: part/sum.c contains more than once: a"
    says stderr "part/none: part/sum.c does not contain: a * b"
    says stderr "part/nowhere: part/sum.c does not contain the text of 'near': elsewhere"
}
case_near() { # of many places the first behind the text of near is meant
    { sums twice "a" "1 * a" && echo "near: twice(int a)"; } >"$list"
    runs 1 "$mutate" # nothing tests twice(); the other places would not have survived
    says stdout "survived"
}
case_fails_anyway() { # tests that fail without a mutant judge none
    sums adds "a + b" "a - b" >"$list"
    sed -i 's/== 3/== 4/' "$tree/part/asks.c"
    runs 2 "$mutate"
    says stderr "without any mutant the tests of part/adds fail"
}
case_no_test() { # a regex that no test matches is an error
    sums adds "a + b" "a - b" | sed 's/^tests:.*/tests: nobody/' >"$list"
    runs 2 "$mutate"
    says stderr "without any mutant the tests of part/adds fail"
}
case_keys() { # what a list can't have is said with its line
    printf 'name: one\nfile: x\ncolour: red\n\nname: one\nto: x\n' >"$list"
    runs 2 "$mutate" --list
    says stderr "part.txt:3: not a line 'KEY: text'"
    says stderr "there is another mutant 'one'"
    says stderr "has no line 'target:'"
}
case_sample() { # a sample goes on where the one before ended, and each seed has its own
    for i in 1 2 3 4; do sums "m$i" "a + b" "a - b"; done >"$list"
    for seed in 0 1; do
        runs 0 "$mutate" --list --sample 2 --seed "$seed"
        grep '^part/' "$here/stdout" >>"$here/all"
    done
    [ "$(sort -u "$here/all" | wc -l)" = 4 ] || fail "not all: $(cat "$here/all")"
}
case_names() { # by name and by part
    sums one "a + b" c >"$list"
    sums two "a + b" c >"$tree/tools/mutants/else.txt"
    runs 0 "$mutate" --list --name 't.o'
    [ "$(cut -d ' ' -f 1 "$here/stdout")" = else/two ] || fail "listed: $(cat "$here/stdout")"
    runs 0 "$mutate" --list --part part
    [ "$(cut -d ' ' -f 1 "$here/stdout")" = part/one ] || fail "listed: $(cat "$here/stdout")"
    runs 2 "$mutate" --list --part other
    runs 2 "$mutate" --list --name nobody
    runs 2 "$mutate" --sample few
    runs 2 "$mutate" --frobnicate
}
case_own_lists() { # the lists of this tree fit its files
    runs 0 "$top/tools/mutate" --list
    grep -q '^core/' "$here/stdout" || fail "no mutant of the core: $(head -n 3 "$here/stdout")"
}

"$1"
