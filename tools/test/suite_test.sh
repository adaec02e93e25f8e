#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The suite in a tree of its own, with a cmake, ctest and ringproof that only do as they are told:
# what is tested is the script's own judgement, not the build.
# shellcheck disable=SC2089,SC2090 # a report's text has quotes
set -u
. "$(dirname -- "$0")/lib.sh"
tree="$here/tree"
suite="$tree/suite"

mkdir -p "$tree/tools" "$tree/build/release/bin" "$here/bin"
cp "$top/suite" "$tree/suite"
cp "$top/tools/count-tests" "$tree/tools/"

program() { # PATH: a program of the script on standard input
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
# Each verb exits with what its variable says, and leaves its result.
program "$tree/build/release/bin/ringproof" <<'END'
verb=$1
echo "$@" >>"$(dirname "$0")/calls"
while [ $# -gt 0 ]; do
    case $1 in
        --json) echo '{}' >"$2" ;;
        -o) echo html >"$2/index.html" ;;
    esac
    shift
done
eval "exit \${${verb}_code:-0}"
END
program "$here/bin/cmake" <<'END'
[ -z "${cmake_says:-}" ] || echo "$cmake_says"
exit "${cmake_code:-0}"
END
program "$here/bin/ctest" <<'END'
while [ $# -gt 0 ]; do
    case $1 in --output-junit) junit=$2 ;; esac
    shift
done
[ -z "${ctest_report:-}" ] || printf '%b' "$ctest_report" >"$junit"
exit "${ctest_code:-0}"
END
PATH="$here/bin:$PATH"
calls() { cat "$tree/build/release/bin/calls"; }

case_no_command() { # without a command it shows the usage and exits with 2
    runs 2 "$suite"
    says stderr "usage: ./suite"
}
case_unknown_command() { # an unknown command is named and exits with 2
    runs 2 "$suite" frobnicate
    says stderr "no command 'frobnicate'"
}
case_unknown_option() { # an unknown option is named and exits with 2
    runs 2 "$suite" run --no-setup --fast
    says stderr "no option '--fast'"
}
case_any_order() { # the options of run come in any order
    runs 0 "$suite" run --quick --no-setup --jobs 1
    calls | grep -q 'verify --time 20 ' || fail "not quick: $(calls)"
    runs 0 "$suite" run --jobs 1 --no-setup --quick
    calls | grep -q 'verify --time 20 ' || fail "not quick: $(calls)"
}
case_bad_jobs() { # a number of jobs that is none is refused
    runs 2 "$suite" run --jobs zero
    says stderr "not 'zero'"
}
case_clean_argument() { # clean takes no argument and then removes nothing
    runs 2 "$suite" clean now
    [ -d "$tree/build" ] || fail "build/ is gone"
}
case_clean() { # clean removes build and out and nothing else
    mkdir "$tree/out"
    runs 0 "$suite" clean
    [ "$(ls "$tree")" = "$(printf 'suite\ntools')" ] || fail "left: $(ls "$tree")"
}
case_help() { # help names every command
    runs 0 "$suite" help
    for command in run test bench setup clean; do says stdout "  $command "; done
}
case_run() { # run ends with the verdict and where the page is
    runs 0 "$suite" run --no-setup
    says stdout "$tree/out/index.html"
    [ "$(calls | cut -d ' ' -f 1 | tr '\n' ' ')" = "verify museum litmus litmus litmus bench report " ] || fail "verbs: $(calls)"
}
case_preset() { # the release preset configures, and the gate can name another
    program "$here/bin/cmake" <<'END'
echo "$@" >>"${0%/*}/asked"
END
    runs 0 env -u RINGPROOF_PRESET "$suite" run --no-setup
    runs 0 env RINGPROOF_PRESET=ci "$suite" run --no-setup
    [ "$(grep -c -e '--preset release' "$here/bin/asked")" = 1 ] || fail "asked: $(cat "$here/bin/asked")"
    [ "$(grep -c -e '--preset ci' "$here/bin/asked")" = 1 ] || fail "asked: $(cat "$here/bin/asked")"
}
case_other_folder() { # run works from another folder and through a link
    ln -s "$suite" "$here/link"
    cd / || fail "no /"
    runs 0 "$here/link" run --no-setup
    [ -s "$tree/out/index.html" ] || fail "no page"
}
case_refuted() { # a refutation is the exit code, and the report is made all the same
    export verify_code=1 bench_code=3 report_code=1
    runs 1 "$suite" run --no-setup
    says stdout "REFUTED"
    [ -s "$tree/out/index.html" ] || fail "no page"
}
case_skipped() { # a skipped step is no failure
    export litmus_code=77 bench_code=77
    runs 0 "$suite" run --no-setup
}
case_inconclusive() { # an inconclusive step is not called success
    export verify_code=4
    runs 4 "$suite" run --no-setup
    says stdout "inconclusive"
}
case_crashed() { # a step killed by a signal is an internal error
    export litmus_code=139 verify_code=4
    runs 3 "$suite" run --no-setup
}
case_report_failed() { # a report that failed is not hidden by good results
    export report_code=2
    runs 2 "$suite" run --no-setup
}
case_interrupted_step() { # an interrupted step ends the run with 130
    export verify_code=130
    runs 130 "$suite" run --no-setup
    says stderr "interrupted"
}
case_interrupted_build() { # Ctrl-C during the build ends it with 130
    echo 'exec sleep 50' | program "$here/bin/cmake"
    runs 130 env --default-signal=INT timeout --preserve-status -s INT 1 "$suite" run --no-setup
    says stderr "interrupted"
}
case_kernel() { # the kernel's ring is checked where it is built, and its results are in the report; without its source it is skipped
    runs 0 "$suite" run --no-setup
    case $(calls) in *kernel.json*) fail "what is not built was run: $(calls)" ;; esac
    program "$tree/build/release/bin/ringproof-kernel" <<'END'
