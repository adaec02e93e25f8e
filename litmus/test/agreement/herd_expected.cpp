// SPDX-License-Identifier: Apache-2.0
// Runs the AArch64 tests of a checkout of herdtools7 and compares each with what is written beside it: final states and
// how many executions have the outcome (NAME.litmus.expected), or in a catalogue whether it is allowed (kinds.txt).
// Prints the tests that differ, and those that are refused, by reason.
//   herd_expected FOLDER... [--expected FOLDER] [--list]    exit 1: a test differs; 77: no folder is there
// With --expected the logs are in a folder of their own, as those of generated tests are, and registers are compared in
// their order: generators of several versions choose others. Without a folder: those of RINGPROOF_HERDTOOLS.
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace {

using namespace ringproof::litmus;
namespace fs = std::filesystem;

/// What is shown of an execution: name -> value, elements of arrays one by one.
using shown_state = std::map<std::string, std::string>;

struct expectation {
    std::vector<shown_state> states;
    std::string counts; ///< "Positive: 1 Negative: 2"
    std::string kind;   ///< of a catalogue; then there is nothing else
};

struct tally {
    std::size_t equal = 0, different = 0;
    std::size_t failing_cas = 0; ///< equal but for the number of executions in which a CAS fails
    std::map<std::string, std::vector<std::string>> refused; ///< reason -> tests
};

/// "[x]" and "x", "1:W0" and "1:X0" are one.
std::string plain_name(std::string name) {
    if (name.size() > 2 && name.front() == '[') name = name.substr(1, name.size() - 2);
    const std::size_t colon = name.find(':');
    if (colon != std::string::npos && colon + 1 < name.size() && name[colon + 1] == 'W')
        name[colon + 1] = 'X';
    return name;
}

/// "0:X1=0x1; t={0x1,0x2};"
shown_state parse_state(const std::string& line) {
    shown_state s;
    std::istringstream in(line);
    for (std::string one; std::getline(in, one, ';');) {
        one.erase(std::remove(one.begin(), one.end(), ' '), one.end());
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = plain_name(one.substr(0, equals)), text = one.substr(equals + 1);
        if (text.empty() || text.front() != '{') {
            s[name] = text;
            continue;
        }
        std::istringstream elements(text.substr(1, text.size() - 2));
        int k = 0;
        for (std::string element; std::getline(elements, element, ',');)
            s[fmt::format("{}[{}]", name, k++)] = element;
    }
    return s;
}

/// The registers of each thread as the first, the second, …: generators of several versions choose others.
shown_state without_registers(const shown_state& s) {
    shown_state numbered;
    std::map<std::string, int> registers;
    for (const auto& [name, v] : s) {
        const std::size_t colon = name.find(':');
        if (colon == std::string::npos) {
            numbered[name] = v;
            continue;
        }
        const std::string thread = name.substr(0, colon);
        numbered[fmt::format("{}:register {}", thread, registers[thread]++)] = v;
    }
    return numbered;
}

bool parse_number(const std::string& text, std::int64_t& n) {
    try {
        std::size_t used = 0;
        const bool negative = !text.empty() && text.front() == '-';
        const std::uint64_t bits = std::stoull(negative ? text.substr(1) : text, &used, 0);
        n = static_cast<std::int64_t>(negative ? 0 - bits : bits);
        return used + negative == text.size();
    } catch (const std::exception&) {
        return false;
    }
}

/// -1 and 0xffffffff are the same in four bytes, and what they are in is not in the log.
bool same_value(const std::string& a, const std::string& b) {
    std::int64_t x = 0, y = 0;
    if (!parse_number(a, x) || !parse_number(b, y)) return a == b;
    const auto fits = [](std::int64_t n, int bits) {
        return -(std::int64_t{1} << (bits - 1)) <= n && n < std::int64_t{1} << bits;
    };
    for (const int bits : {8, 16, 32})
        if (fits(x, bits) && fits(y, bits) && (x < 0) != (y < 0)) return ((x ^ y) << (64 - bits)) == 0;
    return x == y;
}

bool same_state(const shown_state& a, const shown_state& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
               return x.first == y.first && same_value(x.second, y.second);
           });
}

