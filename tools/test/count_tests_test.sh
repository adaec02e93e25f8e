#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
set -u
. "$(dirname -- "$0")/lib.sh"

report() { # TESTCASE…: a report as `ctest --output-junit` writes it
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="x"\n\ttests="%d"\n\tfailures="0"\n\t>\n' $#
    for testcase in "$@"; do
        printf '\t<testcase name="t" classname="t" time="0" status="%s">\n' "${testcase%%:*}"
        case $testcase in *:*) printf '\t\t<skipped message="%s"/>\n' "${testcase#*:}" ;; esac
        printf '\t\t<system-out>&lt;testcase status="run"></system-out>\n\t</testcase>\n'
    done
    printf '</testsuite>\n'
}

case_counts() { # passed, failed and skipped tests are told apart
    report run run fail notrun:SKIP_RETURN_CODE=77 notrun:SKIP_REGULAR_EXPRESSION_MATCHED disabled >"$here/r.xml"
    runs 1 "$top/tools/count-tests" "$here/r.xml"
    ends "2 passed, 1 failed, 3 skipped"
}
case_not_started() { # a test that could not start failed, whatever CTest's own totals say
    report run "notrun:Unable to find executable" "notrun:Required Files Missing" "notrun:Fixture dependency failed" >"$here/r.xml"
    runs 1 "$top/tools/count-tests" "$here/r.xml"
    ends "1 passed, 3 failed, 0 skipped"
}
case_all_pass() { # the exit code is 0 when nothing failed
    report run run disabled >"$here/r.xml"
    runs 0 "$top/tools/count-tests" "$here/r.xml"
    ends "2 passed, 0 failed, 1 skipped"
}
case_sum() { # several reports are summed
    report run fail >"$here/r.xml"
    report run run run >"$here/s.xml"
    runs 1 "$top/tools/count-tests" "$here/r.xml" "$here/s.xml"
    ends "4 passed, 1 failed, 0 skipped"
}
case_cut_short() { # a report that was cut short is not counted
    report run run run | head -n 8 >"$here/r.xml"
    runs 2 "$top/tools/count-tests" "$here/r.xml"
    says stderr "not a whole report"
}
case_nothing_ran() { # a report in which nothing ran is no success
    report disabled >"$here/r.xml"
    runs 2 "$top/tools/count-tests" "$here/r.xml"
}
case_failed_tests() { # why a test failed is said again, and nothing of the others
    {
        printf '<testsuite name="x">\n'
        printf '<testcase name="good" status="run"><system-out>fine</system-out></testcase>\n'
        printf '<testcase name="away" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>no compiler</system-out></testcase>\n'
        printf '<testcase name="bad" status="fail"><system-out>one\ntwo\nthree &lt; four</system-out></testcase>\n'
        printf '<testcase name="page" status="fail"><system-out>ok first\nFAILED  second\n  5 !== 6\n  at there\nok third\n1 failed</system-out></testcase>\n'
        printf '<testcase name="lost" status="notrun"><skipped message="Unable to find executable"/></testcase>\n</testsuite>\n'
    } >"$here/r.xml"
    runs 1 "$top/tools/failed-tests" --lines 2 "$here/none.xml" "$here/r.xml"
    says stdout "--- bad ($here/r.xml), why it failed:"
    says stdout "three < four"
    says stdout "--- lost"
    if grep -qE 'one|fine|no compiler|first|third' "$here/stdout"; then fail "it says more than why something failed"; fi
    runs 1 "$top/tools/failed-tests" --reasons "$here/r.xml"
    says stdout "bad: one two three < four"
    says stdout "page: FAILED  second 5 !== 6 at there ok third 1 failed"
    runs 2 "$top/tools/failed-tests"
    runs 2 "$top/tools/failed-tests" --reasons
}
case_missing() { # a file that cannot be read is named
    runs 2 "$top/tools/count-tests" "$here/none.xml"
    says stderr "none.xml: cannot read"
}

"$1"
