// SPDX-License-Identifier: Apache-2.0
// Runs every row of the tables of expected verdicts and compares observation, final states, positive
// and negative executions, and flags. Prints how many agree, per model, and how long it took.
//   agreement FOLDER [MODEL [SUBSTRING]]   exit 77: the folder is not there
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace ringproof::litmus;
namespace fs = std::filesystem;
using clock_type = std::chrono::steady_clock;

struct tally {
    int agree = 0, unpaired = 0, different = 0, total = 0;
    double seconds = 0;
};

/// Rows in which we differ from the reference on purpose, and why.
const std::map<std::string, std::string>& differences() {
    static const std::map<std::string, std::string> rows{
        {"x86tso x86/diy/R+lockR+po.litmus", "the reference does not order the load and the store of X86's "
                                             "XCHG, so that one of its executions has the "
                                             "load read what comes after the store"}};
    return rows;
}

/// Our name of a model of the tables; "" if it is none of ours.
std::string our_name(const std::string& theirs) {
    static const std::map<std::string, std::string> names{
        {"sc", "sc"},     {"x86tso", "x86-tso"},    {"aarch64", "aarch64"}, {"riscv", "riscv"},
        {"rc11", "rc11"}, {"c11_partialSC", "c11"}, {"lkmm", "lkmm"}};
    const auto at = names.find(theirs);
    return at == names.end() ? "" : at->second;
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    fields.resize(9);
    return fields;
}

std::string flags_of(const simulation& s) {
    std::string text;
    for (const std::string& flag : s.flags) {
        const std::string name = flag.rfind("undefined:", 0) == 0 ? "*undef*" : flag;
        if (text.find(name) == std::string::npos) text += (text.empty() ? "" : ",") + name;
    }
    return text;
}

/// The families made to explode: final states and executions, for those that the reference finishes.
tally run_scaling(const fs::path& folder) {
    static const std::map<std::string, std::string> names{
        {"X86", "x86-tso"}, {"AArch64", "aarch64"}, {"c11", "c11"}, {"lkmm", "lkmm"}};
    tally t;
    std::ifstream in(folder / "expected-scaling.tsv");
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        const std::vector<std::string> row = split(line);
        ++t.total;
        const auto begin = clock_type::now();
        const loaded_test loaded =
            load_test(read_source((folder / "scaling" / (row[0] + ".litmus")).string()), 2);
        const simulation s = simulate(loaded.text, loaded.what, model::load(names.at(row[1]), {}), {});
        t.seconds += std::chrono::duration<double>(clock_type::now() - begin).count();
        const std::string got = fmt::format("{} {} {} {}", observation(s.positive, s.negative),
                                            s.states.size(), s.positive, s.negative);
        const std::string expected = fmt::format("{} {} {} {}", row[2], row[3], row[5], row[6]);
        if (row[2] == "-" || got == expected)
            ++t.agree;
        else
            fmt::print("{}\n  expected {}\n  got      {}\n", row[0], expected, got);
    }
    return t;
}

std::string verdict(const loaded_test& loaded, const model& m) {
    limits l;
    l.seconds = 10;
    const simulation s = simulate(loaded.text, loaded.what, m, l);
    return fmt::format("{} states {} positive {} negative {} flags '{}'{}",
                       observation(s.positive, s.negative), s.states.size(), s.positive, s.negative,
                       flags_of(s), s.complete ? "" : " TIMEOUT");
}

const model& without_atomic(const std::string& name) {
    static std::map<std::string, model> models;
    if (models.count(name) == 0) {
        cat::setting s;
        s.skipped_checks.insert("atomic");
        models.emplace(name, model::load(name, s));
    }
    return models.at(name);
}

} // namespace

int main(int argc, char** argv) {
    const fs::path folder = argc > 1 ? argv[1] : "";
    const std::string only = argc > 2 ? argv[2] : "", part = argc > 3 ? argv[3] : "";
    if (!fs::is_directory(folder)) {
        fmt::print("skipped: there is no folder '{}' with the tables of expected verdicts\n",
                   folder.string());
        return 77;
    }
    std::map<std::string, tally> tallies;
    std::map<std::string, model> models;
    std::map<std::string, int> unsupported;
    for (const char* table : {"x86", "c-rc11", "aarch64", "riscv", "lkmm"}) {
        std::ifstream in(folder / fmt::format("expected-{}.tsv", table));
        std::string line, last_file;
        std::getline(in, line);
        loaded_test loaded;
        bool usable = false;
        while (std::getline(in, line)) {
            const std::vector<std::string> row = split(line);
            const std::string ours = our_name(row[1]);
            if (ours.empty() || (!only.empty() && only != row[1]) || row[0].find(part) == std::string::npos)
                continue;
            tally& t = tallies[row[1]];
            ++t.total;
            const auto begin = clock_type::now();
            try {
                if (models.count(ours) == 0) models.emplace(ours, model::load(ours, {}));
                if (last_file != row[0]) {
                    usable = false;
                    last_file = row[0];
                    loaded = load_test(read_source((folder / row[0]).string()), 2);
                    usable = true;
                }
                if (!usable) continue;
                const std::string got = verdict(loaded, models.at(ours));
                // A remark on how the reference reads DMB ISH is no verdict.
                const std::string flags = row[8] == "Assuming-common-inner-shareable-domain" ? "" : row[8];
                const std::string expected = fmt::format("{} states {} positive {} negative {} flags '{}'",
                                                         row[2], row[4], row[5], row[6], flags);
                if (got == expected) {
                    ++t.agree;
                } else if (std::string(table) == "x86" && verdict(loaded, without_atomic(ours)) == expected) {
                    ++t.agree;
                    ++t.unpaired;
                } else if (const auto known = differences().find(row[1] + " " + row[0]);
                           known != differences().end()) {
                    ++t.different;
                    fmt::print("{} {}\n  reference {}\n  ours      {}\n  {}\n", row[1], row[0], expected, got,
                               known->second);
                } else
                    fmt::print("{} {}\n  expected {}\n  got      {}\n", row[1], row[0], expected, got);
            } catch (const std::exception& error) {
                fmt::print("{} {}: {}\n", row[1], row[0], error.what());
            }
            t.seconds += std::chrono::duration<double>(clock_type::now() - begin).count();
        }
    }
    if (only.empty()) tallies["scaling"] = run_scaling(folder);
    bool all = !tallies.empty();
    double seconds = 0;
    for (const auto& [name, t] : tallies) {
        fmt::print("{:<14} {} of {} rows agree, {:.3f} s\n", name, t.agree, t.total, t.seconds);
        if (t.unpaired)
            fmt::print(
                "               {} of them with --skip-checks atomic: the reference does not pair the load "
                "and "
                "the store of X86's XCHG, and counts executions in which another store comes between\n",
                t.unpaired);
        all = all && t.agree + t.different == t.total;
        seconds += t.seconds;
    }
    fmt::print("all            {:.3f} s\n", seconds);
    return all ? 0 : 1;
}
