// SPDX-License-Identifier: Apache-2.0
// `ringproof check` on generated programs whose main returns something else than 0 in some executions, in all, or in
// none: it is refuted exactly where the brute-force oracle knows such an execution, or a race.
//
//   ringproof_verify_generated_mains [--profile NAME] [--seeds N] [--first SEED] [--show]
#include "c_program.hpp"

#include "../oracle/enumerate.hpp"
#include "../oracle/generate.hpp"
#include "../oracle/random_numbers.hpp"
#include "../oracle/seed_options.hpp"
#include "run_binary.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

namespace oracle = ringproof::verify::oracle;

constexpr std::string_view profiles[] = {"plain", "orders",  "seq-cst",    "rmw",    "awaits",
                                         "mutex", "control", "everything", "counted"};

/// A register that the program sets, and one of the values that it has in the end, or one that it never has.
oracle::condition choose(const oracle::program& what, const oracle::enumeration& all,
                         oracle::random_numbers& random) {
    oracle::condition made;
    std::vector<std::pair<int, int>> set;
    for (int t = 0; t < what.size; ++t)
        for (int at = 0; at < what[t].size; ++at)
            if (what[t][at].target != oracle::no_register) set.emplace_back(t, what[t][at].target);
    if (!set.empty())
        std::tie(made.thread, made.which) =
            set[static_cast<std::size_t>(random.below(static_cast<int>(set.size())))];
    made.value = random.below(4);
    if (!all.outcomes.empty() && random.percent(60)) {
        auto some = all.outcomes.begin();
        std::advance(some, random.below(static_cast<int>(all.outcomes.size())));
        made.value =
            some->registers[static_cast<std::size_t>(made.thread)][static_cast<std::size_t>(made.which)];
    }
    constexpr int codes[] = {1, 2, 77, 255, -1};
    made.code = codes[random.below(5)];
    return made;
}

struct totals {
    unsigned long programs = 0, failing = 0, races = 0, mismatches = 0;
};

void compare(std::uint64_t seed, const std::string& profile, const std::filesystem::path& file, bool show,
             totals& sum) {
    const oracle::program program = oracle::generate(oracle::profile_named(profile), seed);
    const oracle::enumeration all = oracle::enumerate(program, oracle::memory_model::rc11, 20'000);
    if (all.cut_short || all.blocked != 0) return; // a thread that waits for ever is an error of its own
    oracle::random_numbers random(seed);
    const oracle::condition fails = choose(program, all, random);
    const bool failing = std::any_of(all.outcomes.begin(), all.outcomes.end(),
                                     [&](const oracle::outcome& o) { return fails.holds_in(o); });
    const std::string code = oracle::to_c(program, fails);
    std::ofstream(file) << code;
    if (show) std::printf("%s\n", code.c_str());
    const program_run run = run_binary({RINGPROOF_TEST_CHECK, file.string()});
    ++sum.programs;
    sum.races += all.race;
    sum.failing += failing && !all.race;
    const bool race = run.out.find("data race") != std::string::npos;
    std::string wrong;
    if (run.code != (all.race || failing ? 1 : 0))
        wrong = "exit code " + std::to_string(run.code) + ", expected " + (all.race || failing ? "1" : "0");
    else if (run.out.find("for ever") != std::string::npos)
        wrong = "a wait for ever that is none";
    else if (race && !all.race)
        wrong = "a race that is none";
    else if (all.race && !race && !failing)
        wrong = "refuted, but not for the race";
    if (wrong.empty()) return;
    if (++sum.mismatches > 3) return; // those shown are enough
    std::printf("MISMATCH, %s %llu: %s (main returns %d in %s execution)\n%s\n%s\n%s\n", profile.c_str(),
                static_cast<unsigned long long>(seed), wrong.c_str(), fails.code, failing ? "some" : "no",
                code.c_str(), run.out.c_str(), run.err.c_str());
}

} // namespace

int main(int argc, char** argv) {
    const auto chosen = oracle::seed_options::read(argc, argv, "--profile", 20);
    if (!chosen) return 2;
    const auto& [seeds, first, only, show] = *chosen;
    std::string folder = (std::filesystem::temp_directory_path() / "ringproof-mains-XXXXXX").string();
    if (!mkdtemp(folder.data())) return 2;
    totals sum;
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        const std::string profile(profiles[seed % std::size(profiles)]);
        if (only.empty() || only == profile)
            compare(seed, profile, std::filesystem::path(folder) / "program.c", show, sum);
    }
    std::filesystem::remove_all(folder);
    std::printf("%lu programs, %lu of them race, main of %lu others fails, %lu mismatches\n", sum.programs,
                sum.races, sum.failing, sum.mismatches);
    return sum.programs == 0 ? 5 : sum.mismatches == 0 ? 0 : 1;
}
