// SPDX-License-Identifier: Apache-2.0
// The search with and without symmetry, on generated programs some of whose threads are alike, under every model: the
// same verdict, the same final states but for which of the alike threads saw what, and as many executions, those counted
// in which alike threads change places.
//
//   ringproof_verify_symmetry [--profile NAME|GROUP] [--seeds N] [--first SEED] [--show]

#include <ringproof/verify/explore.hpp>

#include "../oracle/engine_program.hpp"
#include "../oracle/generate.hpp"
#include "../oracle/seed_options.hpp"
#include "../oracle/shrink.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;

constexpr rv::memory_model models[] = {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc,
                                       rv::memory_model::ra};
constexpr double most_executions = 20'000; // without symmetry

/// Threads of a program, by the code that they run: those next to each other with the same are alike.
struct subject {
    oracle::program program;
    std::vector<std::size_t> runs; ///< for each thread the index of its code
};

// What the program under test leaves behind; at a fixed place, as its own memory is restored.
struct left_behind {
    std::array<oracle::register_file, 32> registers{}; ///< of each thread
    oracle::outcome memory{};
} left;
const subject* at_hand = nullptr;

/// Each thread has its own place for its registers, by its stack: what is alike could not tell.
[[gnu::noinline, gnu::no_sanitize_thread]] void leave(const oracle::register_file& registers) {
    constexpr std::uintptr_t stack = 1 << 20; // bytes, of each of them
    left.registers[reinterpret_cast<std::uintptr_t>(&registers) / stack % left.registers.size()] = registers;
}
[[gnu::noinline, gnu::no_sanitize_thread]] std::size_t thread_count() { return at_hand->runs.size(); }
[[gnu::noinline, gnu::no_sanitize_thread]] const oracle::thread_code& code_of(std::size_t thread) {
    return at_hand->program.threads[at_hand->runs[thread]];
}

void run() {
    const oracle::surroundings within = oracle::surroundings_of(at_hand->program);
    oracle::shared_memory memory;
    std::vector<std::thread> threads(thread_count());
    for (std::size_t i = 0; i < threads.size(); ++i)
        threads[i] = std::thread([&code = code_of(i), &memory, &within] {
            oracle::register_file registers{};
            oracle::own_word own(within.own, oracle::uses_own_word(code));
            oracle::run_thread(code, memory, registers, within, &own, oracle::allocating::never);
            leave(registers);
        });
    for (std::thread& t : threads) t.join();
    for (int x = 0; x < oracle::max_atomics; ++x) {
        const oracle::operation last{
            .kind = oracle::operation_kind::load, .location = x, .order = std::memory_order_relaxed};
        left.memory.atomics[static_cast<std::size_t>(x)] =
            oracle::access_atomically(memory, within, last, 0, 0, oracle::allocating::never);
    }
    left.memory.data = memory.data;
    left.memory.bytes = memory.bytes;
}

/// A final state, whichever of the threads with one code is which.
using final_state =
    std::pair<std::set<std::pair<std::size_t, std::multiset<oracle::register_file>>>, oracle::outcome>;
final_state state_left() {
    std::map<std::size_t, std::multiset<oracle::register_file>> by_code;
    for (std::size_t i = 0; i < at_hand->runs.size(); ++i)
        by_code[at_hand->runs[i]].insert(left.registers[i + 1]); // 0 is main
    return {{by_code.begin(), by_code.end()}, left.memory};
}

struct search {
    rv::exploration_result result;
    std::set<final_state> states;
};
search explore(rv::memory_model model, bool symmetry, bool all_iterations) {
    search s;
    rv::exploration_options options;
    options.model = model;
    options.limits.hangs_refute = false;
    options.limits.reuse = rv::exploring::never;
    options.limits.reduce.symmetry = symmetry;
    if (symmetry) options.limits.order_seed = oracle::order_at_hand;
    options.limits.reduce.iteration_count = !all_iterations;
    if (!symmetry) options.limits.executions = static_cast<std::uint64_t>(most_executions);
    options.on_complete = [&] { s.states.insert(state_left()); };
    s.result = rv::explore(run, options);
    return s;
}

/// Two to four threads with one code, next to each other or not, and maybe others: each seed has its own mixture.
subject subject_of(const oracle::profile& profile, std::uint64_t seed) {
    constexpr std::size_t mixtures[][4] = {{0, 0, 9, 9}, {0, 0, 0, 9}, {0, 0, 1, 9}, {1, 0, 0, 9},
                                           {0, 0, 1, 1}, {0, 0, 0, 1}, {0, 1, 0, 9}, {0, 0, 0, 0}};
    subject s{oracle::generate(profile, seed), {}};
    for (const std::size_t code : mixtures[seed % std::size(mixtures)])
        if (code < 9) s.runs.push_back(code % static_cast<std::size_t>(s.program.size));
    return s;
}

