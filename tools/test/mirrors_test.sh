#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The mirrors of a small tree: one source of litmus with its test, one without, which the list knows.
set -u
. "$(dirname -- "$0")/lib.sh"
mirrors="$top/tools/mirrors"
tree=$here/tree

mkdir -p "$tree/tools" "$tree/litmus/src/parse" "$tree/litmus/test/parse" "$tree/core/include/ringproof" "$tree/core/test"
for file in litmus/src/parse/text.cpp litmus/src/parse/scanner.cpp litmus/src/main.cpp litmus/src/parse/text.hpp \
    litmus/test/parse/scanner_test.cpp core/include/ringproof/record.hpp core/test/record_test.cpp; do
    echo 'int x;' >"$tree/$file"
done
echo '# known
litmus/src/parse/text.cpp' >"$tree/tools/mirrors.txt"

case_as_listed() { # sources with a test, and gaps that are listed, are fine
    runs 0 "$mirrors" "$tree"
    says stdout "litmus      1 of    2 sources have a test that mirrors them"
    says stdout "core        1 of    1 sources have a test that mirrors them"
    ends "1 known gaps"
}
case_new_source() { # a new source without a test is an error that names the test to write
    echo 'int x;' >"$tree/litmus/src/parse/new.cpp"
    runs 1 "$mirrors" --quiet "$tree"
    says stdout "litmus/src/parse/new.cpp: no test mirrors it: add litmus/test/parse/new_test.cpp"
    ends "1 wrong"
    rm "$tree/core/test/record_test.cpp"
    runs 1 "$mirrors" --quiet "$tree"
    says stdout "core/include/ringproof/record.hpp: no test mirrors it: add core/test/record_test.cpp"
    ends "2 wrong"
}
case_test_came() { # a listed gap that has its test, or has gone, has to be struck, so that the list only shrinks
    echo 'int x;' >"$tree/litmus/test/parse/text_test.cpp"
    runs 1 "$mirrors" --quiet "$tree"
    says stdout "tools/mirrors.txt:2: litmus/src/parse/text.cpp has a mirror now: strike this line"
    rm "$tree/litmus/src/parse/text.cpp"
    runs 1 "$mirrors" --quiet "$tree"
    says stdout "tools/mirrors.txt:2: litmus/src/parse/text.cpp is gone: strike this line"
    runs 0 "$mirrors" --renew "$tree"
    ends "0 known gaps"
}
case_folder() { # a folder of tests named like the source mirrors it
    mkdir "$tree/litmus/test/parse/text"
    runs 0 "$mirrors" "$tree"
    echo 'int x;' >"$tree/litmus/test/parse/text/words_test.cpp"
    runs 1 "$mirrors" "$tree"
    says stdout "has a mirror now"
}
case_renew() { # --renew follows a file that was moved, and refuses a list that would be longer
    mv "$tree/litmus/src/parse/text.cpp" "$tree/litmus/src/parse/words.cpp"
    runs 0 "$mirrors" --renew "$tree"
    grep -qx litmus/src/parse/words.cpp "$tree/tools/mirrors.txt" || fail "the list has not the new name"
    runs 0 "$mirrors" --quiet "$tree"
    echo 'int x;' >"$tree/litmus/src/parse/more.cpp"
    runs 1 "$mirrors" --renew "$tree"
    says stderr "litmus would have 2 gaps in place of 1: write the tests of litmus/src/parse/more.cpp"
    runs 1 "$mirrors" --quiet "$tree"
}
case_usage() { # a word that is no option is refused, and so is a tree without a list
    runs 2 "$mirrors" --loud
    says stderr "'--loud' is not understood"
    rm "$tree/tools/mirrors.txt"
    runs 2 "$mirrors" "$tree"
    says stderr "there is no "
}

"$1"
