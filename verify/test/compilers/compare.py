#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares how many executions a program has, as compiled by g++ and clang at -O0 to -O3.

    compare.py [--time SECONDS] RINGPROOF-CHECK [PROGRAM...]

Which values a compiler leaves behind in registers and stack slots must not change the count. Prints a table of
executions + blocked executions, with `?` behind a search that was not verified and `*` behind a count that is known to
differ. Exit code: 0 all counts are the same,
1 some differ, 77 a compiler is missing.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

COMPILERS = {"g++": {"CC": "gcc", "CXX": "g++"}, "clang": {"CC": "clang", "CXX": "clang++"}}
LEVELS = ("-O0", "-O1", "-O2", "-O3")
# Builds whose counts are known to differ, with the reason.
KNOWN_TO_OTHERS = "main() polls in a frame of which other threads know a part, so its locals are compared"
ELSEWHERE = "the loop's first round is made at another place than the others"
KNOWN = {
    ("bounded_queue.cpp", "clang", "-O0"): KNOWN_TO_OTHERS,
    ("node_lock.cpp", "g++", "-O0"): "two calls of one load() are taken for a loop: fewer executions",
    ("node_lock.cpp", "clang", "-O0"): "two calls of one load() are taken for a loop: fewer executions",
    ("polled_slot.cpp", "clang", "-O3"): ELSEWHERE,
    ("stack.cpp", "clang", "-O0"): KNOWN_TO_OTHERS,
}


def checked(ringproof, program, compilers, level, seconds):
    """Returns (executions, blocked, ended) of `program` in one build of it."""
    # clang does not tell which compare-exchanges are weak.
    command = [ringproof, "--json", "-", "--time", str(seconds), "--assume", "spurious-failure", str(program), "--", level]
    if program.suffix == ".cpp":
        command.append("-std=c++20")
    done = subprocess.run(command, env={**os.environ, **compilers}, capture_output=True, text=True, check=False)
    try:
        result = json.loads(done.stdout)["results"][0]
    except (ValueError, KeyError, IndexError):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return result["executions"], result["blocked"], result["verdict"] == "verified"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ringproof", help="the command ringproof-check")
    parser.add_argument("--time", type=int, default=20, help="seconds that each search may take")
    parser.add_argument("programs", nargs="*", help="parts of names; default: all")
    chosen = parser.parse_args()
    missing = [c for both in COMPILERS.values() for c in both.values() if not shutil.which(c)]
    if missing:
        print("not found:", *missing)
        sys.exit(77)
    here = pathlib.Path(__file__).parent
    programs = [p for p in sorted(here.glob("*.c*")) if not chosen.programs or any(n in p.name for n in chosen.programs)]
    differing = []
    print("| program | compiler |", " | ".join(LEVELS), "|")
    print("|---|---|" + "---|" * len(LEVELS))
    for program in programs:
        counts = set()
        for name, compilers in COMPILERS.items():
            rows = [checked(chosen.ringproof, program, compilers, level, chosen.time) for level in LEVELS]
            cells = []
            for level, (executions, blocked, verified) in zip(LEVELS, rows):
                known = (program.name, name, level) in KNOWN
                if not known:
                    counts.add(executions if verified else None)
                cells.append(f"{executions} + {blocked}{'' if verified else ' ?'}{' *' if known else ''}")
            print(f"| {program.name} | {name} |", " | ".join(cells), "|", flush=True)
        if len(counts) > 1 or None in counts:
            differing.append(program.name)
    print("differ:" if differing else "no counts differ", *differing)
    sys.exit(1 if differing or not programs else 0)


if __name__ == "__main__":
    main()
