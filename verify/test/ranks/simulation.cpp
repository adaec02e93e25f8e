// SPDX-License-Identifier: Apache-2.0
// ringproof_verify_ranks_simulation [DAYS] [PROGRAM]
// Searches of programs whose trees were recorded, on machines that there are not: 16 to 4,096 of them, some of which die.
// The tree is that of the program; its executions are as long as a search of so many CPU days wants.
// Exit code: 0, or 1 where something was not searched once, or 1,024 machines are used to less than nine tenths.

#include "golden.hpp"
#include "machines.hpp"
#include "program.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

namespace {

using namespace ringproof::verify::ranks;

constexpr std::size_t smallest = 20'000, largest = 1'000'000, wanted = 10;

/// Of each program the first row that is large enough.
std::vector<recorded_tree> record_all(std::string_view only) {
    std::vector<recorded_tree> trees;
    std::set<std::string_view> seen;
    for (const yardsticks::golden& row : yardsticks::golden_rows()) {
        const bool fits = row.under == yardsticks::model::rc11 && row.executions &&
                          *row.executions >= smallest && *row.executions <= largest &&
                          row.expected == yardsticks::verdict::verified;
        const yardsticks::program* p = yardsticks::find_program(row.program);
        if (!fits || !p || (!only.empty() && only != row.program) || !seen.insert(row.program).second)
            continue;
        try {
            trees.push_back(record(
                row.program, [&] { p->body(row.sizes); }, largest));
        } catch (const std::runtime_error& error) {
            std::printf("left out: %s\n", error.what());
            continue;
        }
        std::printf("%-20s %9zu executions\n", row.program, trees.back().leaves.size());
        std::fflush(stdout);
        if (trees.size() == wanted) break;
    }
    return trees;
}

} // namespace

int main(int argc, char** argv) {
    const double days = argc > 1 ? std::strtod(argv[1], nullptr) : 1;
    if (!(days > 0)) {
        std::fprintf(stderr, "usage: %s [DAYS] [PROGRAM]\n", argv[0]);
        return 2;
    }
    const std::vector<recorded_tree> trees = record_all(argc > 2 ? argv[2] : "");
    if (trees.empty()) return 5;
    bool good = true;
    std::printf("\n%-20s %6s %10s %11s %8s %9s %7s %7s\n", "program", "ranks", "seconds", "efficiency",
                "parts", "messages", "deaths", "rank 0");
    for (const unsigned ranks : {16u, 64u, 256u, 1024u, 4096u}) {
        double logarithms = 0;
        for (const recorded_tree& tree : trees) {
            cluster machines;
            machines.ranks = ranks;
            machines.dying = 0.01;
            const recorded_tree big = scaled(tree, days * 86'400);
            const simulated s = simulate(big, machines, 1);
            const bool once = std::abs(s.searched / big.before.back() - 1) < 1e-6;
            good = good && once;
            logarithms += std::log(s.efficiency);
            std::printf("%-20s %6u %10.1f %11.3f %8llu %9llu %7llu %6.0f%%%s\n", tree.name.c_str(), ranks,
                        s.seconds, s.efficiency, static_cast<unsigned long long>(s.parts),
                        static_cast<unsigned long long>(s.messages),
                        static_cast<unsigned long long>(s.deaths), 100 * s.served / s.seconds,
                        once ? "" : "  NOT ONCE");
            std::fflush(stdout);
        }
        const double mean = std::exp(logarithms / static_cast<double>(trees.size()));
        std::printf("%-20s %6u %10s %11.3f\n\n", "geometric mean", ranks, "", mean);
        if (ranks == 1024 && mean < 0.9) good = false;
    }
    return good ? 0 : 1;
}
