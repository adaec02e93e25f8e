// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/argument_error.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>

namespace ringproof::command {

std::size_t changes_between(std::string_view a, std::string_view b) {
    // Rows of the table: of the first i letters of a, against the first j of b.
    std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = a[i - 1] == b[j - 1];
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], before[j - 2] + 1);
        }
        before = last;
        std::swap(last, now);
    }
    return last[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string_view name : known)
        if (const std::size_t changes = changes_between(word, name); changes < fewest)
            best = name, fewest = changes;
    return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    const std::string_view meant = nearest(word, known);
    return meant.empty() ? "" : fmt::format(": did you mean '{}'?", meant);
}

int end_of_arguments(const CLI::App& app, const CLI::ParseError& error) {
    std::string name = app.get_name();
    // Behind the verb may stand what it takes: FILE, [OPTIONS].
    if (const std::size_t what = name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ[");
        what != std::string::npos && what > 0)
        name.resize(what - 1);
    if (error.get_exit_code() == 0) {
        app.exit(error, std::cout, std::cerr); // help or version
        return to_int(exit_code::holds);
    }
    std::vector<std::string> options;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) // those without one are hidden
            for (const std::string& one : option->get_lnames()) options.push_back("--" + one);
    const std::vector<std::string_view> known(options.begin(), options.end());
    bool said = false;
    for (const std::string& word : app.remaining()) { // what else is wrong may come from that
        if (!word.starts_with('-')) continue;
        const std::string option = word.substr(0, word.find('='));
        fmt::print(stderr, "{}: no option '{}'{}\n", name, option, suggestion(option, known));
        said = true;
    }
    if (!said) fmt::print(stderr, "{}: {}\n", name, argument_sentence(error.get_name(), error.what()));
    fmt::print(stderr, "{} --help lists the options\n", name);
    return to_int(exit_code::usage);
}

} // namespace ringproof::command
