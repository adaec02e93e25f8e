// SPDX-License-Identifier: Apache-2.0
// The engine with large memory that is saved and put back as far as it was written (reduction unwritten-page), and with
// all of it compared and copied, on generated programs that leave what they have seen all over a large array and large
// blocks, let the system write there, allocate and free. What is left of all that memory at the end of each execution
// has to be the same.
//
//   ringproof_verify_large_memory [--kind one|two] [--seeds N] [--first SEED] [--show]   one or two processes
#include "../../src/program/written_pages.hpp"
#include "../oracle/random_numbers.hpp"
#include "../oracle/seed_options.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/utsname.h>
#include <thread>
#include <vector>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
using ringproof::command::exit_code;

constexpr std::size_t array_words = std::size_t{1} << 14, most_threads = 3; // words a thread: 128 KiB
constexpr std::size_t block_words = std::size_t{1} << 13;

// What the program under test has.
std::uint64_t array[most_threads][array_words];
std::uint64_t* blocks[most_threads][2];
std::atomic<int> words[2];

enum class what { load, store, add, write_array, write_block, system_writes, allocate, release };
struct statement {
    what kind = what::load;
    int word = 0;
    std::size_t at = 0;
};
struct program {
    std::vector<std::vector<statement>> threads;
};
const program* subject = nullptr; // at a fixed place, in memory that never changes

program generate(std::uint64_t seed) {
    oracle::random_numbers random(seed);
    program p;
    p.threads.resize(2 + static_cast<std::size_t>(random.percent(30)));
    for (auto& thread : p.threads)
        for (int accesses = 0; accesses < (p.threads.size() == 2 ? 3 : 2);) {
            statement s;
            s.kind = static_cast<what>(random.below(8));
            s.word = random.below(2);
            // Often near to others: in one page, at the end of one, at the end of all.
            s.at = static_cast<std::size_t>(random.percent(50) ? random.below(2048) : random.below(1 << 14));
            accesses += s.kind <= what::add;
            thread.push_back(s);
        }
    return p;
}

void run_thread(std::size_t t) {
    std::uint64_t seen = t + 1;
    for (const statement& s : subject->threads[t]) {
        std::uint64_t*& block = blocks[t][s.word];
        switch (s.kind) {
        case what::load:
            seen = seen * 31 + static_cast<std::uint64_t>(words[s.word].load(std::memory_order_acquire));
            break;
        case what::store:
            words[s.word].store(static_cast<int>(t + s.at % 4), std::memory_order_release);
            break;
        case what::add:
            seen = seen * 31 + static_cast<std::uint64_t>(words[s.word].fetch_add(1));
            break;
        case what::write_array:
            array[t][s.at] += seen;
            break;
        case what::write_block:
            if (block) block[s.at % block_words] += seen;
            break;
        case what::system_writes:
            // As much as a page and a half from the end, and not by code that is compiled.
            uname(reinterpret_cast<utsname*>(&array[t][s.at % (array_words - 64)]));
            break;
        case what::allocate:
            if (!block) block = new std::uint64_t[block_words]{};
            break;
        case what::release:
            delete[] block;
            block = nullptr;
            break;
        }
    }
    array[t][0] += seen;
}

void run() {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < subject->threads.size(); ++t) threads.emplace_back(run_thread, t);
    for (std::thread& thread : threads) thread.join();
}

std::string whole_state() {
    std::uint64_t hash = 0xcbf29ce484222325U; // FNV-1a, by words
    const auto add = [&](const std::uint64_t* from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) hash = (hash ^ from[i]) * 0x100000001b3U;
    };
    for (std::size_t t = 0; t < most_threads; ++t) {
        add(array[t], array_words);
        for (const std::uint64_t* block : blocks[t])
            if (block) add(block, block_words);
    }
    return std::to_string(hash);
}

rv::exploration_result explored(const program& p, rv::memory_model model, unsigned jobs, bool reduced) {
    subject = &p;
    rv::exploration_options options;
    options.model = model;
    options.jobs = jobs;
    options.share_after = 0;
    options.limits.reduce.unwritten_page = reduced;
    options.state = whole_state;
    return rv::explore(run, options);
}

/// Otherwise a search would be compared with itself.
bool system_tells() {
    rv::written_pages pages;
    return pages.watch(rv::written_pages::pages_within(
        {reinterpret_cast<std::uintptr_t>(&array), reinterpret_cast<std::uintptr_t>(&array + 1)}));
}

struct totals {
    unsigned long programs = 0, comparisons = 0, executions = 0, states = 0, wrong = 0;
    double seconds = 0, seconds_without = 0;
};

void compare(std::uint64_t seed, unsigned jobs, bool show, totals& of) {
    const program p = generate(seed);
    ++of.programs;
    for (const auto model : {rv::memory_model::rc11, rv::memory_model::sc}) {
        const rv::exploration_result with = explored(p, model, jobs, true);
        const rv::exploration_result without = explored(p, model, jobs, false);
        ++of.comparisons;
        of.executions += with.executions;
        of.states += with.states.size();
        of.seconds += with.seconds;
        of.seconds_without += without.seconds;
        if (show)
            std::printf("seed %lu: %lu executions, %zu states\n", static_cast<unsigned long>(seed),
                        static_cast<unsigned long>(with.executions), with.states.size());
        if (with.executions != 0 && with.executions == without.executions && with.states == without.states &&
            with.error.kind == without.error.kind)
            continue;
        ++of.wrong;
        std::printf("seed %lu, %u jobs, %s: %lu executions and %zu states with, %lu and %zu without; %s\n",
                    static_cast<unsigned long>(seed), jobs, model == rv::memory_model::sc ? "sc" : "rc11",
                    static_cast<unsigned long>(with.executions), with.states.size(),
                    static_cast<unsigned long>(without.executions), without.states.size(),
                    with.error.message.c_str());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--kind", 200);
    if (!chosen) return static_cast<int>(exit_code::usage);
    const auto& [seeds, first, only, show] = *chosen;
    if (!system_tells()) {
        std::puts("skipped: this system does not tell which pages were written (Linux 6.7, userfaultfd)");
        return static_cast<int>(exit_code::skipped);
    }
    totals all;
    for (const unsigned jobs : {1u, 2u}) {
        if (!only.empty() && only != (jobs == 1 ? "one" : "two")) continue;
        totals of;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) compare(seed, jobs, show, of);
        std::printf(
            "%u jobs: %lu programs, %lu comparisons, %lu executions, %lu states, %.1f s (%.1f s without the "
            "reduction), %lu mismatches\n",
            jobs, of.programs, of.comparisons, of.executions, of.states, of.seconds, of.seconds_without,
            of.wrong);
        all.comparisons += of.comparisons;
        all.wrong += of.wrong;
    }
    return static_cast<int>(all.comparisons == 0 ? exit_code::no_match
                            : all.wrong == 0     ? exit_code::holds
                                                 : exit_code::refuted);
}
