#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The order of the steps, and what is said where something is missing; every tool only writes down that it was called.
# shellcheck disable=SC2016 # for the programs
set -u
. "$(dirname -- "$0")/lib.sh"
tree="$here/tree"
mkdir -p "$tree/tools" "$tree/playground/web/node_modules/.bin" "$here/bin"
cp "$top/tools/playground" "$tree/tools/"
touch "$tree/playground/web/package-lock.json"

program() { # FILE: it writes its name and arguments to a list; fails if it is the one that $broken names
    printf '#!/bin/sh\necho "%s $*" >>"%s"\n[ "%s" != "${broken-}" ]\n' "${1##*/}" "$here/called" "${1##*/}" >"$1"
    chmod +x "$1"
}
for tool in cmake ninja emcmake node npm; do program "$here/bin/$tool"; done
for tool in tsc vite; do program "$tree/playground/web/node_modules/.bin/$tool"; done
# What the script calls besides, so that nothing else of this machine is found.
for tool in sh env dirname readlink nproc find sed rm cat; do ln -s "$(command -v "$tool")" "$here/bin/$tool"; done
playground() { env PATH="$here/bin" broken="${broken-}" "$tree/tools/playground" "$@"; }
called() { grep -qF -- "$1" "$here/called" || fail "not called: $1; but: $(cat "$here/called")"; }

case_missing() { # a missing tool is named with its package, and skips a test
    rm "$here/bin/emcmake"
    runs 2 playground
    says stderr "emcmake is missing: apt-get install --no-install-recommends emscripten"
    runs 77 playground --or-skip
    [ ! -e "$here/called" ] || fail "something was called: $(cat "$here/called")"
}
case_usage() { # an unknown option and an option without its value exit with 2
    runs 2 playground --fast
    says stderr "'--fast' is no option"
    runs 2 playground --output
    says stderr "--output needs a value"
}
case_steps() { # without a checker it is built; packages are fetched once; the page goes where it is asked for
    runs 0 playground --output "$here/page"
    called "cmake -S $tree --preset checker"
    called "npm --prefix $tree/playground/web ci"
    called "node $tree/playground/ring.mjs $tree/build/checker/bin/ringproof-verify $tree"
    called "vite build --outDir $here/page"
    ends "$here/page/index.html"
    rm "$here/called"
    touch -d tomorrow "$tree/playground/web/node_modules/.package-lock.json"
    runs 0 playground --verify /bin/true
    called "node $tree/playground/ring.mjs /bin/true"
    ! grep -q -e npm -e preset "$here/called" || fail "called again: $(cat "$here/called")"
}
case_failure() { # a step that fails ends it with exit code 1, and is named
    broken=tsc
    runs 1 playground --verify /bin/true
    says stderr "this failed: node_modules/.bin/tsc"
    ! grep -q vite "$here/called" || fail "went on: $(cat "$here/called")"
}

"$1"
