// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"

#include <ringproof/command/progress.hpp>

#include <fmt/format.h>
#include <string>
#include <vector>

namespace ringproof::verify {

using command::json;

void print_summed(const json& result, std::FILE* out) {
    std::string counts = fmt::format("{} executions", result.value("executions", std::uint64_t{0}));
    if (const auto blocked = result.value("blocked", std::uint64_t{0}); blocked > 0)
        counts += fmt::format(" + {} blocked", blocked);
    if (result.contains("parts"))
        counts += fmt::format(" in {} parts", result.at("parts").get<std::uint64_t>());
    if (result.contains("parts_missing"))
        counts += fmt::format(", {} more are not given", result.at("parts_missing").get<std::uint64_t>());
    fmt::print(out, "{:<20}  {:<4}  {}  ({}, {} in all)\n", result.at("verdict").get<std::string>(),
               result.at("model").get<std::string>(), result.at("name").get<std::string>(), counts,
               ringproof::command::format_duration(result.value("seconds", 0.0)));
    if (result.contains("counterexample")) {
        fmt::print(out, "    {}\n", result.at("counterexample").at("message").get<std::string>());
        if (const json command = result.at("counterexample").value("replay_command", json());
            command.is_array())
            fmt::print(out, "    to see it again: {}\n",
                       fmt::join(command.get<std::vector<std::string>>(), " "));
    } else if (result.contains("message")) {
        fmt::print(out, "    {}\n", result.at("message").get<std::string>());
    }
}

} // namespace ringproof::verify