while [ $# -gt 1 ]; do shift; done
[ -n "${kernel_code:-}" ] || echo '{}' >"$1"
exit "${kernel_code:-0}"
END
    runs 0 "$suite" run --no-setup
    calls | grep -q 'report .*kernel.json' || fail "not in the report: $(calls)"
    export kernel_code=77
    runs 0 "$suite" run --no-setup
    says stderr "skipped"
    case $(calls | tail -n 1) in *kernel.json*) fail "skipped, and in the report: $(calls)" ;; esac
    export kernel_code=1
    runs 1 "$suite" run --no-setup
}
case_museum() { # the museum's results are in the report, unless no package has a source
    runs 0 "$suite" run --no-setup
    calls | grep -q 'museum --available' || fail "not run: $(calls)"
    calls | grep -q 'report .*museum.json' || fail "not in the report: $(calls)"
    export museum_code=77
    runs 0 "$suite" run --no-setup
    case $(calls | tail -n 1) in *museum.json*) fail "skipped, and in the report: $(calls)" ;; esac
    export museum_code=1
    runs 1 "$suite" run --no-setup
}
case_stale() { # results of an earlier run never enter the report
    mkdir "$tree/out"
    echo old >"$tree/out/bench.json"
    program "$tree/build/release/bin/ringproof" <<'END'
case $1 in
    verify) echo '{}' >"$3" ;;
    report) echo "$@" >>"$(dirname "$0")/calls" && echo html >"$(dirname "$2")/index.html" ;;
    *) exit 3 ;;
