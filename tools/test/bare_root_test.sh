#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What bare-root says before it makes anything. Making a root takes the network and minutes: by hand.
set -u
. "$(dirname -- "$0")/lib.sh"
bare="$top/tools/bare-root"

case_no_release() { # without a release it shows the usage and exits with 2
    runs 2 "$bare"
    says stderr "usage: tools/bare-root"
    runs 2 "$bare" --keep
}
case_help() { # help names the releases
    runs 0 "$bare" --help
    says stdout "trixie"
}
case_unknown_release() { # a release that debootstrap does not know is refused, and nothing is made
    BARE_ROOT="$here/root"
    export BARE_ROOT
    runs 2 "$bare" nosuchrelease true
    says stderr "bare-root: "
    [ ! -e "$BARE_ROOT" ] || fail "something was made"
}

"$1"
