#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The layers of a small tree: an application of two folders and a library of two, all in order at first.
set -u
. "$(dirname -- "$0")/lib.sh"
layers="$top/tools/layers"
tree=$here/tree

mkdir -p "$tree/tools" "$tree/app/src/screen" "$tree/app/src/words" "$tree/app/test/screen" \
    "$tree/lib/include/lib" "$tree/lib/src"
cat >"$tree/tools/layers.txt" <<'END_OF_LIST'
# a small tree
part app
  test/*
  src/screen -> lib
  src/words
  search test/* in src

part lib
  src
  include/lib
  public include
END_OF_LIST
echo '#include "../words/words.hpp"
#include <lib/lib.hpp>
#include <vector>' >"$tree/app/src/screen/screen.cpp"
echo '#pragma once' >"$tree/app/src/words/words.hpp"
echo '#include "screen/screen.hpp"' >"$tree/app/test/screen/screen_test.cpp"
echo '#pragma once' >"$tree/app/src/screen/screen.hpp"
echo '#include "lib/lib.hpp"' >"$tree/lib/src/lib.cpp"
echo '#pragma once' >"$tree/lib/include/lib/lib.hpp"

says_line() { grep -qxF -- "$1" "$here/stdout" || fail "no line: $1"; }

case_in_order() { # a tree in order is drawn from the top down, and has exit code 0
    runs 0 "$layers" "$tree"
    says_line "  src/screen                   ↓ src/words ⇓ lib"
    says_line "  test/screen                  ↓ src/screen"
    says_line "  src                          ↓ include/lib"
    ends "5 folders, 4 arrows, 0 not yet downwards, 0 wrong"
}
case_upward() { # an include that points upwards is named with file, line and both folders
    printf '\n#include "../screen/screen.hpp"\n' >>"$tree/app/src/words/words.hpp"
    rm "$tree/app/src/screen/screen.cpp"
    sed -i 's/ -> lib//' "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says_line 'app/src/words/words.hpp:3: upward: app/src/words includes app/src/screen (../screen/screen.hpp)'
    ends "5 folders, 3 arrows, 0 not yet downwards, 1 wrong"
}
case_cycle() { # where a wrong include closes a cycle of folders, the cycle is shown
    mkdir "$tree/app/src/paint"
    sed -i 's|^  src/words|  src/paint\n&|' "$tree/tools/layers.txt"
    echo '#include "../words/words.hpp"' >"$tree/app/src/paint/paint.hpp"
    echo '#include "../paint/paint.hpp"' >"$tree/app/src/screen/screen.hpp"
    echo '  #  include "../screen/screen.hpp" // why not' >"$tree/app/src/words/words.hpp"
    runs 1 "$layers" "$tree"
    says stdout 'app/src/words/words.hpp:1: upward: app/src/words includes app/src/screen (../screen/screen.hpp); cycle: app/src/words -> app/src/screen -> app/src/words'
    says_line "  src/words                    ↑ src/screen (WRONG)"
}
case_long_cycle() { # a cycle is found through the folders between
    mkdir "$tree/app/src/paint"
    sed -i 's|^  src/words|  src/paint\n&|' "$tree/tools/layers.txt"
    echo '#include "../words/words.hpp"' >"$tree/app/src/paint/paint.hpp"
    echo '#include "../paint/paint.hpp"
#include <lib/lib.hpp>' >"$tree/app/src/screen/screen.cpp"
    echo '#include "../screen/screen.hpp"' >"$tree/app/src/words/words.hpp"
    runs 1 "$layers" --quiet "$tree"
    says stdout '; cycle: app/src/words -> app/src/screen -> app/src/paint -> app/src/words'
}
case_beside() { # two folders of one layer include nothing of each other
    mkdir "$tree/app/src/paint"
    sed -i 's|^  src/words|& src/paint|' "$tree/tools/layers.txt"
    echo '#include "../words/words.hpp"' >"$tree/app/src/paint/paint.hpp"
    runs 1 "$layers" "$tree"
    says_line 'app/src/paint/paint.hpp:1: beside: app/src/paint includes app/src/words (../words/words.hpp)'
}
case_unlisted() { # a folder that no layer lists is an error, one with tests below a listed pattern is none
    mkdir "$tree/app/src/new" "$tree/app/test/new"
    echo 'int x;' >"$tree/app/test/new/x.c"
    runs 0 "$layers" "$tree"
    echo 'int x;' >"$tree/app/src/new/x.c"
    runs 1 "$layers" "$tree"
    says_line 'app/src/new/x.c: tools/layers.txt lists no folder app/src/new: add it to the line of its layer'
}
case_no_source() { # a listed folder without a source file is an error
    rm "$tree/lib/src/lib.cpp"
    runs 1 "$layers" "$tree"
    says_line 'tools/layers.txt:9: lib/src has no source file: strike it'
}
case_part_upward() { # a part includes nothing of the parts above it
    echo '#include "../../app/src/words/words.hpp"' >>"$tree/lib/src/lib.cpp"
    runs 1 "$layers" "$tree"
    says stdout 'lib/src/lib.cpp:2: upward: lib/src includes app/src/words (../../app/src/words/words.hpp), and part lib is below part app'
}
case_part_not_allowed() { # a layer includes only the parts that its line names
    echo '#include <lib/lib.hpp>' >>"$tree/app/src/words/words.hpp"
    runs 1 "$layers" "$tree"
    says_line 'app/src/words/words.hpp:2: app/src/words includes lib/include/lib (lib/lib.hpp), and its layer may include nothing of part lib'
}
case_part_unused() { # a part that a layer names and does not include is struck from its line
    echo '#include "../words/words.hpp"' >"$tree/app/src/screen/screen.cpp"
    runs 1 "$layers" "$tree"
    says_line 'tools/layers.txt:4: this layer includes nothing of part lib: strike it'
}
case_not_yet() { # an upward pair that is listed as "not yet" is let pass
    echo '#include "../screen/screen.hpp"' >>"$tree/app/src/words/words.hpp"
    sed -i 's|^  search|  not yet src/words -> src/screen\n&|' "$tree/tools/layers.txt"
    runs 0 "$layers" "$tree"
    says_line "  src/words                    ↑ src/screen (not yet)"
    ends "5 folders, 5 arrows, 1 not yet downwards, 0 wrong"
}
case_not_yet_new() { # another upward pair fails all the same
    echo '#include "../screen/screen.hpp"' >>"$tree/app/src/words/words.hpp"
    sed -i 's|^  search|  not yet src/words -> test/screen\n&|' "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says stdout 'words.hpp:2: upward: '
}
case_not_yet_gone() { # a "not yet" whose include is gone has to be struck, so that the list only shrinks
    sed -i 's|^  search|  not yet src/words -> src/screen\n&|' "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says_line 'tools/layers.txt:6: app/src/words includes app/src/screen no longer, or not upwards: strike this line'
}
case_not_yet_downwards() { # nor does "not yet" stay for an include that points downwards
    sed -i 's|^  search|  not yet src/screen -> src/words\n&|' "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says stdout 'tools/layers.txt:6: app/src/screen includes app/src/words no longer'
}
case_split() { # files of a folder can be a layer of their own
    echo '#include "../words/ground.hpp"' >"$tree/app/src/screen/screen.hpp"
    echo '#include "../screen/screen.hpp"' >"$tree/app/src/words/words.hpp"
    echo '#include "../words/words.hpp"' >"$tree/app/src/words/ground.hpp"
    rm "$tree/app/src/screen/screen.cpp"
    sed -i -e '/^  src\/screen -> lib/d' \
        -e 's|^  src/words|&\n  src/screen\n  src/words:ground\n  split src/words:ground = src/words/ground.hpp|' \
        "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says stdout 'app/src/words/ground.hpp:1: upward: app/src/words:ground includes app/src/words (../words/words.hpp)'
    echo '#pragma once' >"$tree/app/src/words/ground.hpp"
    runs 0 "$layers" "$tree"
}
case_unresolved() { # an include in quotes that names no file of the tree is an error, so that none is passed over
    echo '#include "word.hpp"' >>"$tree/app/src/screen/screen.cpp"
    runs 1 "$layers" "$tree"
    says stdout 'app/src/screen/screen.cpp:4: "word.hpp" is no file of this tree'
    sed -i 's|^  search|  generated word.hpp\n&|' "$tree/tools/layers.txt"
    runs 0 "$layers" "$tree"
}
case_generated_unused() { # a generated header that nothing includes is struck
    sed -i 's|^  search|  generated word.hpp\n&|' "$tree/tools/layers.txt"
    runs 1 "$layers" "$tree"
    says_line 'tools/layers.txt:6: nothing includes the generated header word.hpp: strike it'
}
case_comments() { # an include in a comment or in a raw string is none
    cat >"$tree/app/src/words/words.cpp" <<'END_OF_SOURCE'
/* as in
#include "../screen/screen.hpp"
*/ // #include "../screen/screen.hpp"
const char* a = "/*";
const char* b = R"x(
#include "../screen/screen.hpp"
)x";
END_OF_SOURCE
    runs 0 "$layers" "$tree"
    echo '#include "../screen/screen.hpp"' >>"$tree/app/src/words/words.cpp"
    runs 1 "$layers" "$tree"
    says stdout 'app/src/words/words.cpp:8: upward: '
}
case_built() { # what lies in build, out and node_modules is none of it
    mkdir -p "$tree/build/x" "$tree/out" "$tree/app/node_modules/x"
    for folder in build/x out app/node_modules/x; do echo 'int x;' >"$tree/$folder/x.c"; done
    runs 0 "$layers" "$tree"
}
case_list_errors() { # a list that says something impossible is refused with its line
    echo '  src' >>"$tree/tools/layers.txt"
    runs 2 "$layers" "$tree"
    says stderr "tools/layers.txt:12: lib/src stands here twice"
    echo 'src' >"$tree/tools/layers.txt"
    runs 2 "$layers" "$tree"
    says stderr 'tools/layers.txt:1: a line "part NAME" comes before all others'
    rm "$tree/tools/layers.txt"
    runs 2 "$layers" "$tree"
    says stderr "layers: no tools/layers.txt in "
}
case_usage() { # a word that is no option is refused
    runs 2 "$layers" --loud
    says stderr "usage: tools/layers"
}

"$1"