esac
END
    runs 3 "$suite" run --no-setup
    case $(calls) in *bench.json*) fail "the report read an old bench.json" ;; esac
}
case_configure_failed() { # a failed configuration shows its output and exits with 2
    export cmake_code=1 cmake_says="Could not find Frob"
    runs 2 "$suite" run --no-setup
    says stderr "Could not find Frob"
    says stderr "build/log/configure.log"
}
case_tests() { # test closes with the counts
    export ctest_report='<testsuite name="x"\n\ttests="1"\n>\n\t<testcase name="t" status="run">\n</testsuite>\n'
    runs 0 "$suite" test --no-setup
    ends "1 passed, 0 failed, 0 skipped"
}
case_failed_tests() { # a failed test is exit code 1
    export ctest_code=8 ctest_report='<testsuite name="x"\n\ttests="1"\n>\n\t<testcase name="t" status="fail">\n</testsuite>\n'
    runs 1 "$suite" test --no-setup
    ends "0 passed, 1 failed, 0 skipped"
}
case_no_tests() { # no test at all is a failure
    runs 1 "$suite" test --no-setup
    ends "0 passed, 1 failed, 0 skipped"
}
case_bench() { # bench hands its options on
    runs 0 "$suite" bench --no-setup --quick spsc
    [ "$(calls)" = "bench --quick spsc" ] || fail "called: $(calls)"
}
case_bench_static() { # bench --static makes an archive, and refuses what it can't make
    mkdir -p "$tree/bench/bundle"
    program "$tree/bench/bundle/make" <<'END'
mkdir -p "$2" && echo "$*" >"$2/made"
END
    runs 0 "$suite" bench --no-setup --static
    [ "$(tar -xOf "$tree/out/ringproof-bench.tar" ringproof-bench/made)" = "$tree/build/release/bin $tree/out/ringproof-bench" ] ||
        fail "made: $(cat "$tree/out/ringproof-bench/made")"
    runs 2 "$suite" bench --no-setup --static --quick
    runs 2 "$suite" bench --no-setup --static --target vax
    says stderr "aarch64"
}
case_not_debian() { # where there is no dpkg-query it says what to install
    mkdir "$here/bare"
    for tool in sh dirname readlink; do ln -s "$(command -v "$tool")" "$here/bare/$tool"; done
    runs 2 env PATH="$here/bare" "$suite" run
    says stderr "not Debian"
    says stderr "libhwloc-dev"
}
case_no_apt() { # packages missing and no apt-get: they are named
    mkdir "$here/bare"
    for tool in sh dirname readlink; do ln -s "$(command -v "$tool")" "$here/bare/$tool"; done
    program "$here/bare/dpkg-query" </dev/null
    runs 2 env PATH="$here/bare" "$suite" setup
    says stderr "no apt-get"
    says stderr "libboost-context-dev"
}
case_not_root() { # neither root nor sudo: the command to run is shown
    mkdir "$here/bare"
    for tool in sh dirname readlink; do ln -s "$(command -v "$tool")" "$here/bare/$tool"; done
    program "$here/bare/dpkg-query" </dev/null
    program "$here/bare/apt-get" </dev/null
    echo 'echo 1000' | program "$here/bare/id"
    runs 2 env PATH="$here/bare" "$suite" setup
    says stderr "neither root nor sudo"
    says stderr "apt-get install --no-install-recommends g++"
}
case_sudo_password() { # sudo that wants a password where nobody can type it
    mkdir "$here/bare"
    for tool in sh dirname readlink; do ln -s "$(command -v "$tool")" "$here/bare/$tool"; done
    for tool in dpkg-query apt-get; do program "$here/bare/$tool" </dev/null; done
    echo 'echo 1000' | program "$here/bare/id"
    echo 'exit 1' | program "$here/bare/sudo"
    runs 2 env PATH="$here/bare" "$suite" setup
    says stderr "sudo wants a password"
}
case_no_network() { # apt-get that fails: its output, and exit code 2
    program "$here/bin/dpkg-query" </dev/null
    echo 'echo "Could not resolve deb.debian.org"; exit 100' | program "$here/bin/apt-get"
    echo 'echo 0' | program "$here/bin/id"
    runs 2 "$suite" setup
    says stderr "Could not resolve"
    says stderr "no network"
}
case_wished() { # a package that tests can do without can't be installed: that is said, and no failure
    debian_without linux-perf linux-tools-generic
    echo 'exit 100' | program "$here/bin/apt-get"
    runs 0 "$suite" setup
    says stderr "without linux-perf, tests that need it are skipped"
}

