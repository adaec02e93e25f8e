// SPDX-License-Identifier: Apache-2.0
// The engine against all pairs of accesses, on programs of many threads that start and join each other.
//
//   ringproof_verify_fork_join [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/engine_memory.hpp"
#include "../oracle/seed_options.hpp"
#include "program.hpp"

#include <ringproof/verify/explore.hpp>

#include <cstdio>
#include <pthread.h>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
namespace fork_join = ringproof::verify::fork_join;
using fork_join::step;
using fork_join::step_kind;

constexpr std::size_t most_threads = 24, most_steps = 64;

// At fixed places, as the memory of the program under test is restored.
const fork_join::program* subject = nullptr;
int seen[most_threads][most_steps];
oracle::shared_memory* memory = nullptr;
pthread_t running[most_threads];

// Not seen by the checker: reading the program and noting what is read are no part of it.
[[gnu::noinline, gnu::no_sanitize_thread]] bool fetch(std::size_t thread, std::size_t at, step& next) {
    if (at == subject->threads[thread].size()) return false;
    next = subject->threads[thread][at];
    return true;
}
[[gnu::noinline, gnu::no_sanitize_thread]] void note(std::size_t thread, std::size_t at, int value) {
    seen[thread][at] = value;
}
[[gnu::noinline, gnu::no_sanitize_thread]] pthread_t& handle_of(int thread) { return running[thread]; }
[[gnu::noinline, gnu::no_sanitize_thread]] oracle::shared_memory& shared() { return *memory; }
[[gnu::noinline, gnu::no_sanitize_thread]] void share(oracle::shared_memory& obtained) { memory = &obtained; }

void access_word(std::uint8_t* at, const step& s, int value) {
    const oracle::atomic_access what{s.what == step_kind::atomic_read ? oracle::operation_kind::load
                                                                      : oracle::operation_kind::store,
                                     value, 0, std::memory_order_relaxed, std::memory_order_relaxed};
    if (s.size == 1) oracle::access_atomic(at, what);
    if (s.size == 2) oracle::access_atomic(reinterpret_cast<std::uint16_t*>(at), what);
    if (s.size == 4) oracle::access_atomic(reinterpret_cast<std::uint32_t*>(at), what);
    if (s.size == 8) oracle::access_atomic(reinterpret_cast<std::uint64_t*>(at), what);
}

void run(std::size_t thread) {
    step next;
    for (std::size_t at = 0; fetch(thread, at, next); ++at) {
        std::uint8_t* const bytes = shared().bytes.data() + next.first;
        const int value = static_cast<int>(thread) + 1;
        switch (next.what) {
        case step_kind::read:
            note(thread, at, oracle::digest_at(bytes, next.size));
            break;
        case step_kind::write:
            oracle::fill_at(bytes, next.size, value);
            break;
        case step_kind::atomic_read:
        case step_kind::atomic_write:
            access_word(bytes, next, value);
            break;
        case step_kind::start:
            pthread_create(
                &handle_of(next.thread), nullptr,
                [](void* number) -> void* {
                    run(reinterpret_cast<std::size_t>(number));
                    return nullptr;
                },
                reinterpret_cast<void*>(static_cast<std::size_t>(next.thread)));
            break;
        case step_kind::join:
            pthread_join(handle_of(next.thread), nullptr);
            break;
        }
    }
}

void run_all() {
    oracle::shared_memory on_stack;
    oracle::obtained_memory obtained(subject->memory, on_stack);
    share(*obtained);
    run(0);
}

/// @return what the engine and the judge do not agree about
std::string difference(const fork_join::program& program, bool& race, std::uint64_t& executions) {
    const fork_join::judgement expected = fork_join::judge(program);
    subject = &program;
    bool others = false;
    rv::exploration_options options;
    options.limits.order_seed = oracle::order_at_hand;
    options.on_complete = [&] {
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = 0; i < program.threads[t].size(); ++i)
                if (program.threads[t][i].what == step_kind::read && seen[t][i] != expected.values[t][i])
                    others = true;
    };
    const rv::exploration_result found = rv::explore(run_all, options);
    race = found.error.kind == rv::failure_kind::data_race;
    executions = found.executions;
    if (found.error.kind != rv::failure_kind::nothing && !race)
        return "the engine reports: " + found.error.message;
    if (race && expected.race.empty())
        return "the engine reports a race that is none: " + found.error.message;
    if (!race && !expected.race.empty()) return "the engine misses a race: " + expected.race;
    if (race) return "";
    if (found.stopped || executions == 0) return "the engine did not end: " + found.stopped_by;
    if (expected.atomics) return "";
    if (executions != 1) return "executions: " + std::to_string(executions) + ", expected 1";
    return others ? "a thread reads something else than what was written last" : "";
}

/// The program with as few accesses as still make a difference.
fork_join::program smallest(fork_join::program program) {
    bool race = false;
    std::uint64_t executions = 0;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (std::size_t t = 0; t < program.threads.size(); ++t)
            for (std::size_t i = program.threads[t].size(); i-- > 0;) {
                if (program.threads[t][i].what == step_kind::start ||
                    program.threads[t][i].what == step_kind::join)
                    continue;
                fork_join::program candidate = program;
                candidate.threads[t].erase(candidate.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
                if (difference(candidate, race, executions).empty()) continue;
                program = candidate;
                smaller = true;
            }
    }
    return program;
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 500);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    unsigned long compared = 0, mismatches = 0;
    for (std::size_t k = 0; k < fork_join::kind_names.size(); ++k) {
        if (!only.empty() && only != fork_join::kind_names[k]) continue;
        unsigned long programs = 0, races = 0, executions = 0, wrong = 0;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            const fork_join::program program = fork_join::generate(static_cast<fork_join::kind>(k), seed);
            oracle::choose_order(seed);
            if (show) std::printf("%s\n", to_string(program).c_str());
            bool race = false;
            std::uint64_t count = 0;
            const std::string what = difference(program, race, count);
            ++programs;
            races += race;
            executions += count;
            if (what.empty()) continue;
            if (++wrong > 3) continue; // those shown are enough
            const fork_join::program less = smallest(program);
            std::printf("MISMATCH, %s %llu: %s\nthe same with less: %s\n%s\n",
                        fork_join::kind_names[k].data(), static_cast<unsigned long long>(seed), what.c_str(),
                        difference(less, race, count).c_str(), to_string(less).c_str());
        }
        std::printf("%-10s %6lu programs, %8lu executions, %5lu races, %lu mismatches\n",
                    fork_join::kind_names[k].data(), programs, executions, races, wrong);
        std::fflush(stdout);
        compared += programs;
        mismatches += wrong;
    }
    return compared == 0 ? 5 : mismatches == 0 ? 0 : 1;
}
