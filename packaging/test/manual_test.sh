#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Manual pages and completion, as the build has written them. MANUAL is their folder, RINGPROOF the command.
set -u
# shellcheck source=tools/test/lib.sh
. "$(dirname -- "$0")/../../tools/test/lib.sh"
needs() { command -v "$1" >/dev/null || { echo "skipped: no $1; apt-get install $2" && exit 77; }; }
pages() { ls "$MANUAL"/man/*.1; }

case_mandoc() { # mandoc finds nothing wrong with any manual page
    needs mandoc mandoc
    [ "$(pages | wc -l)" -ge 10 ] || fail "not a page for each verb: $(pages)"
    # shellcheck disable=SC2046 # file names without blanks, below a folder that may have some
    (cd "$MANUAL/man" && mandoc -T lint -W warning $(ls)) >"$here/stdout" 2>&1 || fail "mandoc warns"
    [ ! -s "$here/stdout" ] || fail "mandoc warns"
}
case_man() { # man shows each manual page without a warning
    needs man man-db
    for page in "$MANUAL"/man/*.1; do
        LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>"$here/stderr"
        [ ! -s "$here/stderr" ] || fail "$page"
    done
}
case_same() { # what --help lists stands in the manual page and in each completion
    "$RINGPROOF" --help-json | sed -n 's/^   "name": "\(.*\)",$/\1/p' >"$here/verbs"
    grep -qx check "$here/verbs" || fail "no verbs"
    printf '%s\n' 'litmus generate' 'litmus barriers' 'bench compare' >>"$here/verbs"
    count=0
    while read -r verb; do
        page=$MANUAL/man/ringproof-$(echo "$verb" | tr ' ' -).1
        # shellcheck disable=SC2086 # a verb and its own verb
        "$RINGPROOF" $verb --help >"$here/stdout" 2>"$here/stderr" || continue # not built
        grep -oE '^  (-[a-zA-Z], )?--[a-z0-9-]+' "$here/stdout" | grep -oE -- '--[a-z0-9-]+' >"$here/options"
        while read -r option; do
            count=$((count + 1))
            grep -qF -- "$(printf '%s' "$option" | sed 's/-/\\-/g')" "$page" || fail "$option of $verb is not in its page"
            for file in bash/ringproof zsh/_ringproof; do
                grep -qF -- "$option" "$MANUAL/$file" || fail "$option of $verb is not in $file"
            done
            grep -qF -- " -l ${option#--} " "$MANUAL/fish/ringproof.fish" || fail "$option of $verb is not in fish's"
        done <"$here/options"
    done <"$here/verbs"
    [ "$count" -gt 60 ] || fail "only $count options"
}

case_bash() { # bash completes a verb, an option, its value, and a file
    needs python3 python3
    needs bash bash
    touch "$here/broken.c"
    in_shell() { (cd "$here" && python3 "$top/packaging/test/typed.py" ". '$MANUAL/bash/ringproof'" "$1" -- bash --norc --noprofile -i); }
    becomes 'ringproof che\t' '<check>'
    becomes 'ringproof litmus gen\t--ed\t Rfe' '<litmus><generate><--edges><Rfe>'
    becomes 'ringproof check --shor\tbro\t' '<check><--shortest><broken.c>'
    becomes 'ringproof verify --model=rc1\t' '<verify><--model=rc11>'
    becomes 'ringproof verify --model rc1\t' '<verify><--model><rc11>'
    becomes 'ringproof help rep\t' '<help><report>'
}
case_zsh() { # zsh completes a verb, an option, its value, and a file
    needs python3 python3
    needs zsh zsh
    touch "$here/broken.c"
    in_shell() {
        (cd "$here" && python3 "$top/packaging/test/typed.py" \
            "unsetopt prompt_cr prompt_sp; fpath=('$MANUAL/zsh' \$fpath); autoload -U compinit; compinit -u -D" "$1" -- zsh -f -i)
    }
    becomes 'ringproof che\t' '<check>'
    becomes 'ringproof litmus gen\t--ed\t Rfe' '<litmus><generate><--edges><Rfe>' '<litmus><generate><--edges=><Rfe>'
    becomes 'ringproof check --shor\tbro\t' '<check><--shortest><broken.c>'
    becomes 'ringproof verify --model=rc1\t' '<verify><--model=rc11>'
}
becomes() { # KEYS EXPECTED…: one of them
    got=$(in_shell "$1")
    keys=$1
    shift
    for wanted in "$@"; do [ "$got" != "$wanted" ] || return 0; done
    fail "'$keys' became '$got', not $*"
}
case_fish() { # fish completes a verb, an option and its value
    needs fish fish
    offers() { # LINE WORD
        (cd "$here" && HOME=$here fish --no-config -c "source '$MANUAL/fish/ringproof.fish'; complete -C '$1'") >"$here/stdout" 2>"$here/stderr"
        cut -f 1 "$here/stdout" | grep -qx -- "$2" || fail "'$1' does not offer $2"
    }
    touch "$here/broken.c"
    offers 'ringproof che' check
    offers 'ringproof check --shor' --shortest
    offers 'ringproof verify --model rc' rc11
    offers 'ringproof litmus gen' generate
    offers 'ringproof litmus generate --ed' --edges
    offers 'ringproof check bro' broken.c
}

"$1"
