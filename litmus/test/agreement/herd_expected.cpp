// SPDX-License-Identifier: Apache-2.0
// Runs a collection of litmus tests, each under the model of its dialect, and compares with what herd7 says: the final
// states, and how many executions have the outcome. What herd7 says lies beside the test (NAME.litmus.expected), or in
// a catalogue whether the outcome is allowed (kinds.txt); otherwise herd7 is asked, if RINGPROOF_HERD7 names it.
// Prints the tests that differ, and those that are refused, by reason; and a row for each folder.
//   herd_expected FOLDER... [--expected FOLDER] [--keep FOLDER] [--time S] [--cat MODEL FILE] [--bell FILE] [--list]
//   exit 1: a test differs; 77: no folder is there
// With --expected the logs are in a folder of their own, as those of generated tests are, and registers are compared in
// their order. With --keep what herd7 says is kept in a folder, and herd7 not asked again. --time is for each test, and
// for herd7 of CPU time. With --cat our model MODEL is read from FILE, herd7's own, after the files of --bell. A difference
// that this removes is one of the models, not of the simulators. Without a folder: those in RINGPROOF_LITMUS_COLLECTIONS (A:B:C), and the
// instructions of the checkout of herdtools7 in RINGPROOF_HERDTOOLS. RINGPROOF_LINUX_MODEL names the kernel's
// tools/memory-model.
#include "../../src/frontend/front_ends.hpp"
#include "herd7.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>

namespace {

using namespace ringproof::litmus;
using namespace ringproof::litmus::agreement;
namespace fs = std::filesystem;

struct tally {
    std::size_t files = 0, equal = 0, other_counts = 0, different = 0;
    std::size_t failing_cas = 0; ///< other counts, but of executions in which a CAS fails
    std::size_t out_of_time = 0; ///< for us
    using by_reason = std::map<std::string, std::vector<std::string>>;
    by_reason refused;    ///< by us: reason -> tests
    by_reason unanswered; ///< by herd7

