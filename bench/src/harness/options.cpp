// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/typed_command.hpp>

namespace ringproof::bench {

static void add_measurement(CLI::App& app, options& out, std::string& priority) {
    app.add_option("--repetitions", out.repetitions,
                   "measure each benchmark N times, interleaved with all others; default: what fits the time")
        ->type_name("N")
        ->check(CLI::Range(1, 10000));
    app.add_option("--min-time", out.min_time,
                   "let each measurement take S seconds; default: 0.1, with --quick 0.04")
        ->type_name("S")
        ->check(CLI::Range(0.001, 60.0));
    app.add_option(
           "--json", out.json,
           "write the results as Google Benchmark's JSON with counters of our own; - is standard output")
        ->type_name("FILE");
    app.add_option("--priority", priority,
                   "priority of the measuring threads, as far as permitted: normal, high (nice -20) or "
                   "realtime (SCHED_FIFO)")
        ->check(CLI::IsMember({"normal", "high", "realtime"}))
        ->capture_default_str();
}

int parse(int argc, char** argv, options& out) {
    CLI::App app("Benchmarks of the ring, its peers and the physical limits, on this machine",
                 "ringproof bench");
    std::string where = "auto", priority = "high";
    auto* filter = app.add_option("FILTER", out.filter_text,
                                  "run only benchmarks whose name matches one of these regular expressions")
                       ->type_name("REGEX");
    app.add_option(
           "--placement", where,
           "where threads run: auto, a class (smt-sibling, same-l2, same-l3, same-package, other-package, "
           "oversubscribed), or producers' CPUs and consumer's CPU: 0,2:1")
        ->capture_default_str();
    auto* quick =
        app.add_flag("--quick", out.quick,
                     "under a minute: the main workloads, shorter, fewer repetitions, one placement");
    app.add_flag("--full", out.full, "everything, 15 repetitions; says beforehand how long it takes")
        ->excludes(quick);
    app.add_flag("--recommend", out.recommend,
                 "about a minute: which of ringproof's own queues and rings to use on this machine, as lines "
                 "to paste")
        ->excludes(quick)
        ->excludes(filter);
    app.add_flag("--list", out.list, "list the names of the benchmarks, and run none");
    auto* peers = app.add_flag(
        "--peers", out.peers, "list what each peer gives up: order, losslessness, sizes, processes, a death");
    app.add_flag("--markdown", out.markdown, "with --peers: print the table in Markdown")->needs(peers);
    add_measurement(app, out, priority);
    app.add_flag("!--no-limits", out.limits, "leave out the physical limits of the machine");
    app.add_flag("--quiet", out.quiet, "show no progress");
    app.add_option("--broken-peer", out.broken)->group(""); // hidden
    app.footer("`ringproof bench compare OLD.json NEW.json` tells what changed, with --fail-on for CI.\n"
               "exit codes: 0 measured · 1 a queue lost, reordered or damaged something · 2 usage · "
               "3 internal error · 4 threads never got to run · 5 nothing matched · 130 interrupted");
    command::add_common_options(app, {{"compare", "tell what changed between two results of --json"}});
    try {
        app.parse(argc, argv);
        out.priority = priority == "normal" ? urgency::normal
                       : priority == "high" ? urgency::high
                                            : urgency::realtime;
        out.where = parse_placement(where);
        for (const std::string& text : out.filter_text) {
            try {
                out.filters.emplace_back(text);
            } catch (const std::regex_error& e) {
                throw CLI::ValidationError("FILTER", "'" + text + "' is no regular expression: " + e.what());
            }
        }
    } catch (const CLI::ParseError& e) {
        return ringproof::command::end_of_arguments(app, e);
    } catch (const std::invalid_argument& e) {
        std::cerr << "ringproof bench: --placement: " << e.what() << '\n';
        return command::to_int(command::exit_code::usage);
    }
    out.invocation = command::typed_command("bench", argc, argv);
    return -1;
}

bool matches(const options& o, const std::string& name) {
    return o.filters.empty() || std::any_of(o.filters.begin(), o.filters.end(),
                                            [&](const std::regex& r) { return std::regex_search(name, r); });
}

} // namespace ringproof::bench
