#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# real_checker_test.sh PROGRAM TOOL: the scenarios of PROGRAM on a checker that is there, or exit code 77.
set -eu
program=$1 tool=$2
json=$(mktemp)
trap 'rm -f "$json"' EXIT
name="=spsc_queue: items arrive once and in order"
# Static data of a scenario is put back for each run, and fences are no races.
writer="=recorder, shared: a stopped writer's page is passed over" fences="=ring, single, refuse, fences: accounted for"
code=0
"$program" --model rc11 --quiet --second-opinion "$tool" --opinion-time 10 --opinion-runs 2000 --json "$json" \
  "$name" "$name, A relaxed" "$name, B relaxed" "$name, C relaxed" "$name, D relaxed" "$writer" "$fences" >&2 || code=$?
python3 - "$json" "$code" "$tool" <<'END'
import json, sys
said, code, tool = json.load(open(sys.argv[1])), int(sys.argv[2]), sys.argv[3]
source = said["opinions"]["sources"][0]
if source["state"] != "ready":
    print("skipped:", source["why"])
    sys.exit(77)
verdicts = {one["scenario"]: one for one in said["opinions"]["verdicts"]}
assert len(verdicts) == 7, verdicts.keys()
for name, one in verdicts.items():
    if "fences" in name and tool == "tsan":
        assert one["verdict"] in ("not expressible", "stopped", "no bug"), one
    elif "relaxed" not in name:
        assert one["verdict"] in ("no bug", "stopped") and one["runs"] > 1, one
        assert one["agrees"] is True, one
    elif tool != "tsan":  # it sees only what this machine shows
        assert one["verdict"] == "bug", one
assert code == 0, code
END