struct totals {
    unsigned long programs = 0, comparisons = 0, refuted = 0, large = 0, reduced = 0, mismatches = 0;
    double executions = 0, executions_without = 0;
    void add(const totals& o) {
        programs += o.programs, comparisons += o.comparisons, refuted += o.refuted, large += o.large;
        reduced += o.reduced, mismatches += o.mismatches, executions += o.executions;
        executions_without += o.executions_without;
    }
    void print(const char* name) const {
        std::printf(
            "%-14s %6lu programs, %7lu comparisons, %6lu refuted, %6lu with permutations, %5lu too large, "
            "%9.0f executions for %9.0f, %lu mismatches\n",
            name, programs, comparisons, refuted, reduced, large, executions, executions_without, mismatches);
        std::fflush(stdout);
    }
};

/// @param all_iterations whether loops that count are explored whole: otherwise their executions have no one number
/// @return what the two searches do not agree about
std::string difference(rv::memory_model model, bool all_iterations, totals& sum) {
    const search without = explore(model, false, all_iterations);
    const bool refuted = without.result.error.kind != rv::failure_kind::nothing;
    if (without.result.stopped || (!refuted && !without.result.bounds.empty())) return ++sum.large, "";
    const search with = explore(model, true, all_iterations);
    ++sum.comparisons;
    sum.refuted += refuted;
    if (refuted != (with.result.error.kind != rv::failure_kind::nothing))
        return refuted ? "missed: " + without.result.error.message : "no error: " + with.result.error.message;
    if (refuted) return "";
    const auto count = static_cast<double>(without.result.executions);
    sum.executions += static_cast<double>(with.result.executions);
    sum.executions_without += count;
    sum.reduced += with.result.executions != without.result.executions;
    const bool is_a_number = all_iterations || !oracle::counts_rounds(at_hand->program);
    if (is_a_number && std::abs(with.result.permutations - count) > 1e-6 * count)
        return std::to_string(with.result.executions) + " executions, " +
               std::to_string(with.result.permutations) + " with their permutations, " +
               std::to_string(without.result.executions) + " without symmetry";
    if (with.states != without.states)
        return std::to_string(with.states.size()) + " final states for " +
               std::to_string(without.states.size());
    return "";
}

/// Compares the program of a seed under all models. @param show whether it is printed although all agree
void compare(const oracle::profile& profile, std::uint64_t seed, bool show, totals& sum) {
    const subject what = subject_of(profile, seed);
    const bool all_iterations = seed % 2 == 0;
    ++sum.programs;
    oracle::choose_order(seed);
    for (const rv::memory_model model : models) {
        at_hand = &what;
        const std::string wrong = difference(model, all_iterations, sum);
        sum.mismatches += !wrong.empty();
        if (!show && (wrong.empty() || sum.mismatches > 3)) continue; // those shown are enough
        subject less = what;
        at_hand = &less;
        totals unused;
        if (!wrong.empty())
            less.program = oracle::shrink(what.program, [&](const oracle::program& smaller) {
                less.program = smaller;
                return !difference(model, all_iterations, unused).empty();
            });
        std::string threads;
        for (const std::size_t code : what.runs) threads += " " + std::to_string(code);
        std::printf("%s%s %llu, model %d, threads%s: %s\nwith less: %s\n%s\n",
                    wrong.empty() ? "" : "MISMATCH, ", std::string(profile.name).c_str(),
                    static_cast<unsigned long long>(seed), static_cast<int>(model), threads.c_str(),
                    wrong.c_str(), difference(model, all_iterations, unused).c_str(),
                    oracle::to_string(less.program).c_str());
    }
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    const auto chosen = oracle::seed_options::read(argc, argv, "--profile", 100);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    totals all;
    for (const oracle::profile& profile : oracle::profiles()) {
        if (profile.handler_times > 0 || (!only.empty() && profile.name != only && profile.group != only))
            continue;
        totals sum;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) compare(profile, seed, show, sum);
        sum.print(std::string(profile.name).c_str());
        all.add(sum);
    }
    all.print("in all");
    return all.reduced == 0 ? 5 : all.mismatches == 0 ? 0 : 1;
}
