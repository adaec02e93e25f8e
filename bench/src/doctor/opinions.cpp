// SPDX-License-Identifier: Apache-2.0
// Other checkers that `ringproof verify --second-opinion` can ask.

#include "doctor.hpp"

#include <ringproof/command/opinion.hpp>

#include <fmt/format.h>

namespace ringproof::bench {
namespace {

constexpr double answer_seconds = 10;

finding found(const std::string& folder, const command::known_opinion& tool) {
    finding f{health::note, std::string(tool.name), "", "", std::string(tool.install)};
    const command::opinion_program there = command::find_opinion(folder, "ringproof-verify", tool.name);
    if (there.state == command::opinion_state::ready) {
        const command::child_answer answer = command::run_child({there.program, "--about"}, answer_seconds);
        if (answer.ended && answer.exit_code == 0)
            return {health::good, std::string(tool.name), "ready for --second-opinion", "", ""};
        f.found = fmt::format("not usable: {}: {}", there.program,
                              answer.ended ? fmt::format("it ends with exit code {}", answer.exit_code)
                                           : answer.why);
    } else {
        f.found = fmt::format(
            "{}: {}", there.state == command::opinion_state::absent ? "absent" : "not usable", there.why);
    }
    f.means = fmt::format("`ringproof verify --second-opinion {}` skips it", tool.name);
    return f;
}

} // namespace

std::vector<finding> examine_opinions(const std::filesystem::path& folder) {
    std::vector<finding> all;
    for (const command::known_opinion& tool : command::known_opinions())
        all.push_back(found(folder.string(), tool));
    return all;
}

} // namespace ringproof::bench