bool same_states(const std::vector<shown_state>& a, const std::vector<shown_state>& b) {
    const auto all_in = [](const std::vector<shown_state>& some, const std::vector<shown_state>& others) {
        return std::all_of(some.begin(), some.end(), [&](const shown_state& s) {
            return std::any_of(others.begin(), others.end(),
                               [&](const shown_state& o) { return same_state(s, o); });
        });
    };
    return a.size() == b.size() && all_in(a, b) && all_in(b, a);
}

expectation parse_log(std::istream& in) {
    expectation e;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("States ", 0) == 0) {
            const int states = std::stoi(line.substr(7));
            for (int k = 0; k < states && std::getline(in, line); ++k) e.states.push_back(parse_state(line));
        } else if (line.rfind("Positive: ", 0) == 0) {
            e.counts = line;
        }
    }
    return e;
}

/// As the reference's `kinds` are: whether the outcome is possible.
std::string kind_of(const test& t, const simulation& s) {
    if (t.final.how == condition::quantifier::forall) return s.negative == 0 ? "Required" : "Invalid";
    return s.positive != 0 ? "Allow" : "Forbid"; // some catalogues have Allowed and Forbidden
}

/// "" if it is as expected.
std::string difference(const test& t, const simulation& s, expectation e, bool by_order) {
    if (!s.complete) return "the time ran out";
    if (!e.kind.empty()) {
        const std::string got = kind_of(t, s);
        return e.kind.rfind(got, 0) == 0 ? "" : fmt::format("expected {}, got {}", e.kind, got);
    }
    std::vector<shown_state> states;
    for (const state& one : s.states) states.push_back(parse_state(state_text(s, one)));
    if (by_order)
        for (auto* list : {&states, &e.states})
            std::transform(list->begin(), list->end(), list->begin(), without_registers);
    const bool swapped = t.final.how == condition::quantifier::not_exists;
    const std::string counts = fmt::format("Positive: {} Negative: {}", swapped ? s.negative : s.positive,
                                           swapped ? s.positive : s.negative);
    std::string text;
    if (!same_states(states, e.states)) {
        text = fmt::format("{} states, expected {}", states.size(), e.states.size());
        for (const state& one : s.states) text += fmt::format("\n    {}", state_text(s, one));
    }
    if (counts != e.counts)
        text += fmt::format("{}{}, expected {}", text.empty() ? "" : "\n  ", counts, e.counts);
    return text;
}

/// The reason without what differs from test to test.
std::string reason_of(const std::string& error) {
    std::smatch parts;
    std::string reason = error;
    static const std::regex place("^.*\\.litmus:[0-9]+:[0-9]+: "), quoted("'[^']*'(\\+[0-9]+)?"),
        number("[0-9]+");
    if (std::regex_search(reason, parts, place)) reason = parts.suffix();
    reason = reason.substr(0, reason.find('\n'));
    static const std::regex instruction("instruction '([^']*)'");
    if (std::regex_search(reason, parts, instruction)) return fmt::format("instruction {}", parts[1].str());
    return std::regex_replace(std::regex_replace(reason, quoted, "'…'"), number, "N");
}

class judge {
  public:
    judge(std::string expected, bool lists) : expected_(std::move(expected)), lists_(lists) {}