    static std::size_t count(const by_reason& tests) {
        std::size_t n = 0;
        for (const auto& [reason, named] : tests) n += named.size();
        return n;
    }
    static void add(by_reason& to, const by_reason& from) {
        for (const auto& [reason, tests] : from)
            to[reason].insert(to[reason].end(), tests.begin(), tests.end());
    }
    void add(const tally& o) {
        files += o.files;
        equal += o.equal;
        other_counts += o.other_counts;
        different += o.different;
        failing_cas += o.failing_cas;
        out_of_time += o.out_of_time;
        add(refused, o.refused);
        add(unanswered, o.unanswered);
    }
    std::string printed() const {
        return fmt::format(
            "{} tests: {} equal, {} with other counts, {} of them of a failing CAS, {} different, {} "
            "out of time, {} without an answer of herd7, {} refused",
            files, equal, other_counts, failing_cas, different, out_of_time, count(unanswered),
            count(refused));
    }
};

struct options {
    std::vector<std::string> folders;
    std::string expected;
    std::string kept;
    std::map<std::string, std::string> cats; ///< our model -> the file that is read for it
    std::vector<std::string> bells;          ///< files read before those
    double seconds = 20;
    bool lists = false;
};

/// The reason without what differs from test to test.
std::string reason_of(const std::string& error) {
    std::smatch parts;
    std::string reason = error;
    static const std::regex place("^.*\\.litmus:[0-9]+:[0-9]+: "), quoted("'[^']*'(\\+[0-9]+)?"),
        number("[0-9]+");
    if (std::regex_search(reason, parts, place)) reason = parts.suffix();
    reason = reason.substr(0, reason.find('\n'));
    static const std::regex named("(instruction|dialect) '([^']*)'");
    if (std::regex_search(reason, parts, named)) return fmt::format("{} {}", parts[1].str(), parts[2].str());
    return std::regex_replace(std::regex_replace(reason, quoted, "'…'"), number, "N");
}

/// What herd7 takes as a test's name.
std::string herd_name(const std::string& name) {
    const std::string word = name.substr(0, name.find_first_of(" \t"));
    return word.ends_with(".litmus") ? word.substr(0, word.size() - 7) : word;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

class judge {
  public:
    explicit judge(const options& o) : options_(o), herd7_(o.seconds, o.kept) {}

    tally run(const fs::path& folder) {
        tally t;
        const std::map<std::string, std::string> kinds = kinds_in(folder);
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".litmus") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        std::vector<unanswered> some; // so many at once that memory holds them
        constexpr std::size_t most = 200;
        for (const fs::path& file : files) {
            std::optional<expectation> e;
            fs::path log = (options_.expected.empty() ? file.parent_path() : fs::path(options_.expected)) /
                           file.filename();
            log += ".expected";
            if (std::ifstream in(log); in)
                e = parse_log(in);
            else if (const auto kind = kinds.find(file.stem().string()); kind != kinds.end())
                e = expectation{{}, "", kind->second, {}, ""};
            else if (!herd7_.there())
                continue;
            ++t.files;
            if (auto simulated = simulate_one(file, t); !simulated)
                continue;
            else if (e)
                compare(*simulated, *e, t);
            else
                some.push_back(std::move(*simulated));
            if (some.size() == most) ask_about(some, t);
        }
        ask_about(some, t);
        return t;
    }

  private:
    struct unanswered {
        fs::path file;
        std::string model;
        loaded_test loaded;
        simulation ours;
    };

    /// "NAME KIND" a line.
    static std::map<std::string, std::string> kinds_in(const fs::path& folder) {
        std::map<std::string, std::string> kinds;
        std::ifstream in(folder / "kinds.txt");
        for (std::string name, kind; in >> name >> kind;) kinds[name] = kind;
        return kinds;
    }

    const model& model_of(const std::string& name) {
        const auto at = models_.find(name);
        if (at != models_.end()) return at->second;
        const auto cat = options_.cats.find(name);
        const std::string& read = cat != options_.cats.end() ? cat->second : name;
        cat::setting setting;
        if (cat != options_.cats.end()) setting.libraries = options_.bells;
        return models_.emplace(name, model::load(read, setting)).first->second;
    }

    std::optional<unanswered> simulate_one(const fs::path& file, tally& t) {
        try {
            unanswered u{file, "", load_test(read_source(file.string()), 2), {}};
            u.model = models_for(u.loaded).front();
            limits l;
            l.seconds = options_.seconds;
            u.ours = simulate(u.loaded.text, u.loaded.what, model_of(u.model), l);
            if (options_.lists && u.ours.seconds > 1)
                fmt::print("{}: {:.1f} s\n", file.string(), u.ours.seconds);
            return u;
        } catch (const std::exception& error) {
            t.refused[reason_of(error.what())].push_back(file.string());
            return std::nullopt;
        }
    }

    void ask_about(std::vector<unanswered>& some, tally& t) const {
        std::vector<herd7::question> questions;
        for (const unanswered& u : some)
            questions.push_back({u.file, herd_name(u.loaded.text.name), u.model, u.ours.in_pieces});
        const std::vector<herd7::reply> replies = herd7_.ask(questions);
        for (std::size_t k = 0; k < some.size(); ++k)
            if (replies[k].said)
                compare(some[k], *replies[k].said, t);
            else
                t.unanswered[reason_of(replies[k].why_not)].push_back(some[k].file.string());
        some.clear();
    }

    void compare(const unanswered& u, const expectation& e, tally& t) const {
        if (u.ours.complete)
            return count(u.file, u.loaded, difference(u.loaded.text, u.ours, e, !options_.expected.empty()),
                         t);
        ++t.out_of_time;
        fmt::print("{}\n  {}\n", u.file.string(), u.ours.stopped_by);
    }

    /// herd7 up to 7.58 counts a CAS that fails and stores nothing twice, by what its result depends on, and so do we;
    /// later ones once.
    void count(const fs::path& file, const loaded_test& loaded, const std::string& differs, tally& t) const {
        const bool counts = differs.rfind("Positive", 0) == 0;
        const bool cas = counts && loaded.text.from.text.find("CAS") != std::string::npos;
        ++(differs.empty() ? t.equal : counts ? t.other_counts : t.different);
        t.failing_cas += cas;
        if (!differs.empty() && !cas) fmt::print("{}\n  {}\n", file.string(), differs);
    }

    const options& options_;
    herd7 herd7_;
    std::map<std::string, model> models_;
};

options parse_options(int argc, char** argv) {
    options o;
    for (int k = 1; k < argc; ++k) {
        const std::string word = argv[k];
        if (word == "--list")
            o.lists = true;
        else if (word == "--expected" && k + 1 < argc)
            o.expected = argv[++k];
        else if (word == "--keep" && k + 1 < argc)
            o.kept = argv[++k];
        else if (word == "--cat" && k + 2 < argc) {
            const std::string model = argv[++k];
            o.cats[model] = argv[++k];
        } else if (word == "--bell" && k + 1 < argc)
            o.bells.push_back(argv[++k]);
        else if (word == "--time" && k + 1 < argc)
            o.seconds = std::stod(argv[++k]);
        else if (fs::is_directory(word))
            o.folders.push_back(word);
        else
            fmt::print("no folder {}\n", word);
    }
    if (!o.folders.empty()) return o;
    std::istringstream collections(environment("RINGPROOF_LITMUS_COLLECTIONS"));
    for (std::string folder; std::getline(collections, folder, ':');)
        if (fs::is_directory(folder)) o.folders.push_back(folder);
    for (const char* name : {"AArch64", "AArch64.ASL", "AArch64.mixed", "RISCV", "X86_64", "C"})
        if (const fs::path folder =
                fs::path(environment("RINGPROOF_HERDTOOLS")) / "herd/tests/instructions" / name;
            fs::is_directory(folder))
            o.folders.push_back(folder.string());
    return o;
}

void print_by_reason(const char* what, const tally::by_reason& all, bool lists) {
    std::vector<std::pair<std::size_t, std::string>> reasons;
    for (const auto& [reason, tests] : all) reasons.emplace_back(tests.size(), reason);
    std::sort(reasons.rbegin(), reasons.rend());
    for (const auto& [count, reason] : reasons) {
        fmt::print("{:6} {}: {}\n", count, what, reason);
        if (!lists) continue;
        for (const std::string& name : all.at(reason)) fmt::print("         {}\n", name);
    }
}

} // namespace

int main(int argc, char** argv) {
    const options o = parse_options(argc, argv);
    if (o.folders.empty()) {
        fmt::print(
            "skipped: RINGPROOF_LITMUS_COLLECTIONS names no folder, and RINGPROOF_HERDTOOLS no checkout of "
            "herdtools7\n");
        return 77;
    }
    judge j(o);
    tally all;
    for (const std::string& folder : o.folders) {
        const tally t = j.run(folder);
        fmt::print("{}: {}\n", folder, t.printed());
        all.add(t);
    }
    print_by_reason("refused", all.refused, o.lists);
    print_by_reason("not answered by herd7", all.unanswered, o.lists);
    fmt::print("all: {}\n", all.printed());
    const bool same = all.different == 0 && all.other_counts == all.failing_cas;
    return same && all.equal != 0 ? 0 : 1;
}
