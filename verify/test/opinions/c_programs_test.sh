#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# c_programs_test.sh CHECK VERIFY FOLDER: each C program of FOLDER/programs.tsv has under `ringproof check` the verdict and the
# count that the table gives it, and so has the scenario that it repeats in C under `ringproof verify`. Scenarios that another
# compiler than g++ 12 has compiled may have more executions: clang leaves values in registers that our checker takes for state.
set -eu
check=$1 verify=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
{ read -r _; cat; } <"$folder/programs.tsv" >"$work/rows"

# All programs in one run: a project file has each with its flags.
number=0
set --
while IFS=$tab read -r scenario file flags executions; do
  number=$((number + 1))
  printf '[[program]]\nname = "%s"\nsources = ["%s"]\nflags = [%s]\n' "$scenario" "$folder/$file" \
    "$(for flag in $flags; do printf '"%s", ' "$flag"; done)"
  [ "$executions" != refuted ] || printf 'expect = "refuted"\n'
  set -- "$@" "=$scenario"
done <"$work/rows" >"$work/ringproof.toml"
(cd "$work" && "$check" --model rc11 --quiet --json check.json >check.log) || { cat "$work/check.log"; exit 1; }
"$verify" --model rc11 --quiet --json "$work/verify.json" "$@" >"$work/verify.log" || { cat "$work/verify.log"; exit 1; }
python3 - "$work" <<'END'
import json, sys
work = sys.argv[1]
said = {}
for which in "check", "verify":
    document = json.load(open(f"{work}/{which}.json"))
    exact = which == "check" or document["environment"]["compiler"].startswith("g++ 12")
    for result in document["results"]:
        verified = result["verdict"] == "verified"
        said[which, result["name"]] = str(result["executions"]) if verified else result["verdict"]
rows = [line.rstrip("\n").split("\t") for line in open(f"{work}/rows")]
assert len(rows) > 30, rows
def fits(which, wanted, found):
    if found == wanted:
        return True
    more = not exact and which == "verify" and found is not None and found.isdigit() and wanted.isdigit()
    return more and int(found) > int(wanted)


wrong = [f"{scenario}: the table has {executions}, {which} {said.get((which, scenario))}"
         for scenario, _, _, executions in rows for which in ("check", "verify")
         if not fits(which, executions, said.get((which, scenario)))]
print("\n".join(wrong) or f"{len(rows)} programs")
sys.exit(bool(wrong))
END
