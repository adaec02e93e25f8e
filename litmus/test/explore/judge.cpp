// SPDX-License-Identifier: Apache-2.0
// ringproof_litmus_judge [--riscv] [--random N] [--cycles N] [--seed S] [--accesses K] [--time S] [FILE-or-DIR…]:
// compares the explorer with the cat simulator on AArch64 or RISC-V tests: those named, random programs, and generated
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

void compare_cycles(judge& j, int count, std::uint64_t seed) {
    using namespace cycles;
    const dialect& d = *find_dialect(j.dialect());
    selection s;
    s.size = 8;
    s.edges = matching_edges(d, "*");
    for (std::size_t m = 0; m < d.marks.size(); ++m) s.marks.push_back(static_cast<int>(m));
    random_cycles(d, s, seed, [&](const cycle& c) {
        try {
            const emitted_test t = emit(d, c, true);
            j.compare(t.name, t.text);
            --count;
        } catch (const bad_cycle&) { // needs more registers than there are
        }
        return count > 0;
    });
}

} // namespace

int main(int argc, char** argv) {
    int random = 0, cycles = 0;
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
    if (cycles > 0) compare_cycles(j, cycles, seed);
    return j.total();
}
