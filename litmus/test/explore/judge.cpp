// SPDX-License-Identifier: Apache-2.0
// ringproof_litmus_judge [--riscv] [--random N] [--pairs N] [--cycles N] [--seed S] [--accesses K] [--time S] [FILE-or-DIR…]:
// compares the explorer with the cat simulator on AArch64 or RISC-V tests: those named, random programs, pairs of accesses in random surroundings, and generated
// cycles. Prints each
// difference and a total. Exit code 1 if anything differs, 77 if nothing was compared.
#include "../../src/cycle/choose.hpp"
#include "../../src/cycle/emit.hpp"
#include "comparison.hpp"
#include "random_aarch64.hpp"
#include "random_riscv.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

using namespace ringproof::litmus;

namespace {

namespace fs = std::filesystem;

class judge {
  public:
    judge(std::string dialect, double seconds) : dialect_(std::move(dialect)), seconds_(seconds) {}
    const std::string& dialect() const { return dialect_; }

    void compare(const std::string& name, const std::string& text) {
        const comparison c = compare_engines(name, text, model_, 2, seconds_);
        ++of_[static_cast<std::size_t>(c.what)];
        if (c.what == comparison::outcome::refused) fmt::print("refused {}: {}\n", name, c.message);
        if (c.what == comparison::outcome::too_long)
            fmt::print("left out {}: simulator {:.1f} s, explorer {:.1f} s\n", name, c.simulator_seconds,
                       c.explorer_seconds);
        if (c.what == comparison::outcome::different && ++shown_ <= 5)
            fmt::print("different {}:\n{}\n{}\n", name, text, c.message);
        executions_ += c.executions;
        blocked_ += c.blocked;
        parts_ += c.parts;
        simulator_ += c.simulator_seconds;
        explorer_ += c.explorer_seconds;
    }
    /// @returns the exit code
    int total() const {
        using outcome = comparison::outcome;
        const auto count = [&](outcome o) { return of_[static_cast<std::size_t>(o)]; };
        const std::size_t compared = count(outcome::equal) + count(outcome::different);
        fmt::print("{} tests compared, {} different; {} refused, {} left out\n", compared,
                   count(outcome::different), count(outcome::refused), count(outcome::too_long));
        fmt::print("{} executions, {} blocked, {} parts; simulator {:.1f} s, explorer {:.1f} s\n",
                   executions_, blocked_, parts_, simulator_, explorer_);
        return count(outcome::different) != 0 ? 1 : compared == 0 ? 77 : 0;
    }

  private:
    std::string dialect_;
    model model_ = model::load(dialect_ == "RISCV" ? "riscv" : "aarch64", {});
    double seconds_;
    std::size_t of_[4] = {}, shown_ = 0;
    std::uint64_t executions_ = 0, blocked_ = 0, parts_ = 0;
    double simulator_ = 0, explorer_ = 0;
};

void compare_files(judge& j, const fs::path& path) {
    std::vector<fs::path> files;
    if (fs::is_directory(path)) {
        for (const auto& entry : fs::recursive_directory_iterator(path))
            if (entry.path().extension() == ".litmus") files.push_back(entry.path());
    } else if (fs::exists(path)) {
        files.push_back(path);
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const source s = read_source(file.string());
        if (s.text.starts_with(j.dialect())) j.compare(file.string(), s.text);
    }
}

/// Cycles of a few kinds of edges at a time: an order that a model lacks shows only where everything else is ordered,
/// and of the whole alphabet such cycles are rare.
class focused_cycles {
  public:
    focused_cycles(judge& j, std::uint64_t seed)
        : judge_(j), dialect_(*cycles::find_dialect(j.dialect())),
          all_(cycles::matching_edges(dialect_, "*")), random_(seed) {}

    void compare(int count) {
        for (left_ = count; left_ > 0;) {
            const cycles::selection s = choose();
            int of_these = 12;
            cycles::random_cycles(dialect_, s, random_(), [&](const cycles::cycle& c) {
                one(c);
                return left_ > 0 && --of_these > 0;
            });
        }
    }

  private:
    void add(cycles::selection& s, const std::string& pattern) const {
        for (const cycles::edge& e : cycles::matching_edges(dialect_, pattern)) s.edges.push_back(e);
    }
    /// What orders everything, and a few edges of other kinds.
    cycles::selection choose() {
        cycles::selection s;
        for (const char* pattern : {"Rfe", "Fre", "Coe", "DpAddrdR", "DpDatadW"}) add(s, pattern);
        add(s, dialect_.name == "RISCV" ? "Fence.rw.rwd*" : "DMB.SYd*");
        static const std::vector<std::string> others{"Rfi", "Rfi",     "Fri",     "Coi",      "PosRR", "Pos*",
                                                     "Rmw", "DpCtrl*", "DpAddr*", "DpDatas*", "Pod*"};
        for (int k = 0; k < 2; ++k) add(s, others[random_() % others.size()]);
        s.edges.push_back(all_[random_() % all_.size()]);
        if (random_() % 2 == 0) s.marks.push_back(static_cast<int>(random_() % dialect_.marks.size()));
        s.size = static_cast<int>(5 + random_() % 4);
        s.accesses = 5;
        return s;
    }
    void one(const cycles::cycle& c) {
        try {
            const cycles::emitted_test t = cycles::emit(dialect_, c, true);
            if (!seen_.insert(c.words).second) return;
            judge_.compare(t.name, t.text);
            --left_;
        } catch (const cycles::bad_cycle&) { // needs more registers than there are
        }
    }

    judge& judge_;
    const cycles::dialect& dialect_;
    std::vector<cycles::edge> all_;
    std::mt19937_64 random_;
    std::set<std::string> seen_;
    int left_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    int random = 0, pairs = 0, cycles = 0;
    unsigned seed = 1, accesses = 6;
    double seconds = 5;
    bool riscv = false;
    std::vector<std::string> paths;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        const auto number = [&] { return std::stoi(k + 1 < argc ? argv[++k] : ""); };
        if (word == "--riscv")
            riscv = true;
        else if (word == "--random")
            random = number();
        else if (word == "--pairs")
            pairs = number();
        else if (word == "--cycles")
            cycles = number();
        else if (word == "--seed")
            seed = static_cast<unsigned>(number());
        else if (word == "--accesses")
            accesses = static_cast<unsigned>(number());
        else if (word == "--time")
            seconds = number();
        else
            paths.push_back(word);
    }
    judge j(riscv ? "RISCV" : "AArch64", seconds);
    for (const std::string& path : paths) compare_files(j, path);
    std::mt19937 engine(seed);
    for (int k = 0; k < random; ++k)
        j.compare(fmt::format("random {}", k),
                  riscv ? random_riscv(engine, accesses) : random_aarch64(engine, accesses));
    for (int k = 0; k < pairs; ++k)
        j.compare(fmt::format("pair {}", k), riscv ? surrounded_riscv(engine) : surrounded_aarch64(engine));
    focused_cycles(j, seed).compare(cycles);
    return j.total();
}
