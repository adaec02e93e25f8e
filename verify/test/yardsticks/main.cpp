// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_yardsticks [filter] [--exact] [--slow] [--not-yet] [--max-seconds S] [--order N] [--speed]
// compares the engine with what is known of the yardsticks and prints the table; --speed measures it against a published
// checker instead: how many executions a second, and what takes long.
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
    bool symmetry = false;   ///< count executions in which alike threads change places, not explore them
    double max_seconds = 0;  ///< of one row; 0: none
    std::uint64_t order = 0; ///< exploration_limits::order_seed
};

struct measured {
    verify::exploration_result result;
    double cpu_seconds = 0;
    /// With those that are not explored as they stand for others.
    [[nodiscard]] std::uint64_t executions() const {
        return static_cast<std::uint64_t>(std::llround(result.permutations));
    }
};

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

measured run(const program& p, const parameters& sizes, verify::memory_model m, const options& o,
             bool hangs_refute, bool symmetry) {
    measured out;
    verify::exploration_options how;
    how.model = m;
    how.limits.seconds = o.max_seconds;
    how.limits.order_seed = o.order;
    how.limits.hangs_refute = hangs_refute;
    how.limits.reduce.symmetry = symmetry;
    const std::clock_t begun = std::clock();
    out.result = verify::explore([&p, sizes] { p.body(sizes); }, how);
    out.cpu_seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    return out;
}

/// Of several errors, each order of threads may meet another one first.
bool agree(const golden& row, const measured& m, const std::string& found, const options& o) {
    const bool other_error = o.order != 0 && row.expected != verdict::verified &&
                             m.result.error.kind != verify::failure_kind::nothing;
    return (found == to_string(row.expected) || other_error) &&
           (!row.executions || *row.executions == m.executions());
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
        const program* p = find_program(row.program);
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
        const measured m = run(*p, row.sizes, *under, o, !hangs, o.symmetry);
        std::string found = found_verdict(m.result);
        if (hangs && found == "verified")
            found = found_verdict(run(*p, row.sizes, *under, o, true, o.symmetry).result);
        const bool agrees = agree(row, m, found, o);
        ++(agrees ? agreed : m.result.stopped ? stopped : differ);
        std::printf("%-34s %-5s %9s %9llu %9llu %9llu %8.3f  %s", name.c_str(), to_string(row.under),
                    expected.c_str(), static_cast<unsigned long long>(m.executions()),
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

/// A row of a table of speeds up to its CPU seconds. @return nothing if it is not measured
std::optional<measured> speed_row(const options& o, const char* of, const parameters& sizes, bool symmetry) {
    if (!chosen(o, of)) return std::nullopt;
    const program* p = find_program(of);
    if (!p) {
        std::fprintf(stderr, "golden.inc: no program is called \"%s\"\n", of);
        std::exit(ringproof::command::to_int(exit_code::usage));
    }
    const std::string name = instance_name(*p, sizes);
    if (const char* reason = o.not_yet ? nullptr : reason_not_yet(of)) {
        std::printf("%-20s skipped: %s\n", name.c_str(), reason);
        return std::nullopt;
    }
    measured m = run(*p, sizes, verify::memory_model::rc11, o, false, symmetry);
    std::printf("%-20s %10llu %10.3f", name.c_str(), static_cast<unsigned long long>(m.result.executions),
                m.cpu_seconds);
    return m;
}

struct ratios {
    double logarithms = 0;
    unsigned rows = 0, wrong = 0;
    unsigned without = 0; ///< right, and the published checker's figure is not known

    /// Ends a row. `ratio` counts if the executions are those expected, and there is one.
    void add(const measured& m, std::uint64_t expected, std::optional<double> ratio) {
        const std::string found = found_verdict(m.result);
        if (found != "verified" || m.executions() != expected) {
            ++wrong;
            std::printf("  left out of the mean: %llu executions expected, %s",
                        static_cast<unsigned long long>(expected), found.c_str());
        } else if (ratio) {
            logarithms += std::log(*ratio);
            ++rows;
        } else {
            ++without;
        }
        std::printf("\n");
        std::fflush(stdout);
    }
    void print_mean() const {
        if (rows > 0) std::printf("geometric mean of %u ratios: %.2f\n", rows, std::exp(logarithms / rows));
    }
    [[nodiscard]] bool any() const { return rows + wrong + without > 0; }
};

ratios searches(const options& o) {
    ratios sum;
    std::printf("%-20s %10s %10s %12s %12s %7s\n", "program", "executions", "CPU s", "executions/s",
                "published", "ratio");
    for (const published& row : published_rows()) {
        const auto m = speed_row(o, row.program, row.sizes, o.symmetry);
        if (!m) continue;
        const double rate = static_cast<double>(m->result.executions) / m->cpu_seconds;
        std::printf(" %12.0f %12.0f %7.2f", rate, row.rate(), rate / row.rate());
        sum.add(*m, row.executions, rate / row.rate());
    }
    sum.print_mean();
    return sum;
}

/// What takes long: seconds are compared, not rates, as the executions may be fewer.
ratios shapes(const options& o) {
    ratios sum;
    std::printf("\n%-20s %10s %10s %12s %12s %12s %7s\n", "shape", "executions", "CPU s", "blocked",
                "published", "its CPU s", "ratio");
    const auto number = [](const auto& known, const char* format) {
        if (known)
            std::printf(format, *known);
        else
            std::printf(" %12s", "");
    };
    for (const shape& row : shape_rows()) {
        const auto m = speed_row(o, row.program, row.sizes, true);
        if (!m) continue;
        std::printf(" %12llu", static_cast<unsigned long long>(m->result.blocked));
        number(row.published_executions, " %12lu");
        number(row.published_seconds, " %12.2f");
        std::optional<double> ratio;
        const auto search = row.published_search();
        if (search && *search > 0 && m->cpu_seconds > 0) { // neither is too short to be measured
            ratio = *search / m->cpu_seconds;
            std::printf(" %7.2f", *ratio);
        }
        sum.add(*m, row.executions, ratio);
    }
    sum.print_mean();
    return sum;
}

exit_code speed(const options& o) {
    const ratios rates = searches(o), times = shapes(o);
    if (!rates.any() && !times.any()) return exit_code::no_match;
    return rates.wrong + times.wrong == 0 ? exit_code::holds : exit_code::refuted;
}

exit_code usage(const char* complaint) {
    std::fprintf(
        stderr,
        "%s\nusage: ringproof_verify_yardsticks [filter] [--exact] [--slow] [--not-yet] [--max-seconds S] "
        "[--order N] [--speed] [--symmetry]\n",
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
        } else if (argument == "--symmetry") {
            o.symmetry = true;
        } else if (argument == "--max-seconds") {
            char* end = nullptr;
            o.max_seconds = i + 1 < argc ? std::strtod(argv[++i], &end) : 0;
            if (!end || *end != '\0' || !(o.max_seconds > 0))
                return usage("--max-seconds needs a positive number");
        } else if (argument == "--order") {
            char* end = nullptr;
            o.order = i + 1 < argc ? std::strtoull(argv[++i], &end, 10) : 0;
            if (!end || *end != '\0' || o.order == 0) return usage("--order needs a positive number");
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
