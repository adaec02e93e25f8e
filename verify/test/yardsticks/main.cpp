// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_yardsticks [filter] [--exact] [--slow] [--not-yet] [--max-seconds S] [--speed]
// compares the engine with what is known of the yardsticks and prints the table.
// Exit code: 0 all agree, 1 one does not, 2 usage, 4 --max-seconds ended one, 5 nothing matches the filter,
// 77 all that matches is skipped.

#include "golden.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/verify/explore.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string_view>

namespace yardsticks {
namespace {

namespace verify = ringproof::verify;

using ringproof::command::exit_code;

struct options {
    std::string_view filter;
    bool exact = false;   ///< the filter is a program's whole name
    bool slow = false;    ///< the slow sizes too
    bool not_yet = false; ///< run what is listed as not yet possible
    bool speed = false;
    double max_seconds = 0; ///< of one row; 0: none
};

struct measured {
    verify::exploration_result result;
    double cpu_seconds = 0;
};

const program* find(std::string_view name) {
    for (const auto family : {litmus_programs(), synthetic_programs(), lock_programs(), structure_programs(),
                              spsc_programs(), mpsc_programs()})
        for (const program& p : family)
            if (name == p.name) return &p;
    return nullptr;
}

const char* reason_not_yet(std::string_view name) {
    for (const not_yet& row : not_yet_rows())
        if (name == row.program) return row.reason;
    return nullptr;
}

bool chosen(const options& o, std::string_view name) {
    return o.exact ? name == o.filter : name.find(o.filter) != std::string_view::npos;
}

std::string instance_name(const program& p, const parameters& sizes) {
    std::string name = p.name;
    const std::array values = {sizes.a, sizes.b, sizes.c};
    for (unsigned i = 0; i < p.arity; ++i) name += (i == 0 ? "(" : ",") + std::to_string(values[i]);
    return p.arity == 0 ? name : name + ")";
}

std::optional<verify::memory_model> engine_model(model m) {
    switch (m) {
    case model::sc:
        return verify::memory_model::sc;
    case model::rc11:
        return verify::memory_model::rc11;
    case model::tso:
        return verify::memory_model::tso;
    case model::ra:
        return verify::memory_model::ra;
    default:
        return std::nullopt;
    }
}

/// What was found, in the words of golden.inc where it has one.
std::string found_verdict(const verify::exploration_result& r) {
    if (r.error.kind == verify::failure_kind::nothing) {
        if (r.stopped) return "stopped";
        if (!r.bounds.empty()) return "bounded";
        return r.executions == 0 ? "no execution" : "verified";
    }
    if (r.error.kind == verify::failure_kind::data_race) return "race";
    if (r.error.kind == verify::failure_kind::assertion) return "assertion";
    if (r.error.kind == verify::failure_kind::livelock) return "hangs";
    return r.error.message;
}

measured run(const program& p, const parameters& sizes, verify::memory_model m, double max_seconds,
             bool hangs_refute) {
    measured out;
    const std::clock_t begun = std::clock();
    out.result =
        verify::explore([&p, sizes] { p.body(sizes); },
                        {.model = m, .limits = {.seconds = max_seconds, .hangs_refute = hangs_refute}});
    out.cpu_seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    return out;
}

exit_code compare(const options& o) {
    unsigned agreed = 0;
    unsigned differ = 0;
    unsigned stopped = 0;
    unsigned skipped = 0;
    std::printf("%-34s %-5s %9s %9s %9s %9s %8s  %s\n", "program", "model", "expected", "found", "blocked",
                "pruned", "seconds", "verdict");
    for (const golden& row : golden_rows()) {
        if (!chosen(o, row.program) || (row.cost == size::slow && !o.slow)) continue;
        const program* p = find(row.program);
        if (!p) {
            std::fprintf(stderr, "golden.inc: no program is called \"%s\"\n", row.program);
            return exit_code::usage;
        }
        const std::string name = instance_name(*p, row.sizes);
        const std::string expected = row.executions ? std::to_string(*row.executions) : "any";
        const auto under = engine_model(row.under);
        const char* reason =
            under ? (o.not_yet ? nullptr : reason_not_yet(row.program)) : "the engine has no such model";
        if (reason) {
            ++skipped;
            std::printf("%-34s %-5s %9s %9s %9s %9s %8s  skipped: %s\n", name.c_str(), to_string(row.under),
                        expected.c_str(), "-", "-", "-", "-", reason);
            continue;
        }
        const bool hangs = row.expected == verdict::hangs;
        const measured m = run(*p, row.sizes, *under, o.max_seconds, !hangs);
        std::string found = found_verdict(m.result);
        if (hangs && found == "verified")
            found = found_verdict(run(*p, row.sizes, *under, o.max_seconds, true).result);
        const bool agrees =
            found == to_string(row.expected) && (!row.executions || *row.executions == m.result.executions);
        ++(agrees ? agreed : m.result.stopped ? stopped : differ);
        std::printf("%-34s %-5s %9s %9llu %9llu %9llu %8.3f  %s", name.c_str(), to_string(row.under),
                    expected.c_str(), static_cast<unsigned long long>(m.result.executions),
                    static_cast<unsigned long long>(m.result.blocked),
                    static_cast<unsigned long long>(m.result.pruned), m.cpu_seconds, found.c_str());
        if (!agrees) std::printf("  DIFFERS: expected %s", to_string(row.expected));
        std::printf("\n");
        std::fflush(stdout);
    }
    if (agreed + differ + stopped + skipped == 0) {
        std::fprintf(stderr, "no program matches \"%.*s\"\n", static_cast<int>(o.filter.size()),
                     o.filter.data());
        return exit_code::no_match;
    }
    std::printf("%u agree, %u differ, %u stopped, %u skipped\n", agreed, differ, stopped, skipped);
    if (differ != 0) return exit_code::refuted;
    if (stopped != 0) return exit_code::inconclusive;
    return agreed == 0 ? exit_code::skipped : exit_code::holds;
}

exit_code speed(const options& o) {
    double logarithms = 0;
    unsigned rows = 0;
    unsigned wrong = 0;
    std::printf("%-20s %10s %10s %12s %12s %7s\n", "program", "executions", "CPU s", "executions/s",
                "published", "ratio");
    for (const published& row : published_rows()) {
        if (!chosen(o, row.program)) continue;
        const program* p = find(row.program);
        if (!p) {
            std::fprintf(stderr, "golden.inc: no program is called \"%s\"\n", row.program);
            return exit_code::usage;
        }
        const std::string name = instance_name(*p, row.sizes);
        const char* reason = o.not_yet ? nullptr : reason_not_yet(row.program);
        if (reason) {
            std::printf("%-20s skipped: %s\n", name.c_str(), reason);
            continue;
        }
        const measured m = run(*p, row.sizes, verify::memory_model::rc11, o.max_seconds, false);
        const double rate = static_cast<double>(m.result.executions) / m.cpu_seconds;
        const std::string found = found_verdict(m.result);
        std::printf("%-20s %10llu %10.3f %12.0f %12.0f %7.2f", name.c_str(),
                    static_cast<unsigned long long>(m.result.executions), m.cpu_seconds, rate, row.rate(),
                    rate / row.rate());
        if (found == "verified" && m.result.executions == row.executions) {
            logarithms += std::log(rate / row.rate());
            ++rows;
        } else {
            ++wrong;
            std::printf("  left out of the mean: %llu executions expected, %s",
                        static_cast<unsigned long long>(row.executions), found.c_str());
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    if (rows + wrong == 0) return exit_code::no_match;
    if (rows > 0) std::printf("geometric mean of %u ratios: %.2f\n", rows, std::exp(logarithms / rows));
    return wrong == 0 ? exit_code::holds : exit_code::refuted;
}

exit_code usage(const char* complaint) {
    std::fprintf(
        stderr,
        "%s\nusage: ringproof_verify_yardsticks [filter] [--exact] [--slow] [--not-yet] [--max-seconds S] "
        "[--speed]\n",
        complaint);
    return exit_code::usage;
}

exit_code main(int argc, char** argv) {
    options o;
    bool filtered = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--exact") {
            o.exact = true;
        } else if (argument == "--slow") {
            o.slow = true;
        } else if (argument == "--not-yet") {
            o.not_yet = true;
        } else if (argument == "--speed") {
            o.speed = true;
        } else if (argument == "--max-seconds") {
            char* end = nullptr;
            o.max_seconds = i + 1 < argc ? std::strtod(argv[++i], &end) : 0;
            if (!end || *end != '\0' || !(o.max_seconds > 0))
                return usage("--max-seconds needs a positive number");
        } else if (argument.starts_with("-") || filtered) {
            return usage(("what is \"" + std::string(argument) + "\"?").c_str());
        } else {
            o.filter = argument;
            filtered = true;
        }
    }
    return o.speed ? speed(o) : compare(o);
}

} // namespace
} // namespace yardsticks

int main(int argc, char** argv) { return ringproof::command::to_int(yardsticks::main(argc, argv)); }