    tally run(const fs::path& folder) {
        tally t;
        const std::map<std::string, std::string> kinds = kinds_in(folder);
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".litmus") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            expectation e;
            fs::path log = (expected_.empty() ? file.parent_path() : expected_) / file.filename();
            log += ".expected";
            if (std::ifstream in(log); in) {
                e = parse_log(in);
            } else if (const auto kind = kinds.find(file.stem().string()); kind != kinds.end()) {
                e.kind = kind->second;
            } else {
                continue;
            }
            judge_one(file, e, t);
        }
        return t;
    }

  private:
    /// "NAME KIND" a line.
    static std::map<std::string, std::string> kinds_in(const fs::path& folder) {
        std::map<std::string, std::string> kinds;
        std::ifstream in(folder / "kinds.txt");
        for (std::string name, kind; in >> name >> kind;) kinds[name] = kind;
        return kinds;
    }

    void judge_one(const fs::path& file, const expectation& e, tally& t) {
        try {
            const loaded_test loaded = load_test(read_source(file.string()), 2);
            if (loaded.text.dialect != "AArch64") return;
            limits l;
            l.seconds = 20;
            const simulation s = simulate(loaded.text, loaded.what, model_, l);
            if (s.bounded && s.positive + s.negative == 0) {
                t.refused["no execution ends within the bound of loops"].push_back(file.filename().string());
                return;
            }
            const std::string differs = difference(loaded.text, s, e, !expected_.empty());
            // herd7 up to 7.58 counts a CAS that fails and stores nothing twice, by what its result depends on, and so do
            // we; later ones once.
            const bool only_counts = differs.rfind("Positive", 0) == 0;
            const bool cas = only_counts && loaded.text.from.text.find("CAS") != std::string::npos;
            ++(differs.empty() ? t.equal : cas ? t.failing_cas : t.different);
            if (!differs.empty() && !cas) fmt::print("{}\n  {}\n", file.string(), differs);
            if (lists_ && s.seconds > 1) fmt::print("{}: {:.1f} s\n", file.string(), s.seconds);
        } catch (const std::exception& error) {
            t.refused[reason_of(error.what())].push_back(file.filename().string());
        }
    }

    fs::path expected_;
    bool lists_;
    model model_ = model::load("aarch64", {});
};

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> folders;
    std::string expected;
    bool lists = false;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == "--list")
            lists = true;
        else if (word == "--expected" && k + 1 < argc)
            expected = argv[++k];
        else if (fs::is_directory(word))
            folders.push_back(word);
        else
            fmt::print("no folder {}\n", word);
    }
    if (const char* checkout = std::getenv("RINGPROOF_HERDTOOLS"); checkout && folders.empty())
        for (const char* name : {"AArch64", "AArch64.ASL", "AArch64.mixed"})
            if (const fs::path folder = fs::path(checkout) / "herd/tests/instructions" / name;
                fs::is_directory(folder))
                folders.push_back(folder.string());
    if (folders.empty()) {
        fmt::print("skipped: RINGPROOF_HERDTOOLS names no checkout of herdtools7\n");
        return 77;
    }
    judge j(expected, lists);
    tally all;
    for (const std::string& folder : folders) {
        const tally t = j.run(folder);
        std::size_t refused = 0;
        for (const auto& [reason, tests] : t.refused) refused += tests.size();
        fmt::print("{}: {} equal, {} with other counts of a failing CAS, {} different, {} refused\n", folder,
                   t.equal, t.failing_cas, t.different, refused);
        for (const auto& [reason, tests] : t.refused) {
            auto& list = all.refused[reason];
            list.insert(list.end(), tests.begin(), tests.end());
        }
        all.equal += t.equal;
        all.different += t.different;
        all.failing_cas += t.failing_cas;
    }
    std::vector<std::pair<std::size_t, std::string>> reasons;
    std::size_t refused = 0;
    for (const auto& [reason, tests] : all.refused) {
        reasons.emplace_back(tests.size(), reason);
        refused += tests.size();
    }
    std::sort(reasons.rbegin(), reasons.rend());
    for (const auto& [count, reason] : reasons) {
        fmt::print("{:6} refused: {}\n", count, reason);
        if (!lists) continue;
        for (const std::string& name : all.refused[reason]) fmt::print("         {}\n", name);
    }
    fmt::print("all: {} equal, {} with other counts of a failing CAS, {} different, {} refused\n", all.equal,
               all.failing_cas, all.different, refused);
    return all.different == 0 && all.equal != 0 ? 0 : 1;
}
