#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Debian packages of this build. The first case makes them; the others look at them, install them and use what is in them.
set -u
# shellcheck source=tools/test/lib.sh
. "$(dirname -- "$0")/../../tools/test/lib.sh"
debs=$BUILD/packages
needs() { command -v "$1" >/dev/null || { echo "skipped: no $1; apt-get install $2" && exit 77; }; }
needs_packages() { [ -d "$debs" ] || { echo "skipped: there are no packages; apt-get install dpkg-dev" && exit 77; }; }
deb() { # NAME: its file
    set -- "$debs/ringproof-$1"_*.deb
    [ -f "$1" ] || fail "no package $1"
    echo "$1"
}
field() { dpkg-deb -f "$(deb "$1")" "$2"; } # NAME FIELD

case_made() { # cpack makes three packages, with the fields that Debian asks for
    needs dpkg-shlibdeps dpkg-dev
    rm -rf -- "$debs"
    mkdir "$debs"
    (cd "$debs" && SOURCE_DATE_EPOCH=1700000000 cpack -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$BUILD/CPackConfig.cmake" -B "$debs") >"$here/stdout" 2>&1 ||
        fail "cpack failed"
    rm -rf -- "$debs/_CPack_Packages"
    [ "$(find "$debs" -name '*.deb' | wc -l)" -eq 3 ] || fail "not three packages"
    [ -z "$(field core-dev Depends)" ] || fail "the core depends on $(field core-dev Depends)"
    [ "$(field core-dev Architecture)" = all ] || fail "the core is of one architecture"
    field tools Depends >"$here/stdout"
    for package in libc6 libstdc++6 libdw1 libcapstone libfmt libhwloc 'g++' "ringproof-core-dev (= $(field tools Version))"; do
        says stdout "$package"
    done
    dpkg-deb -c "$(deb tools)" >"$here/stdout"
    for file in /usr/bin/ringproof /usr/share/man/man1/ringproof-check.1.gz /usr/share/doc/ringproof-tools/copyright \
        /usr/share/doc/ringproof-tools/changelog.gz /usr/share/bash-completion/completions/ringproof \
        /usr/share/zsh/vendor-completions/_ringproof; do
        says stdout ".$file"
    done
    : >"$here/stdout"
    # Whatever reads manifests would take these files for installed ones.
    [ -z "$(find "$BUILD" -maxdepth 1 -name 'install_manifest_*.txt' -exec grep -l '^/usr/bin/ringproof$' {} +)" ] || fail "a manifest of files that are not installed"
}
case_lintian() { # lintian finds no error and no warning in the packages
    needs lintian lintian
    needs_packages
    runs 0 lintian --no-cfg --allow-root --fail-on error,warning --tag-display-limit 0 "$debs"/*.deb
    [ ! -s "$here/stdout" ] || fail "lintian says something"
}
case_used() { # a program is built with what dpkg has installed, moved, by CMake, by pkg-config and by ringproof check
    needs dpkg dpkg
    needs_packages
    mkdir -p "$here/root/var/lib/dpkg" "$here/work"
    # What the packages depend on is in this system, not in the root.
    # shellcheck disable=SC2317 # called by runs
    scratch_dpkg() {
        dpkg "--root=$here/root" --force-not-root --force-depends --force-bad-path "--log=$here/dpkg.log" "$@"
    }
    runs 0 scratch_dpkg -i "$(deb core-dev)" "$(deb tools)"
    mv "$here/root/usr" "$here/moved"
    prefix=$here/moved
    runs 0 "$prefix/bin/ringproof" --version

    cp "$top/examples/core-spsc/main.cpp" "$here/work/queue.cpp"
    flags=$(PKG_CONFIG_PATH=$prefix/share/pkgconfig pkg-config --cflags ringproof-core) || fail "pkg-config"
    eval "runs 0 '$CXX' $flags -pthread '$here/work/queue.cpp' -o '$here/work/queue'"
    runs 0 "$here/work/queue"

    awk -v "folder=$here/work" -f "$top/tools/readme/snippets.awk" "$top/README.md"
    runs 0 "$prefix/bin/ringproof" check "$here/work/mp.c"
    says stdout "verified"
    sed 's/_release/_relaxed/' "$here/work/mp.c" >"$here/work/broken.c"
    runs 1 "$prefix/bin/ringproof" check "$here/work/broken.c"
    says stdout "broken.c:"

    cat >"$here/work/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(foreign CXX)
find_package(ringproof REQUIRED COMPONENTS core verify)
ringproof_add_scenarios(mine SOURCES scenario.cpp LIBRARIES ringproof::core)
PROJECT
    runs 0 cmake -S "$here/work" -B "$here/work/build" "-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_PREFIX_PATH=$prefix"
    runs 0 cmake --build "$here/work/build"
    runs 0 "$here/work/build/mine"
    says stdout "verified"

    # The debug information that is left is enough for a counterexample with its lines.
    runs 0 "$prefix/bin/ringproof" zoo --verbose '=W7b: head is published relaxed (B)'
    says stdout " barriers.cpp:"
    says stdout "refuted"
}

"$1"
