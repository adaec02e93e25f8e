// SPDX-License-Identifier: Apache-2.0
// The engine against machines and axioms on generated programs with atomic accesses of mixed sizes: the same outcomes.
// Under rc11 with several seq_cst accesses in pieces the engine may allow more (psc.cpp): such programs are counted apart.
//
//   ringproof_verify_mixed_sizes [--model sc|tso|rc11|rc11-sc|ra] [--seeds N] [--first SEED] [--show]

#include "machine.hpp"

#include "../oracle/seed_options.hpp"
#include <ringproof/verify/explore.hpp>

#include <cstdio>
#include <cstring>
#include <thread>

namespace {

namespace rv = ringproof::verify;
using namespace ringproof::verify::mixed_test;

// What the program under test leaves behind, and what it is; beside its own memory.
outcome left;
const program* subject = nullptr;

#define NOT_CHECKED [[gnu::noinline, gnu::no_sanitize_thread]]
NOT_CHECKED std::size_t threads_of() { return subject->threads.size(); }
NOT_CHECKED std::size_t size_of(std::size_t t) { return subject->threads[t].size(); }
NOT_CHECKED operation fetch(std::size_t t, std::size_t i) { return subject->threads[t][i]; }
NOT_CHECKED std::size_t unit_bytes() { return static_cast<std::size_t>(subject->unit_bytes); }
NOT_CHECKED std::size_t register_of(std::size_t t, std::size_t i) {
    for (std::size_t u = 0; u < t; ++u) i += size_of(u);
    return i;
}
NOT_CHECKED void keep(std::size_t reg, std::uint32_t value) { left.read[reg] = value; }
NOT_CHECKED void keep_memory(std::size_t word, std::uint32_t value) { left.memory[word] = value; }
NOT_CHECKED void forget() { left = {}; }

/// One value in each unit, and back.
std::uint64_t in_units(int value, int count, std::size_t bytes) {
    std::uint64_t all = 0;
    for (int u = 0; u < count; ++u)
        all |= static_cast<std::uint64_t>(value) << 8 * bytes * static_cast<unsigned>(u);
    return all;
}
std::uint32_t of_units(std::uint64_t value, int count, std::size_t bytes) {
    std::uint32_t all = 0;
    for (int u = 0; u < count; ++u)
        all |= static_cast<std::uint32_t>(value >> 8 * bytes * static_cast<unsigned>(u) & 0xff) << 8 * u;
    return all;
}

template <class T>
std::uint64_t perform(unsigned char* at, const operation& o, std::size_t bytes) {
    auto& object = *reinterpret_cast<std::atomic<T>*>(at);
    const auto value = static_cast<T>(in_units(o.value, o.count, bytes));
    auto expected = static_cast<T>(in_units(o.expected, o.count, bytes));
    switch (o.what) {
    case kind::store:
        object.store(value, o.order);
        return 0;
    case kind::exchange:
        return object.exchange(value, o.order);
    case kind::add:
        return object.fetch_add(value, o.order);
    case kind::compare:
        object.compare_exchange_strong(expected, static_cast<T>(in_units(o.value, o.count, bytes)), o.order,
                                       o.failure);
        return expected;
    case kind::await:
        while (object.load(o.order) != expected) {
        }
        return expected;
    default:
        return object.load(o.order);
    }
}

std::uint64_t perform(unsigned char* memory, const operation& o) {
    const std::size_t bytes = unit_bytes();
    unsigned char* const at = memory + 8 * o.word + static_cast<std::size_t>(o.first) * bytes;
    switch (static_cast<std::size_t>(o.count) * bytes) {
    case 1:
        return perform<std::uint8_t>(at, o, bytes);
    case 2:
        return perform<std::uint16_t>(at, o, bytes);
    case 4:
        return perform<std::uint32_t>(at, o, bytes);
    default:
        return perform<std::uint64_t>(at, o, bytes);
    }
}

void run_thread(unsigned char* memory, std::size_t t) {
    for (std::size_t i = 0; i < size_of(t); ++i) {
        const operation o = fetch(t, i);
        if (o.what == kind::fence)
            std::atomic_thread_fence(o.order);
        else if (const std::uint64_t read = perform(memory, o); o.reads())
            keep(register_of(t, i), of_units(read, o.count, unit_bytes()));
    }
}

void run() {
    forget();
    struct {
        alignas(16) unsigned char bytes[16] = {};
    } memory;
    std::thread threads[4];
    for (std::size_t t = 0; t < threads_of(); ++t)
        threads[t] = std::thread([at = memory.bytes, t] { run_thread(at, t); });
    for (std::size_t t = 0; t < threads_of(); ++t) threads[t].join();
    for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t word;
        std::memcpy(&word, memory.bytes + 8 * w, sizeof word);
        keep_memory(w, of_units(word, units, unit_bytes()));
    }
}

