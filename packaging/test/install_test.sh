#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts into a prefix: it can be moved, and removed. BUILD is the build folder.
set -u
# shellcheck source=tools/test/lib.sh
. "$(dirname -- "$0")/../../tools/test/lib.sh"

case_moved() { # an installation that was moved finds its verbs, its libraries and its headers
    for component in core verify tools; do
        runs 0 cmake --install "$BUILD" --component "$component" --prefix "$here/staged"
    done
    mv "$here/staged" "$here/moved"
    ln -s "$here/moved/bin/ringproof" "$here/link" # whoever calls it by a link finds the verbs too
    printf '#include <cassert>\n#include <atomic>\nint main() { std::atomic<int> x{1}; assert(x == 1); }\n' >"$here/one.cpp"
    runs 0 "$here/link" check "$here/one.cpp"
    says stdout "verified"
    for verb in verify classics zoo museum bench; do runs 0 "$here/moved/bin/ringproof" "$verb" --list; done
    litmus=$(find "$here/moved" -name MP.litmus | head -n 1)
    runs 0 "$here/moved/bin/ringproof" litmus "$litmus" # the models are in the program
    runs 5 "$here/moved/bin/ringproof" litmus witness    # it finds the checker's library
    # Nothing there names the build or the first place.
    ! grep -rlF -e "$here/staged" -e "$BUILD/lib" "$here/moved" >"$here/stdout" || fail "the old place is named"
}
case_removed() { # uninstall removes what was installed, and nothing else
    mkdir "$here/build"
    for component in doc tools; do
        runs 0 cmake --install "$BUILD" --component "$component" --prefix "$here/opt/ringproof"
        mv "$BUILD/install_manifest_$component.txt" "$here/build/"
    done
    [ -x "$here/opt/ringproof/bin/ringproof" ] || fail "nothing was installed"
    echo mine >"$here/opt/ringproof/bin/mine"
    runs 0 cmake "-DBUILD=$here/build" -P "$top/cmake/uninstall.cmake"
    find "$here/opt" -type f >"$here/stdout"
    [ "$(cat "$here/stdout")" = "$here/opt/ringproof/bin/mine" ] || fail "not what there was before"
    [ ! -e "$here/opt/ringproof/libexec" ] || fail "an empty folder is left"
    runs 1 cmake "-DBUILD=$here/build" -P "$top/cmake/uninstall.cmake"
    says stderr "Nothing to remove"
}

"$1"