# A Debian with everything installed but these packages, and an apt that knows those in $here/known.
debian_without() { # PACKAGE…
    printf '%s\n' "$@" >"$here/missing"
    : >"$here/known"
    program "$here/bin/dpkg-query" <<END
shift 2
for package; do grep -qx -- "\$package" '$here/missing' || printf '<installed>'; done
END
    program "$here/bin/apt-cache" <<END
case \$1 in
    policy) [ ! -s '$here/known' ] || echo ' 500 http://example.org/debian stable/main amd64 Packages' ;;
    show) for name; do grep -x -- "\$name" '$here/known' | sed 's/^/Package: /'; done ;;
esac
END
    program "$here/bin/apt-get" <<END
echo "\$@" >>'$here/asked'
for package; do echo "\$package"; done >'$here/installed'
grep -vxF -f '$here/installed' '$here/missing' >'$here/left'
mv '$here/left' '$here/missing'
END
    echo 'echo 0' | program "$here/bin/id"
}
case_checker_packages() { # setup --checker installs what the checker needs, and nothing for benchmarks and tests
    debian_without libtomlplusplus-dev libbenchmark-dev chromium
    runs 0 "$suite" setup --checker
    says stderr "setup: installing libtomlplusplus-dev"
    ! grep -q -e libbenchmark-dev -e chromium "$here/asked" || fail "asked: $(cat "$here/asked")"
    runs 2 "$suite" setup --chequer
}
case_packages_packages() { # setup --packages installs what makes Debian packages, and nothing for tests
    debian_without lintian chromium
    runs 0 "$suite" setup --packages
    says stderr "setup: installing lintian"
    ! grep -q -e chromium "$here/asked" || fail "asked: $(cat "$here/asked")"
}
case_alternative() { # of two names the one that apt knows is installed
    debian_without linux-perf linux-tools-generic
    echo linux-tools-generic >"$here/known"
    runs 0 "$suite" setup
    says stderr "setup: installing linux-tools-generic"
    grep -q -e ' linux-tools-generic$' "$here/asked" || fail "asked: $(cat "$here/asked")"
}
case_first_alternative() { # of two that apt knows the first is installed
    debian_without linux-perf linux-tools-generic
    printf 'linux-tools-generic\nlinux-perf\n' >"$here/known"
    runs 0 "$suite" setup
    says stderr "setup: installing linux-perf"
    grep -q -e ' linux-perf$' "$here/asked" || fail "asked: $(cat "$here/asked")"
}
case_left_out() { # a package that a release lacks and that nothing needs is left out, and no other
    debian_without libck-dev libdw-dev
    echo libdw-dev >"$here/known"
    runs 0 "$suite" setup
    says stderr "setup: no package here for libck-dev:"
    grep -q -e ' libdw-dev$' "$here/asked" || fail "asked: $(cat "$here/asked")"
}
case_nothing_to_install() { # where only that is missing, apt is not asked again
    debian_without libck-dev
    echo libdw-dev >"$here/known"
    runs 0 "$suite" setup
    [ ! -e "$here/asked" ] || fail "asked: $(cat "$here/asked")"
}
case_unknown_package() { # a package that is needed and that apt does not know is asked for, so that apt says so
    debian_without libdw-dev
    echo libck-dev >"$here/known"
    runs 0 "$suite" setup
    grep -q -e ' libdw-dev$' "$here/asked" || fail "asked: $(cat "$here/asked")"
}
# The names that Ubuntu 24.04 (noble) has of those that suite asks for; docs/portability.md says which were looked up. 22.04 has neither
# libtomlplusplus-dev nor a CMake and a g++ that are new enough.
noble="g++ cmake ninja-build make pkg-config git libboost-context-dev libhwloc-dev libcli11-dev libfmt-dev nlohmann-json3-dev
    libtomlplusplus-dev libdw-dev libcapstone-dev libboost-dev libbenchmark-dev libvixl-dev libconcurrentqueue-dev
    libreaderwriterqueue-dev libck-dev liburcu-dev libtbb-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    gcc-riscv64-linux-gnu qemu-user catch2 libgtest-dev python3-yaml clang libclang-rt-dev fonts-dejavu-core ca-certificates
    linux-tools-generic nodejs npm ccache"
