// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_dead_state [--pointers] [first [count]]
// Generated loops, each compiled with -O0 to -O3: what they come to with registers and stack words left out that are not
// read again (reduction dead-state), and with all bytes compared. Without the reduction loops may have no end but the
// bound; so all that is met without it has to be met with it, and the reverse where no bound was reached.
// With --pointers: programs that keep pointers to freed blocks, in words that they read again and in others.
// Exit code: 0, 1 where they differ, 5 no such program.

#include "subjects.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/verify/explore.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

namespace {

namespace rv = ringproof::verify;
using ringproof::command::exit_code;

rv::exploration_result explored(void (*program)(), rv::memory_model model, bool reduced) {
    rv::exploration_options options;
    options.model = model;
    options.limits.reduce.dead_state = reduced;
    options.limits.rounds = 6;
    options.limits.executions = 20'000;
    options.state = [] {
        return std::to_string(dead_state::shared.result) + " " + std::to_string(dead_state::shared.x.load());
    };
    return rv::explore(program, options);
}

struct totals {
    unsigned long programs = 0, comparisons = 0, reduced = 0, executions = 0, without = 0, bounded = 0,
                  refuted = 0, wrong = 0;
};

bool has_all_of(const rv::exploration_result& a, const rv::exploration_result& b) {
    return std::all_of(b.states.begin(), b.states.end(),
                       [&](const auto& state) { return a.states.count(state.first) != 0; });
}

std::string difference(void (*program)(), rv::memory_model model, totals& of) {
    const rv::exploration_result with = explored(program, model, true),
                                 without = explored(program, model, false);
    ++of.comparisons;
    of.executions += with.executions;
    of.without += without.executions;
    of.reduced += with.executions < without.executions;
    if (with.error.kind != without.error.kind)
        return "with: " + with.error.message + "; without: " + without.error.message;
    if (with.error.kind != rv::failure_kind::nothing) return ++of.refuted, "";
    if (!has_all_of(with, without)) return "states are lost";
    if (without.stopped || !without.bounds.empty()) return ++of.bounded, "";
    return has_all_of(without, with) ? "" : "states are found that there are not";
}

/// Programs that were compiled alike.
struct compiled {
    const char* name;
    std::span<void (*const)()> programs;
};

totals compare_all(const compiled& of, std::size_t first, std::size_t count) {
    totals made;
    for (std::size_t i = first; i < std::min(first + count, of.programs.size()); ++i, ++made.programs)
        for (const auto model : {rv::memory_model::rc11, rv::memory_model::sc}) {
            const std::string wrong = difference(of.programs[i], model, made);
            if (wrong.empty()) continue;
            ++made.wrong;
            std::printf("program %zu, %s, %s: %s\n", i, of.name,
                        model == rv::memory_model::sc ? "sc" : "rc11", wrong.c_str());
        }
    std::printf("%s: %lu programs, %lu comparisons, %lu reduced, %lu executions (%lu without the reduction), "
                "%lu refuted, %lu bounded, %lu mismatches\n",
                of.name, made.programs, made.comparisons, made.reduced, made.executions, made.without,
                made.refuted, made.bounded, made.wrong);
    return made;
}

} // namespace

int main(int argc, char** argv) {
    const bool pointers = argc > 1 && std::strcmp(argv[1], "--pointers") == 0;
    if (pointers) --argc, ++argv;
    const std::size_t first = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : dead_state::pointer_count;
    const compiled loops[] = {{"-O0", dead_state::o0::subjects()},
                              {"-O1", dead_state::o1::subjects()},
                              {"-O2", dead_state::o2::subjects()},
                              {"-O3", dead_state::o3::subjects()}};
    const compiled with_pointers[] = {{"-O0", dead_state::o0::pointers::subjects()},
                                      {"-O1", dead_state::o1::pointers::subjects()},
                                      {"-O2", dead_state::o2::pointers::subjects()},
                                      {"-O3", dead_state::o3::pointers::subjects()}};
    unsigned long programs = 0, wrong = 0;
    for (const compiled& of : pointers ? with_pointers : loops) {
        const totals made = compare_all(of, first, count);
        programs += made.programs;
        wrong += made.wrong;
    }
    return static_cast<int>(programs == 0 ? exit_code::no_match
                            : wrong == 0  ? exit_code::holds
                                          : exit_code::refuted);
}
