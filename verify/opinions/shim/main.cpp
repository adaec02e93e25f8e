// SPDX-License-Identifier: Apache-2.0
// The command line that all second opinions share; `ringproof verify --second-opinion` calls it.
//
//     PROGRAM --about                          who it is, as JSON
//     PROGRAM --list                           the names of its scenarios, one a line
//     PROGRAM --scenario NAME --scheduler S [--time S] [--runs N] [--seed N] [--context-bound N]
//                                              searches, and prints what it has found, as JSON

#include "checker.hpp"

#include <ringproof/command/exit_code.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ringproof::opinions {

namespace {

using command::exit_code;
using nlohmann::json;

/// Where the answer goes, whatever becomes of standard output.
int answer = STDOUT_FILENO;

void print(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(answer, text.data() + done, text.size() - done);
        if (n <= 0) _exit(to_int(exit_code::internal));
        done += static_cast<std::size_t>(n);
    }
}

int usage(const std::string& what) {
    std::fprintf(stderr, "%s: %s\n", this_checker().name, what.c_str());
    return to_int(exit_code::usage);
}

json about() {
    const checker& self = this_checker();
    if (!self.absent.empty()) return {{"tool", self.name}, {"absent", self.absent}};
    if (!self.unusable.empty()) return {{"tool", self.name}, {"unusable", self.unusable}};
    return {{"tool", self.name}, {"schedulers", self.schedulers}, {"cannot_see", self.bounds}};
}

json told(const search_result& found) {
    json all{{"bug", found.bug},
             {"finished", found.finished},
             {"runs", found.runs},
             {"seconds", found.seconds},
             {"words", found.words}};
    if (found.executions) all["executions"] = *found.executions;
    if (!found.place.empty()) all["place"] = found.place;
    if (!found.history.empty()) all["history"] = found.history;
    return all;
}

int run(int argc, char** argv) {
    std::string scenario;
    search_options options;
    options.scheduler = this_checker().schedulers.front();
    options.runs = 100'000;
    options.context_bound = 2;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--about") return print(about().dump() + "\n"), to_int(exit_code::holds);
        if (word == "--list") {
            for (const named_scenario& one : scenarios()) print(one.name + "\n");
            return to_int(exit_code::holds);
        }
        if (i + 1 == argc) return usage("'" + std::string(word) + "' is no option, or has no value");
        const char* value = argv[++i];
        if (word == "--scenario")
            scenario = value;
        else if (word == "--scheduler")
            options.scheduler = value;
        else if (word == "--time")
            options.seconds = std::strtod(value, nullptr);
        else if (word == "--runs")
            options.runs = std::strtoull(value, nullptr, 10);
        else if (word == "--seed")
            options.seed = std::strtoull(value, nullptr, 10);
        else if (word == "--context-bound")
            options.context_bound = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
        else
            return usage("'" + std::string(word) + "' is no option");
    }
    if (options.runs == 0 || options.seed == 0) return usage("--runs and --seed take a number above 0");
    const auto& known = this_checker().schedulers;
    if (std::find(known.begin(), known.end(), options.scheduler) == known.end())
        return usage("it has no scheduler '" + options.scheduler + "'");
    for (const named_scenario& one : scenarios()) {
        if (one.name != scenario) continue;
        answer = dup(STDOUT_FILENO); // a scenario, or the checker, may print too
        dup2(STDERR_FILENO, STDOUT_FILENO);
        print(told(search(one, options)).dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
        std::fflush(nullptr);
        _exit(to_int(exit_code::holds)); // what the scenario left behind is not cleaned up
    }
    return to_int(exit_code::no_match);
}

} // namespace

void cannot_express(const char* what) {
    running = nullptr;
    if (on_cannot_express) on_cannot_express(what);
    print(json{{"not_expressible", what}}.dump() + "\n");
    _exit(to_int(exit_code::holds));
}

} // namespace ringproof::opinions

int main(int argc, char** argv) { return ringproof::opinions::run(argc, argv); }