struct named_model {
    const char* name;
    rv::memory_model engine;
    model judge;
    bool seq_cst;
};
constexpr named_model models[] = {{"sc", rv::memory_model::sc, model::sc, true},
                                  {"tso", rv::memory_model::tso, model::tso, true},
                                  {"rc11", rv::memory_model::rc11, model::rc11, false},
                                  {"rc11-sc", rv::memory_model::rc11, model::rc11, true},
                                  {"ra", rv::memory_model::ra, model::ra, false}};

struct totals {
    unsigned long programs = 0, mixed = 0, outcomes = 0, executions = 0, blocked = 0, skipped = 0, more = 0,
                  mismatches = 0;
};

/// @return what the two do not agree about
std::string difference(const program& p, const named_model& m, totals& sum) {
    bool cut = false;
    const std::set<outcome> expected = m.judge == model::sc || m.judge == model::tso
                                           ? run_on_machine(p, m.judge)
                                           : by_axioms(p, m.judge, cut);
    if (cut) {
        ++sum.skipped;
        return "";
    }
    subject = &p;
    std::set<outcome> found;
    rv::exploration_options options;
    options.model = m.engine;
    options.limits.hangs_refute = false;
    options.on_complete = [&] { found.insert(left); };
    const rv::exploration_result result = rv::explore(run, options);
    ++sum.programs;
    sum.mixed += !result.raced.empty();
    sum.outcomes += found.size();
    sum.executions += result.executions;
    sum.blocked += result.blocked;
    if (result.error.kind != rv::failure_kind::nothing) return "the engine reports: " + result.error.message;
    if (result.stopped) return "the engine gave up: " + result.stopped_by;
    std::string wrong;
    for (const outcome& o : expected)
        if (found.count(o) == 0) wrong += "\n  missing: " + to_string(o, p);
    if (wrong.empty() && m.judge == model::rc11 && m.seq_cst) {
        sum.more += found.size() > expected.size();
        return "";
    }
    for (const outcome& o : found)
        if (expected.count(o) == 0) wrong += "\n  unexpected: " + to_string(o, p);
    return wrong;
}

} // namespace

int main(int argc, char** argv) {
    const auto options = rv::oracle::seed_options::read(argc, argv, "--model", 100);
    if (!options) return 2;
    bool any = false, wrong = false;
    for (const named_model& m : models) {
        if (!options->only.empty() && options->only != m.name) continue;
        any = true;
        totals sum;
        for (std::uint64_t seed = options->first; seed < options->first + options->seeds; ++seed) {
            const program p = generate(seed, m.seq_cst);
            if (options->show)
                std::printf("%s seed %lu, %s\n", m.name, static_cast<unsigned long>(seed),
                            to_string(p).c_str());
            const std::string what = difference(p, m, sum);
            if (what.empty()) continue;
            ++sum.mismatches;
            std::printf("MISMATCH under %s, seed %lu: %s\n%s", m.name, static_cast<unsigned long>(seed),
                        what.c_str(), to_string(p).c_str());
        }
        wrong = wrong || sum.mismatches != 0 || sum.mixed == 0;
        std::printf("%s: %lu programs, %lu with mixed sizes, %lu executions, %lu blocked, %lu outcomes, %lu "
                    "skipped, %lu with more "
                    "outcomes, %lu mismatches\n",
                    m.name, sum.programs, sum.mixed, sum.executions, sum.blocked, sum.outcomes, sum.skipped,
                    sum.more, sum.mismatches);
        std::fflush(stdout);
    }
    return !any ? 2 : wrong ? 1 : 0;
}