case_ubuntu() { # with the names that Ubuntu 24.04 has, all is installed that is needed, and only Chromium is left out
    build_packages='' test_packages='' wished_packages='' # the lists of suite itself
    eval "$(sed -n '/^checker_packages="/,/^wished_packages="/p' "$top/suite" | grep -v '^#')"
    # shellcheck disable=SC2046 # a list of words
    debian_without $(echo "$build_packages $test_packages $wished_packages" | tr '|' ' ')
    # shellcheck disable=SC2086
    printf '%s\n' $noble >"$here/known"
    runs 0 "$suite" setup
    says stderr "setup: no package here for chromium:"
    installed=$(sed -n 's/^setup: installing //p' "$here/stderr")
    for package in $installed; do
        grep -qx -- "$package" "$here/known" || fail "Ubuntu 24.04 has no $package"
    done
    case $installed in *linux-tools-generic) ;; *) fail "no perf: $installed" ;; esac
}
needs_the_page() { # SCRIPT OF npm: the tree has a page whose packages are to be fetched
    mkdir -p "$tree/reports/web"
    echo '{}' >"$tree/reports/web/package-lock.json"
    echo "$1" | program "$here/bin/npm"
    export ctest_report='<testsuite\n\ttests="1">\n\t<testcase name="t" status="run">\n</testsuite>\n'
}
case_page_packages() { # the page's packages are fetched while the build goes on, and the tests wait for them
    needs_the_page "sleep 2; echo fetched >>'$here/order'"
    echo "[ \"\$1\" != --build ] || echo built >>'$here/order'" | program "$here/bin/cmake"
    runs 0 "$suite" test --no-setup
    ends "1 passed, 0 failed, 0 skipped"
    [ "$(cat "$here/order")" = "built
fetched" ] || fail "in the order: $(cat "$here/order")"
}
case_no_page_packages() { # where the page's packages cannot be fetched, npm's own words are there
    needs_the_page "echo 'no such registry'; exit 1"
    runs 2 "$suite" test --no-setup
    says stderr "no such registry"
    says stderr "npm could not install"
}
case_interrupted_fetch() { # Ctrl-C ends the fetch that goes on beside the build
    needs_the_page "trap 'touch \"$here/ended\"; exit' TERM; sleep 50 & wait"
    program "$here/bin/cmake" <<'END'
[ "$1" != --build ] || exec sleep 50
END
    runs 130 env --default-signal=INT timeout --preserve-status -s INT 2 "$suite" test --no-setup
    says stderr "interrupted"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -e "$here/ended" ] && return
        sleep 0.1
    done
    fail "npm goes on"
}
case_npm() { # the page's packages are locked so that Debian's npm can read it, which fails on some overrides
    ! grep -q '"overrides"' "$top/reports/web/package.json" || fail "package.json has overrides"
    grep -q '"lockfileVersion"' "$top/reports/web/package-lock.json" || fail "package-lock.json is no lock"
}
case_old_cmake() { # a CMake that is too old is named when it fails, and only then
    program "$here/bin/cmake" <<'END'
[ "$1" != --version ] || { echo "cmake version 3.22.1" && exit 0; }
exit 1
END
    runs 2 "$suite" run --no-setup
    says stderr "needs cmake 3.25 or later; $here/bin/cmake is cmake 3.22.1"
    program "$here/bin/cmake" <<'END'
[ "$1" != --version ] || { echo "cmake version 3.100.0" && exit 0; }
exit 1
END
    runs 2 "$suite" run --no-setup
    ! grep -q "needs cmake" "$here/stderr" || fail "a newer CMake is called too old"
}
case_old_compiler() { # a compiler that is too old is named when the build fails
    program "$here/bin/cmake" <<'END'
[ "$1" != --build ]
END
    echo 'echo 11.4.0' | program "$here/bin/g++"
    runs 3 "$suite" run --no-setup
    says stderr "needs g++ 12 or later; $here/bin/g++ is g++ 11.4.0"
}

"$1"
