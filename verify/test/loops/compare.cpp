// SPDX-License-Identifier: Apache-2.0
// The engine against the judge on programs with loops, run by an interpreter and as machine code.
//
//   ringproof_verify_loops [--kind NAME|language|users] [--seeds N] [--first SEED] [--show] [--no-reduction NAME]… [--unfair] [--allocating]
//                          [--compiled K/N]
#include "../oracle/seed_options.hpp"
#include "comparison.hpp"
#include "compiled.hpp"
#include "interpreter.hpp"
#include "surroundings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

namespace rv = ringproof::verify;
namespace loops = ringproof::verify::loops;
namespace oracle = ringproof::verify::oracle;

struct totals {
    unsigned long comparisons = 0, executions = 0, refuted = 0, hangs = 0, endless = 0, too_large = 0,
                  mismatches = 0;

    void add(const totals& other) {
        comparisons += other.comparisons;
        executions += other.executions;
        refuted += other.refuted;
        hangs += other.hangs;
        endless += other.endless;
        too_large += other.too_large;
        mismatches += other.mismatches;
    }
    void print(const char* what) const {
        std::printf(
            "%-10s %6lu comparisons, %8lu executions, %5lu refuted, %5lu hang, %5lu endless, %5lu too "
            "large, %lu mismatches\n",
            what, comparisons, executions, refuted, hangs, endless, too_large, mismatches);
        std::fflush(stdout);
    }
};

struct model {
    const char* name;
    rv::memory_model which;
};
constexpr model models[] = {{"rc11", rv::memory_model::rc11},
                            {"tso", rv::memory_model::tso},
                            {"sc", rv::memory_model::sc},
                            {"ra", rv::memory_model::ra}};

rv::reductions reduce; ///< what the engine leaves out
/// Of the compiled programs those whose number is `rest` modulo `of`.
struct part {
    std::size_t rest = 0, of = 1;
    bool has(std::size_t i) const { return i % of == rest; }
} compiled_part;
bool allocating = false; ///< interpreters allocate in each round, and machine code is not compared
loops::comparer comparing = &loops::compare;

/// @param interpreted whether what is left out of the program is left out of `code` as well
void compare(const loops::program& program, const std::string& name, loops::thread_body code,
             bool interpreted, totals& sum) {
    if (program.private_memory == loops::placement::thread_variable && !loops::has_thread_variable) return;
    for (const model& each : models) {
        if (!loops::can_judge(program, each.which)) continue;
        const loops::comparison_result found = comparing(program, each.which, code, reduce);
        sum.comparisons += found.judged;
        sum.executions += found.executions;
        sum.refuted += found.refuted;
        sum.hangs += found.hangs;
        sum.endless += found.endless;
        sum.too_large += found.too_large;
        if (found.wrong.empty()) continue;
        if (++sum.mismatches > 3) continue; // those shown are enough
        std::printf("MISMATCH under %s, %s: %s\n%s\n", each.name, name.c_str(), found.wrong.c_str(),
                    to_string(program).c_str());
        if (!interpreted) continue;
        const loops::program smallest = loops::shrink(program, each.which, code, reduce, comparing);
        std::printf("the same with less: %s\n%s\n",
                    comparing(smallest, each.which, code, reduce).wrong.c_str(), to_string(smallest).c_str());
    }
}

bool chosen_by(const std::string& only, std::size_t kind) {
    const bool users = static_cast<loops::kind>(kind) >= loops::first_of_users;
    return only.empty() || only == loops::kind_names[kind] || only == (users ? "users" : "language");
}

totals compare_compiled(const char* name, const std::array<loops::thread_body, loops::compiled_count>& code,
                        const std::string& only) {
    totals sum;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const std::string kind(loops::kind_names[i % loops::kind_names.size()]);
        if (!compiled_part.has(i) || !chosen_by(only, i % loops::kind_names.size())) continue;
        oracle::choose_order(i);
        compare(loops::compiled_program(i), kind + " " + std::to_string(i) + ", " + name, code[i], false,
                sum);
    }
    sum.print(name);
    return sum;
}

/// Takes an option without a value out of the arguments. @return whether it was there
bool take(std::vector<char*>& arguments, std::string_view option) {
    const auto at = std::find(arguments.begin(), arguments.end(), option);
    if (at == arguments.end()) return false;
    arguments.erase(at);
    return true;
}

loops::thread_body interpreter_for(std::uint64_t seed) {
    return allocating ? loops::allocating_interpreters[seed % loops::allocating_interpreters.size()]
                      : loops::interpret;
}

/// Takes `--no-reduction NAME` out of the arguments. @return false when there is none of that name
bool take_reductions(std::vector<char*>& arguments) {
    for (std::size_t i = 1; i < arguments.size();) {
        if (std::string_view(arguments[i]) != "--no-reduction") {
            ++i;
            continue;
        }
        const std::string_view name = i + 1 < arguments.size() ? arguments[i + 1] : "";
        const rv::named_reduction* const one = rv::find_reduction(name);
        if (!one) return false;
        reduce.*one->member = false;
        const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
        arguments.erase(at, at + 2);
    }
    return true;
}

/// Takes `--compiled K/N` out of the arguments. @return false when that makes no sense
bool take_part(std::vector<char*>& arguments) {
    const auto at = std::find(arguments.begin(), arguments.end(), std::string_view("--compiled"));
    if (at == arguments.end()) return true;
    if (at + 1 == arguments.end() ||
        std::sscanf(at[1], "%zu/%zu", &compiled_part.rest, &compiled_part.of) != 2)
        return false;
    arguments.erase(at, at + 2);
    return compiled_part.rest < compiled_part.of;
}

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // should the engine crash, it is known on what
    std::vector<char*> arguments(argv, argv + argc);
    if (take(arguments, "--unfair")) comparing = &loops::compare_unfairly;
    allocating = reduce.allocating_iteration = take(arguments, "--allocating");
    if (!take_reductions(arguments)) {
        std::fprintf(stderr, "%s: --no-reduction needs the name of one\n", argv[0]);
        return 2;
    }
    if (!take_part(arguments)) {
        std::fprintf(stderr, "%s: --compiled needs K/N, a part of them: 0/4\n", argv[0]);
        return 2;
    }
    const auto chosen =
        oracle::seed_options::read(static_cast<int>(arguments.size()), arguments.data(), "--kind", 100);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    totals all;
    for (std::size_t k = 0; k < loops::kind_names.size(); ++k) {
        const std::string kind(loops::kind_names[k]);
        if (!chosen_by(only, k)) continue;
        totals sum;
        for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
            const loops::program program = loops::generate(static_cast<loops::kind>(k), seed);
            if (show)
                std::printf("%s %llu\n%s\n", kind.c_str(), static_cast<unsigned long long>(seed),
                            to_string(program).c_str());
            oracle::choose_order(seed);
            compare(program, kind + " " + std::to_string(seed), interpreter_for(seed), true, sum);
        }
        sum.print(kind.c_str());
        all.add(sum);
    }
    if (!allocating) all.add(compare_compiled("compiled", loops::compiled_as_usual(), only));
    if (!allocating) all.add(compare_compiled("with -O2", loops::compiled_with_o2(), only));
    all.print("in all");
    return all.comparisons == 0 ? 5 : all.mismatches == 0 ? 0 : 1;
}
