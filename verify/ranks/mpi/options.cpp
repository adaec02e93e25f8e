// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace ringproof::verify::ranks {
namespace {

using command::exit_code;

struct refused {
    std::string_view option, instead;
};

/// What would be done by each searcher, for each part of a search.
constexpr std::array not_for_parts{
    refused{"--max-executions", "it bounds one process: give --time"},
    refused{"--quick", "it bounds one process: give --time"},
    refused{"--resume", "the folder of --checkpoint is gone on with when it is there"},
    refused{"--divide", "parts are divided when a rank has nothing to do"},
    refused{"--list", "it needs no ranks"},
    refused{"--estimate", "it needs no ranks"},
    refused{"--replay", "it needs no ranks"},
    refused{"--random", "give each process a --seed of its own"},
    refused{"--pct", "give each process a --seed of its own"},
    refused{"--shortest", "it is for one process"},
    refused{"--show-executions", "it is for one process"},
    refused{"--second-opinion", "ask other checkers without --mpi"},
    refused{"--weaken", "it is for one machine"},
    refused{"--save-replay", "the token is in the JSON document"},
    refused{"--junit", "give --json, then `ringproof report`"},
    refused{"--sarif", "give --json, then `ringproof report`"},
    refused{"--html", "give --json, then `ringproof report`"},
    refused{"--markdown", "give --json, then `ringproof report`"},
    refused{"--annotations", "give --json, then `ringproof report`"},
    refused{"--code-quality", "give --json, then `ringproof report`"},
};

std::string why_refused(const std::vector<std::string>& words) {
    for (const std::string& word : words)
        for (const refused& r : not_for_parts)
            if (word == r.option || word.starts_with(std::string(r.option) + "="))
                return fmt::format("{} cannot be given to ranks: {}", r.option, r.instead);
    return "";
}

void add_options(CLI::App& app, options& o) {
    app.add_option(
           "--checkpoint", o.checkpoint,
           "keep what is left and what is found in this folder; when it is there, go on from it, with as "
           "many ranks as there are now; default: a temporary one")
        ->type_name("DIR");
    app.add_option("--time", o.seconds, "stop all after S seconds")
        ->type_name("S")
        ->check(CLI::PositiveNumber);
    app.add_option(
           "--turn", o.turn,
           "seconds after which a rank tells rank 0 what is left of its part: what is lost when it dies")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--first-turn", o.first_turn, "seconds after which a search is divided")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--lost-after", o.lost_after,
                   "give the part of a rank to another when it has said nothing for S seconds")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--json", o.json, "write the results as JSON; - is standard output")->type_name("FILE");
    app.add_flag("--quiet", o.quiet, "no progress");
}

} // namespace

int parse(int argc, char** argv, bool speaks, options& into) {
    CLI::App app("Searches with all ranks of an MPI job: mpirun -n 64 ringproof verify --mpi …",
                 "ringproof mpi");
    std::string program;
    app.add_option("PROGRAM", program,
                   "a program with scenarios, or one of ringproof's own; its arguments follow")
        ->required();
    add_options(app, into);
    app.footer(
        "exit codes: 0 everything holds · 1 refuted · 2 usage · 3 searchers die · 4 inconclusive, or stopped "
        "by --time");
    app.allow_extras();
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return speaks                       ? command::end_of_arguments(app, error)
               : error.get_exit_code() == 0 ? 0
                                            : to_int(exit_code::usage);
    }
    into.command = {program};
    for (const std::string& word : app.remaining()) into.command.push_back(word);
    const std::string why = why_refused(into.command);
    if (why.empty()) return -1;
    if (speaks) fmt::print(stderr, "error: {}\n", why);
    return to_int(exit_code::usage);
}

} // namespace ringproof::verify::ranks
