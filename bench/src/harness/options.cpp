// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>

namespace ringproof::bench {

int parse(int argc, char** argv, options& out) {
    CLI::App app("Benchmarks of the ring, its peers and the physical limits, on this machine",
                 "ringproof bench");
    std::string where = "auto";
    auto* filter =
        app.add_option("FILTER", out.filter_text,
                       "regular expressions; a benchmark whose name contains a match of any is run");
    app.add_option("--placement", where,
                   "auto, a class (smt-sibling, same-l2, same-l3, same-package, other-package, "
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
    app.add_flag("--list", out.list, "names only");
    auto* peers = app.add_flag("--peers", out.peers,
                               "what each peer gives up: order, losslessness, sizes, processes, a death");
    app.add_flag("--markdown", out.markdown, "with --peers: as the table in docs/bench.md")->needs(peers);
    app.add_option("--repetitions", out.repetitions, "of each benchmark, interleaved over all of them")
        ->check(CLI::Range(1, 10000));
    app.add_option("--min-time", out.min_time, "seconds each measurement takes")
        ->check(CLI::Range(0.001, 60.0));
    app.add_option("--json", out.json,
                   "writes Google Benchmark's JSON with our counters ('-': standard output)");
    app.add_option(
           "--priority", out.priority,
           "of the measuring threads: normal, high (nice -20) or realtime (SCHED_FIFO), as far as permitted")
        ->transform(CLI::CheckedTransformer(std::map<std::string, urgency>{
            {"normal", urgency::normal}, {"high", urgency::high}, {"realtime", urgency::realtime}}))
        ->default_str("high");
    app.add_flag("!--no-limits", out.limits, "leaves out the physical limits");
    app.add_flag("--quiet", out.quiet, "no progress");
    app.add_flag_callback(
        "--version", [] { throw CLI::CallForVersion(command::version_line(), 0); }, "prints the version");
    app.add_option("--broken-peer", out.broken)->group(""); // hidden
    app.footer("`ringproof bench compare OLD.json NEW.json` tells what changed, with --fail-on for CI.\n"
               "exit codes: 0 measured · 1 a queue lost, reordered or damaged something · 2 usage · "
               "3 internal error · 4 threads never got to run · 5 nothing matched · 130 interrupted");
    try {
        app.parse(argc, argv);
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
    out.invocation.assign(argv, argv + argc);
    return -1;
}

bool matches(const options& o, const std::string& name) {
    return o.filters.empty() || std::any_of(o.filters.begin(), o.filters.end(),
                                            [&](const std::regex& r) { return std::regex_search(name, r); });
}

} // namespace ringproof::bench
