// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_estimate_errors [STEPS] [SEEDS] [PROGRAM]
// Estimates the yardsticks, whose number of executions is known, and prints by which factor the estimates
// are off, and how often the truth is within their bounds where they say that they know it.
// Exit code: 0 good enough, 1 not, 2 usage.

#include "golden.hpp"
#include "program.hpp"

#include <ringproof/verify/sampling.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace yardsticks {
namespace {

namespace verify = ringproof::verify;

struct errors {
    std::vector<double> factors; ///< estimate / truth
    unsigned within = 0, known = 0;
    double middle() {
        std::sort(factors.begin(), factors.end());
        return factors[factors.size() / 2];
    }
    double typical() const { ///< the root mean square of the logarithms, as a factor
        double sum = 0;
        for (const double f : factors) sum += std::log(f) * std::log(f);
        return std::exp(std::sqrt(sum / static_cast<double>(factors.size())));
    }
};

bool skipped(std::string_view name) {
    for (const not_yet& row : not_yet_rows())
        if (name == row.program) return true;
    return false;
}

errors measure(const program& p, const parameters& sizes, double truth, std::uint64_t steps, unsigned seeds,
               bool evenly) {
    errors e;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        verify::estimation_options options;
        options.steps = steps;
        options.seed = seed;
        options.evenly = evenly;
        options.exploration.limits.hangs_refute = false;
        const verify::estimate found = verify::estimate_executions([&] { p.body(sizes); }, options);
        e.factors.push_back(found.executions / truth);
        if (!found.known) continue;
        ++e.known;
        if (found.low <= truth && truth <= found.high) ++e.within;
    }
    return e;
}

int main(int argc, char** argv) {
    const std::uint64_t steps = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000;
    const auto seeds = static_cast<unsigned>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 3);
    const std::string_view only = argc > 3 ? argv[3] : "";
    if (steps == 0 || seeds == 0) {
        std::fprintf(stderr, "usage: %s [STEPS] [SEEDS] [PROGRAM]\n", argv[0]);
        return 2;
    }
    unsigned rows = 0, within = 0, known = 0;
    double logarithms = 0, evenly_logarithms = 0;
    std::printf("%llu steps, %u seeds          learned                        evenly\n",
                static_cast<unsigned long long>(steps), seeds);
    std::printf("%-24s %10s  %7s %7s %6s   %7s %7s %6s\n", "program", "executions", "middle", "off by",
                "within", "middle", "off by", "within");
    for (const golden& row : golden_rows()) {
        if (row.under != model::rc11 || !row.executions || *row.executions < 1000 ||
            row.expected != verdict::verified || row.cost == size::slow)
            continue;
        const program* p = find_program(row.program);
        if (!p || skipped(row.program) || (!only.empty() && only != row.program)) continue;
        const auto truth = static_cast<double>(*row.executions);
        errors learned = measure(*p, row.sizes, truth, steps, seeds, false);
        errors even = measure(*p, row.sizes, truth, steps, seeds, true);
        std::printf("%-18s %d,%d,%d %10.0f  %7.2f %7.2f %3u/%-3u  %7.2f %7.2f %3u/%-3u\n", p->name,
                    row.sizes.a, row.sizes.b, row.sizes.c, truth, learned.middle(), learned.typical(),
                    learned.within, learned.known, even.middle(), even.typical(), even.within, even.known);
        std::fflush(stdout);
        ++rows;
        within += learned.within;
        known += learned.known;
        logarithms += std::log(learned.typical());
        evenly_logarithms += std::log(even.typical());
    }
    if (rows == 0) return 5;
    const double off = std::exp(logarithms / rows), evenly_off = std::exp(evenly_logarithms / rows);
    const double all = static_cast<double>(rows) * seeds, share = within / std::max(known * 1.0, 1.0);
    std::printf(
        "%u programs: off by a factor of %.2f (chosen evenly: %.2f); known in %.0f %% of the cases, and then "
        "%.0f %% within the bounds\n",
        rows, off, evenly_off, known / all * 100, share * 100);
    return off < evenly_off && share >= 0.9 && known / all > 0.6 ? 0 : 1;
}

} // namespace
} // namespace yardsticks

int main(int argc, char** argv) { return yardsticks::main(argc, argv); }
