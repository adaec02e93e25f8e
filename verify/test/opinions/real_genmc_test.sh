#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# real_genmc_test.sh VERIFY PROGRAMS: each scenario that has a C program, on a GenMC that is there, or exit code 77. GenMC and we
# leave nothing out and count each execution once, so both the verdicts and the counts are the same. Other compilers than g++ 12,
# such as clang, leave values in registers that our checker takes for state, so that we have more.
set -eu
verify=$1 programs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
# ask FILE COUNTED OPTION…: the scenarios whose failed attempts are counted, or left out.
ask() {
  name=$1 counted=$2
  shift 2
  {
    read -r _ # what the columns are
    while IFS=$tab read -r scenario _ _ _ attempts; do [ "$attempts" != "$counted" ] || set -- "=$scenario" "$@"; done
  } <"$programs"
  code=0
  "$verify" "$@" --model rc11 --quiet --second-opinion genmc --opinion-time 60 --json "$work/$name" >&2 || code=$?
  echo "$code" >"$work/$name.code"
}
ask left-out 'left out'
ask counted counted --no-reduction retried-iteration
python3 - "$work" "$(($(wc -l <"$programs") - 1))" <<'END'
import json, sys
work, scenarios = sys.argv[1], int(sys.argv[2])
verdicts = []
for name in "left-out", "counted":
    said, code = json.load(open(f"{work}/{name}")), int(open(f"{work}/{name}.code").read())
    source = said["opinions"]["sources"][0]
    if source["state"] != "ready":
        print("skipped:", source["why"])
        sys.exit(77)
    assert code == 0, (name, code)
    verdicts += said["opinions"]["verdicts"]
exact = said["environment"]["compiler"].startswith("g++ 12")
assert len(verdicts) == scenarios > 60, len(verdicts)
for one in verdicts:
    assert one["agrees"] is True, one
    if one["verdict"] != "bug":
        assert 0 < one["executions"] <= one["our_executions"], one
        assert one["executions"] == one["our_executions"] or not exact, one
print(next(one["words"] for one in verdicts if "executions" in one), "and so on:", scenarios, "scenarios")
END
