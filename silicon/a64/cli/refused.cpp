// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <array>
#include <string_view>

namespace ringproof::silicon::a64 {
namespace {

struct refusal {
    std::string_view option, why;
};

constexpr std::string_view
    project = "a project's programs are checked under the models of C++; name the files of one",
    parts = "a checkpoint under armv8 is not divided: --jobs uses the processors of one machine, and "
            "--resume goes on with all that is left",
    tests = "a program is one test under armv8; give it a main() for each",
    language = "it is about the rules of C++, which armv8 does not judge; use --model rc11",
    reductions = "the search under armv8 has no such reductions; it counts every execution";

constexpr std::array refusals{
    refusal{"--filter", tests},
    refusal{"--list", tests},
    refusal{"--with", "one program is run under armv8; use --model rc11 for two"},
    refusal{"--dialect", tests},
    refusal{"--gtest", tests},
    refusal{"--catch2", tests},
    refusal{"--rounds", "loops are bounded by --max-instructions N under armv8"},
    refusal{"--max-events", "threads are bounded by --max-instructions N under armv8"},
    refusal{"--max-memory",
            "the search under armv8 keeps no executions; --time and --max-executions bound it"},
    refusal{"--pct", "machine code has no order of steps to prefer; use --random N"},
    refusal{"--divide", parts},
    refusal{"--shard", parts},
    refusal{"--reuse-addresses", "freed memory does not come again under armv8; use --model rc11"},
    refusal{"--races", language},
    refusal{"--leaks", "leaks are not looked for under armv8; use --model rc11"},
    refusal{"--unfair", "schedulers are not judged under armv8; use --model rc11"},
    refusal{"--check-determinism",
            "a thread's run depends on what it reads alone under armv8: there is no clock "
            "and no input that could differ"},
    refusal{"--assume", "verdicts under armv8 have no open assumptions; what cannot be run is refused"},
    refusal{"--no-reduction", reductions},
    refusal{"--exact", reductions},
    refusal{"--list-assumptions", "ask without --model armv8"},
    refusal{"--exit-code", "exit codes are not looked at under armv8; assert() what main() would return"},
    refusal{"--trust-assembly", "inline assembly is run as it is under armv8: no trust is needed"},
    refusal{"--compile-commands", "those flags are for another machine; put the flags behind --"},
    refusal{"--project", project},
    refusal{"--program", project},
    refusal{"--budget", project},
};

} // namespace

std::string why_refused(const std::string& option) {
    const std::string name = option.substr(0, option.find('='));
    for (const refusal& r : refusals)
        if (r.option == name) return std::string(r.why);
    return "";
}

} // namespace ringproof::silicon::a64
