#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# real_genmc_test.sh VERIFY PROGRAMS: each scenario that has a C program, on a GenMC that is there, or exit code 77. GenMC and we
# leave nothing out and count each execution once, so both the verdicts and the counts are the same. Other compilers than g++ 12,
# such as clang, leave values in registers that our checker takes for state, so that we have more.
set -eu
verify=$1 programs=$2
json=$(mktemp)
trap 'rm -f "$json"' EXIT
tab=$(printf '\t')
set --
{
  read -r _ # what the columns are
  while IFS=$tab read -r scenario _; do set -- "$@" "=$scenario"; done
} <"$programs"
code=0
"$verify" --model rc11 --quiet --second-opinion genmc --opinion-time 60 --json "$json" "$@" >&2 || code=$?
python3 - "$json" "$code" $# <<'END'
import json, sys
said, code, scenarios = json.load(open(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
source = said["opinions"]["sources"][0]
if source["state"] != "ready":
    print("skipped:", source["why"])
    sys.exit(77)
verdicts = said["opinions"]["verdicts"]
exact = said["environment"]["compiler"].startswith("g++ 12")
assert len(verdicts) == scenarios > 30, len(verdicts)
for one in verdicts:
    assert one["agrees"] is True, one
    if one["verdict"] != "bug":
        assert 0 < one["executions"] <= one["our_executions"], one
        assert one["executions"] == one["our_executions"] or not exact, one
assert code == 0, code
print(next(one["words"] for one in verdicts if "executions" in one), "and so on:", scenarios, "scenarios")
END
