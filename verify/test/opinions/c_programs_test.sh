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

# run FILE OPTION…: all programs of $work/ringproof.toml, and then the scenarios that they repeat.
run() {
  name=$1
  shift
  (cd "$work" && "$check" --model rc11 --quiet "$@" --json "check-$name.json" >check.log) || { cat "$work/check.log"; exit 1; }
  while IFS= read -r scenario; do set -- "=$scenario" "$@"; done <"$work/scenarios"
  "$verify" "$@" --model rc11 --quiet --json "$work/verify-$name.json" >"$work/verify.log" || { cat "$work/verify.log"; exit 1; }
}
# A project file has each program with its flags.
for attempts in 'left out' counted; do
  : >"$work/scenarios"
  while IFS=$tab read -r scenario file flags executions how; do
    [ "$how" = "$attempts" ] || continue
    printf '[[program]]\nname = "%s"\nsources = ["%s"]\nflags = [%s]\n' "$scenario" "$folder/$file" \
      "$(for flag in $flags; do printf '"%s", ' "$flag"; done)"
    [ "$executions" != refuted ] || printf 'expect = "refuted"\n'
    printf '%s\n' "$scenario" >>"$work/scenarios"
  done <"$work/rows" >"$work/ringproof.toml"
  if [ "$attempts" = counted ]; then run counted --no-reduction retried-iteration; else run left-out; fi
done
python3 - "$work" <<'END'
import json, sys
work = sys.argv[1]
said = {}
for which, attempts in [(w, a) for w in ("check", "verify") for a in ("left-out", "counted")]:
    document = json.load(open(f"{work}/{which}-{attempts}.json"))
    exact = which == "check" or document["environment"]["compiler"].startswith("g++ 12")
    for result in document["results"]:
        verified = result["verdict"] == "verified"
        said[which, result["name"]] = str(result["executions"]) if verified else result["verdict"]
rows = [line.rstrip("\n").split("\t") for line in open(f"{work}/rows")]
assert len(rows) > 60, rows
assert {row[4] for row in rows} == {"left out", "counted"}, rows
def fits(which, wanted, found):
    if found == wanted:
        return True
    more = not exact and which == "verify" and found is not None and found.isdigit() and wanted.isdigit()
    return more and int(found) > int(wanted)


wrong = [f"{scenario}: the table has {executions}, {which} {said.get((which, scenario))}"
         for scenario, _, _, executions, _ in rows for which in ("check", "verify")
         if not fits(which, executions, said.get((which, scenario)))]
print("\n".join(wrong) or f"{len(rows)} programs")
sys.exit(bool(wrong))
END
