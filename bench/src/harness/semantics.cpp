// SPDX-License-Identifier: Apache-2.0
#include "semantics.hpp"

#include <fmt/format.h>

namespace ringproof::bench {
namespace {

struct column {
    const char* title;
    std::string semantics::*text;
};
constexpr column columns[] = {
    {"carries", &semantics::payload},          {"order", &semantics::order},
    {"when full", &semantics::full},           {"losses known", &semantics::lost},
    {"keeps newest", &semantics::overwrite},   {"processes", &semantics::processes},
    {"a producer's death", &semantics::death},
};

} // namespace

std::string semantics_block(const semantics& of) {
    std::string block = of.peer + "\n";
    for (const column& c : columns) block += fmt::format("  {:<20}{}\n", c.title, of.*c.text);
    return block;
}

std::string semantics_table_head() {
    std::string titles = "| peer |", rule = "|---|";
    for (const column& c : columns) {
        titles += fmt::format(" {} |", c.title);
        rule += "---|";
    }
    return titles + "\n" + rule + "\n";
}

std::string semantics_table_row(const semantics& of) {
    std::string row = "| " + of.peer + " |";
    for (const column& c : columns) row += fmt::format(" {} |", of.*c.text);
    return row + "\n";
}

} // namespace ringproof::bench
