#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What all verbs have in common. RINGPROOF names the command.
set -u
. "$(dirname -- "$0")/lib.sh"

# By a link, so that whoever renames a file to this replaces the link, not the device.
ln -s /dev/full "$here/full"
[ -c "$here/full" ] || { echo "skipped: no /dev/full here" && exit 77; }

# A verb's output on a full device: the code is 2, with a sentence.
cannot_say() { # WORD…
    "$RINGPROOF" "$@" >"$here/full" 2>"$here/stderr" </dev/null
    code=$?
    : >"$here/stdout"
    [ "$code" -eq 2 ] || fail "exit code $code, not 2, of: $*"
    says stderr "standard output: cannot write"
}
verbs="verify classics zoo museum check litmus bench record doctor report"

case_help() { # help that cannot be written is no success, whichever verb's it is
    cannot_say --help
    cannot_say --version
    for verb in $verbs; do
        cannot_say "$verb" --help
    done
}
case_results() { # results that cannot be written are no success, whichever verb's they are
    cp "$top/litmus/tests/x86/MP.litmus" "$here/"
    printf 'int main(void) { return 0; }\n' >"$here/nothing.c"
    for verb in verify classics zoo museum bench record; do cannot_say "$verb" --list; done
    cannot_say check "$here/nothing.c"
    cannot_say litmus "$here/MP.litmus"
    cannot_say litmus "$here/MP.litmus" --quiet --json -
    cannot_say bench --peers
    cannot_say doctor
    cannot_say doctor --json -
    cannot_say report "$top/reports/test/data/verify.json" --json -
    cannot_say report "$top/reports/test/data/verify.json" -o "$here/page"
}
case_files() { # a result file that cannot be written is named, and no internal error
    cp "$top/litmus/tests/x86/MP.litmus" "$here/"
    printf 'int main(void) { return 0; }\n' >"$here/nothing.c"
    for file in "$here/full" "$here/none/file" "$here"; do
        runs 2 "$RINGPROOF" check "$here/nothing.c" --json "$file"
        says stderr "$file: cannot write"
        runs 2 "$RINGPROOF" check "$here/nothing.c" --sarif "$file"
        says stderr "$file: cannot write"
        runs 2 "$RINGPROOF" litmus --quiet "$here/MP.litmus" --json "$file"
        says stderr "$file: cannot write"
        runs 2 "$RINGPROOF" doctor --json "$file"
        says stderr "$file: cannot write"
        runs 2 "$RINGPROOF" report "$top/reports/test/data/verify.json" --html "$file"
        says stderr "$file: cannot write"
        ! grep -i internal "$here/stderr" || fail "an internal error"
    done
    runs 2 "$RINGPROOF" report "$top/reports/test/data/verify.json" -o "$here/nothing.c"
    says stderr "nothing.c: cannot make the folder"
    runs 2 "$RINGPROOF" report "$here" -o "$here/page"
    says stderr "$here: cannot read: Is a directory"
    runs 2 "$RINGPROOF" bench compare "$here" "$here"
    says stderr "$here: cannot read: Is a directory"
    runs 2 "$RINGPROOF" litmus "$here/none.litmus"
    ! grep -i internal "$here/stderr" || fail "an internal error"
}
case_mistyped() { # a verb or an option that is mistyped is named, with the one that it may be
    runs 2 "$RINGPROOF" chekc
    says stderr "no verb 'chekc': did you mean 'check'?"
    runs 2 "$RINGPROOF" frobnicate
    says stderr "no verb 'frobnicate'"
    ! grep 'did you mean' "$here/stderr" || fail "there is nothing like it"
    for verb in verify classics zoo museum check litmus bench doctor report; do
        case $verb in report) near=--htlm far=--html ;; check | verify | classics | zoo | museum) near=--jsno far=--json ;; *) near=--jsn far=--json ;; esac
        runs 2 "$RINGPROOF" "$verb" "$near"
        says stderr "ringproof $verb: no option '$near': did you mean '$far'?"
        says stderr "ringproof $verb --help lists the options"
    done
}
case_missing() { # a value that is missing, wrong or too much is named, with what would do
    runs 2 "$RINGPROOF" --hlep
    says stderr "no option '--hlep': did you mean '--help'?"
    runs 2 "$RINGPROOF" help chekc
    says stderr "no verb 'chekc': did you mean 'check'?"
    runs 2 "$RINGPROOF" verify --model rc12
    says stderr "--model: 'rc12' is none of rc11, "
    says stderr "did you mean 'rc11'?"
    runs 2 "$RINGPROOF" verify --jobs
    says stderr "--jobs needs a value: --jobs N"
    runs 2 "$RINGPROOF" verify --random 5 --estimate
    says stderr "cannot be given together"
    runs 2 "$RINGPROOF" litmus genrate
    says stderr "there is no file 'genrate': did you mean 'generate'?"
    runs 2 "$RINGPROOF" record -e no-such-event true # the command is no event
    says stderr "no-such-event"
    runs 2 "$RINGPROOF" litmus
    says stderr "FILE-or-DIR is missing"
    runs 2 "$RINGPROOF" litmus generate --size 99
    says stderr "'99' is not a number from 2 to 12"
    runs 2 "$RINGPROOF" bench compare one.json
    says stderr "NEW is missing"
    runs 2 "$RINGPROOF" doctor too much
    says stderr "is not expected here"
    runs 2 "$RINGPROOF" report
    says stderr "RESULT.json is missing"
}
case_plain() { # help has no names of the command line library's types, no other name of a verb, and no long line
    runs 0 "$RINGPROOF" --help
    awk 'length($0) > 100 { exit 1 }' "$here/stdout" || fail "the help has a long line"
    for verb in $verbs 'litmus generate' 'litmus barriers' 'litmus witness' 'bench compare'; do
        # shellcheck disable=SC2086 # a verb and its own verb
        runs 0 "$RINGPROOF" $verb --help
        says stdout "usage: ringproof $verb"
        says stdout "-h, --help"
        says stdout "--version"
        ! grep -nE 'UINT|FLOAT|\bINT\b|TEXT:|:\{|\{[a-z0-9]|POSITIVE|Excludes|help-json|std::|CLI' "$here/stdout" || fail "$verb"
        ! grep -nE '^usage: scenarios|[0-9]{12}' "$here/stdout" || fail "$verb"
        awk 'length($0) > 130 { exit 1 }' "$here/stdout" || fail "$verb has a long line"
        cp "$here/stdout" "$here/help"
        # The same by `ringproof help`.
        [ "$verb" = "${verb#* }" ] || continue
        runs 0 "$RINGPROOF" help "$verb"
        cmp -s "$here/stdout" "$here/help" || fail "ringproof help $verb is another"
    done
}
case_version() { # the version comes with the commit
    runs 0 "$RINGPROOF" --version
    grep -Eq '^ringproof [0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{12}\))?$' "$here/stdout" || fail "$(cat "$here/stdout")"
}
case_names() { # help names a verb as it is called
    for verb in verify classics zoo museum check litmus bench record doctor report; do
        runs 0 "$RINGPROOF" "$verb" --help
        says stdout "ringproof $verb"
    done
}

"$1"
