// SPDX-License-Identifier: Apache-2.0
// Other checkers that `--second-opinion` can ask.

#include "doctor.hpp"

#include <ringproof/command/opinion.hpp>

#include <fmt/format.h>

namespace ringproof::bench {
namespace {

finding found(const std::string& folder, const command::known_opinion& tool) {
    const std::string name(tool.name), verb(tool.verb);
    const command::opinion_source there = command::find_opinion(folder, "ringproof-" + verb, name);
    if (there.ready())
        return {health::good, name, fmt::format("ready for `ringproof {} --second-opinion`", verb), "", ""};
    return {health::note, name,
            fmt::format("{}: {}", there.state == "absent" ? "absent" : "not usable", there.why),
            fmt::format("`ringproof {} --second-opinion {}` skips it", verb, name),
            std::string(tool.install)};
}

} // namespace

std::vector<finding> examine_opinions(const std::filesystem::path& folder) {
    std::vector<finding> all;
    for (const command::known_opinion& tool : command::known_opinions())
        all.push_back(found(folder.string(), tool));
    return all;
}

} // namespace ringproof::bench
