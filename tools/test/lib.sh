# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the script tests share. Each case runs in a folder of its own, whose name has a space.
# shellcheck disable=SC2034 # read by the tests
top=$(dirname -- "$(readlink -f -- "$0")")/../..
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
here="$scratch/a b"
mkdir "$here"

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    [ ! -f "$here/stdout" ] || sed 's/^/stdout| /' "$here/stdout" >&2
    [ ! -f "$here/stderr" ] || sed 's/^/stderr| /' "$here/stderr" >&2
    exit 1
}
runs() { # CODE COMMAND…: the command's exit code is CODE; its output in $here/stdout and stderr
    expected=$1
    shift
    "$@" >"$here/stdout" 2>"$here/stderr" </dev/null
    code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected, of: $*"
}
says() { grep -qF -- "$2" "$here/$1" || fail "$1 does not say: $2"; }   # stdout|stderr TEXT
ends() { [ "$(tail -n 1 "$here/stdout")" = "$1" ] || fail "the last line is not: $1"; }
