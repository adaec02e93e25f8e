// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header
// Each test case as a scenario. Behind the answers to the version's assertions.

#include "failures.hpp"

namespace ringproof::verify::catch2 {

/// A new one for each execution, as the program's data are put back.
inline answers running;

/// @return the path that was taken
inline const path& run(const test_case& test, const std::vector<unsigned>& ways) {
    running.begin(ways);
    try {
        invoke(test);
    } catch (...) {
        refute(("an exception leaves the test case: " + Catch::translateActiveException()).c_str());
    }
    evaluated();
    return running.end();
}

inline std::vector<unsigned> ways_of(const path& p) {
    std::vector<unsigned> ways;
    for (const branch& b : p.branches) ways.push_back(b.taken);
    return ways;
}

/// Every path of a test case, as the first execution of each shows them. One whose first execution shows nothing is the last,
/// with no number of ways, which no execution will meet.
inline std::vector<path> paths_of(const test_case& test) {
    constexpr std::size_t most = 1000;
    std::vector<path> all;
    std::vector<unsigned> ways;
    do {
        const std::string text =
            look_at_first_execution([&] { run(test, ways); }, [] { return to_text(running.taken()); });
        path p = to_path(text);
        if (text.empty() || all.size() == most)
            for (const unsigned way : ways) p.branches.push_back({0, way, 0, 0});
        all.push_back(std::move(p));
        if (text.empty() || all.size() > most) break;
        ways = next_ways(all.back());
    } while (!ways.empty());
    return all;
}

inline void run_any(const test_case& test, const std::vector<path>& paths) {
    const path& chosen = paths[paths.size() > 1 ? choose(static_cast<unsigned>(paths.size())) : 0];
    if (run(test, ways_of(chosen)).branches == chosen.branches) return;
    refuse("the SECTIONs and GENERATEs of this test case are not the same in each execution, or are more "
           "than 1,000 "
           "paths: divide it into several");
}

/// Names the test cases in place of running them.
inline void name_tests() {
    answer_by(running);
    for (const test_case& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
        const Catch::TestCaseInfo& info = info_of(test);
        if (info.isHidden() || info.okToFail()) continue;
        scenario_options options;
        const std::vector<path> paths = paths_of(test);
        if (paths.size() > 1 || !paths.front().branches.empty())
            options.assumes = {"clock"}; // the framework measures how long a SECTION takes
        name_scenario(
            info.name, [&test, paths] { run_any(test, paths); }, options, info.lineInfo.file,
            static_cast<int>(info.lineInfo.line));
    }
}

} // namespace ringproof::verify::catch2
