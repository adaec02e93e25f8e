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

# A root that is there already, and an unshare that says what it is to run there and exits as it is told.
with_a_root() {
    release=stable
    [ -e "/usr/share/debootstrap/scripts/$release" ] && git -C "$top" rev-parse 2>/dev/null || exit 77
    mkdir -p "$here/bin" "$here/root/etc"
    echo 13 >"$here/root/etc/debian_version"
    cat >"$here/bin/unshare" <<'END'
#!/bin/sh
for last; do :; done
echo "inside: $*"
[ "$last" = test ] && exit 4 || exit "${run_code:-0}"
END
    printf '#!/bin/sh\necho 0\n' >"$here/bin/id"
    chmod +x "$here/bin/unshare" "$here/bin/id"
    PATH="$here/bin:$PATH" BARE_ROOT="$here/root"
    export PATH BARE_ROOT
}
case_both() { # without a command both of the README run, and each has its code and its time
    with_a_root
    runs 4 "$bare" "$release" --keep
    says stdout "$release: ./suite run: exit code 0 after 0 min 0"
    says stdout "$release: ./suite test: exit code 4 after 0 min 0"
    [ -x "$here/root/src/suite" ] || fail "the tree is not there"
}
case_first_failure() { # the second runs although the first failed, whose code is told
    with_a_root
    export run_code=3
    runs 3 "$bare" "$release" --keep
    says stdout "$release: ./suite test: exit code 4"
}
case_certificates() { # certificates that this machine's programs are told of go along
    with_a_root
    echo "a certificate" >"$here/ca.pem"
    runs 0 env "SSL_CERT_FILE=$here/ca.pem" NODE_EXTRA_CA_CERTS=/nowhere "$bare" "$release" --keep true
    says stdout " SSL_CERT_FILE=/etc/SSL_CERT_FILE.pem true"
    cmp -s "$here/ca.pem" "$here/root/etc/SSL_CERT_FILE.pem" || fail "no certificate there"
}
case_changed() { # with --keep a changed file is newer than all that was built there, and others keep their time
    with_a_root
    runs 0 "$bare" "$release" --keep true
    [ -h "$here/root/src/README.md" ] && exit 77
    echo "an old text" >"$here/root/src/README.md"
    touch -d tomorrow "$here/root/src/README.md" "$here/root/src/LICENSE"
    rm "$here/root/src/CONTRIBUTING.md"
    touch "$here/built"
    runs 0 "$bare" "$release" --keep true
    cmp -s "$top/README.md" "$here/root/src/README.md" || fail "the change did not arrive"
    [ -e "$here/root/src/CONTRIBUTING.md" ] || fail "a new file did not arrive"
    newer() { [ -n "$(find "$1" -newer "$2")" ]; }
    newer "$here/root/src/README.md" "$here/built" || fail "the changed file is older than what was built"
    newer "$here/root/src/LICENSE" "$here/root/src/README.md" || fail "a file that stayed has another time"
    [ -x "$here/root/src/suite" ] || fail "other modes"
    [ ! -x "$here/root/src/LICENSE" ] || fail "other modes"
    [ ! -e "$here/root/src.new" ] || fail "the copy was left there"
}
case_removed() { # the root is removed unless it is kept
    with_a_root
    runs 0 "$bare" "$release" true
    [ ! -e "$here/root" ] || fail "the root is still there"
}

"$1"
