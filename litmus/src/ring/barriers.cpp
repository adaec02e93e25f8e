// SPDX-License-Identifier: Apache-2.0
#include "barriers.hpp"

#include "../enumerate/search.hpp"
#include "../frontend/front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace ringproof::litmus::ring {
namespace {

bool is_race(const std::string& flag) {
    return flag == "data-race" || flag.find("race") != std::string::npos;
}

using four = std::vector<std::string>; // names of options, A to D

program whole(const machine& m, const four& names) {
    return whole(m, m.find('A', names[0]), m.find('B', names[1]), m.find('C', names[2]),
                 m.find('D', names[3]));
}

/// The options of two letters that pair with each other.
struct pairing {
    char first, second;
    std::function<program(const option&, const option&)> make;
};

std::string words_of(const machine& m, const letter_finding& f) {
    std::vector<std::string> words; // two options may differ only in a branch
    for (const std::string& name : f.minimum) {
        std::string one = in_words(m, m.find(f.letter, name));
        if (std::find(words.begin(), words.end(), one) == words.end()) words.push_back(std::move(one));
    }
    return words.empty() ? "no option works" : fmt::format("{}", fmt::join(words, " / "));
}

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Asks about every combination. What costs least is a pair: an option may work only with a partner
/// that costs more than it should.
void examine_pair(const machine& m, const pairing& p, simulated_verdicts& ask, machine_finding& f) {
    const std::vector<option>& firsts = m.letters[p.first - 'A'];
    const std::vector<option>& seconds = m.letters[p.second - 'A'];
    letter_finding& first = f.letters[static_cast<std::size_t>(p.first - 'A')];
    letter_finding& second = f.letters[static_cast<std::size_t>(p.second - 'A')];
    int least = 2 * cost_full + 1;
    std::set<std::pair<std::string, std::string>> good;
    for (const option& a : firsts)
        for (const option& b : seconds) {
            ++f.simulated;
            if (!ask(p.make(a, b), m.model).good()) continue;
            good.emplace(a.name, b.name);
            add_once(first.works, a.name);
            add_once(second.works, b.name);
            const int cost = a.cost + b.cost;
            if (cost > least) continue;
            if (cost < least) first.minimum.clear(), second.minimum.clear();
            least = cost;
            add_once(first.minimum, a.name);
            add_once(second.minimum, b.name);
        }
    for (const std::string& a : first.minimum)
        for (const std::string& b : second.minimum) f.independent = f.independent && good.count({a, b}) != 0;
    for (const auto& [options, finding] : {std::pair{&firsts, &first}, std::pair{&seconds, &second}})
        for (const option& o : *options)
            if (std::find(finding->works.begin(), finding->works.end(), o.name) == finding->works.end())
                finding->fails.push_back(o.name);
}

} // namespace

std::string in_words(const verdict& v) {
    if (!v.race) return v.observation;
    return v.observation + (v.observation == "Never" ? ", but a data race" : ", and a data race");
}

struct simulated_verdicts::state {
    std::map<std::string, model> models;
    std::map<std::string, verdict> known;
};
simulated_verdicts::simulated_verdicts() : state_(std::make_unique<state>()) {}
simulated_verdicts::~simulated_verdicts() = default;

verdict simulated_verdicts::operator()(const program& p, const std::string& name) {
    const std::string key = name + "/" + p.file;
    if (const auto at = state_->known.find(key); at != state_->known.end()) return at->second;
    auto at = state_->models.find(name);
    if (at == state_->models.end()) at = state_->models.emplace(name, model::load(name, {})).first;
    const loaded_test loaded = load_test({p.file, p.text + "exists " + p.asks + "\n"}, 2);
    const simulation s = simulate(loaded.text, loaded.what, at->second, {});
    if (!s.complete) throw std::runtime_error(p.name + ": not all executions were looked at");
    verdict v;
    v.observation = observation(s.positive, s.negative);
    v.race = std::any_of(s.flags.begin(), s.flags.end(), is_race);
    v.asked = p.name;
    return state_->known.emplace(key, v).first->second;
}

machine_finding examine(const machine& m, simulated_verdicts& ask) {
    machine_finding f;
    f.where = &m;
    f.simulated = 0;
    for (char letter = 'A'; letter <= 'D'; ++letter) f.letters.push_back({letter, {}, {}, {}, "", {}});
    f.independent = true;
    const auto make_publish = [&](const option& b, const option& c) { return publish(m, b, c); };
    const auto make_reuse = [&](const option& a, const option& d) { return reuse(m, a, d); };
    examine_pair(m, {'B', 'C', make_publish}, ask, f);
    examine_pair(m, {'A', 'D', make_reuse}, ask, f);
    four least;
    for (letter_finding& l : f.letters) {
        l.in_words = words_of(m, l);
        least.push_back(l.minimum.empty() ? m.letters[l.letter - 'A'].back().name : l.minimum.front());
    }
    const auto ask_whole = [&](const four& names) {
        ++f.simulated;
        return ask(whole(m, names), m.model);
    };
    f.minimum = ask_whole(least);
    f.documented = ask_whole(m.documented);
    f.acquire_release = ask_whole(m.acquire_release);
    for (std::size_t i = 0; i < 4; ++i) {
        four without = least;
        without[i] = m.letters[i].front().name;
        f.letters[i].removed = ask_whole(without);
    }
    return f;
}

std::vector<machine_finding> examine_all() {
    simulated_verdicts ask;
    std::vector<machine_finding> all;
    for (const machine& m : machines()) all.push_back(examine(m, ask));
    return all;
}

std::vector<program> kept_tests(const machine& m) {
    std::map<std::string, program> found;
    const auto add = [&](const four& n) {
        for (program& p : std::vector<program>{publish(m, m.find('B', n[1]), m.find('C', n[2])),
                                               reuse(m, m.find('A', n[0]), m.find('D', n[3])), whole(m, n)})
            found.emplace(p.file, std::move(p));
    };
    for (const four& style : {m.documented, m.acquire_release}) {
        add(style);
        for (std::size_t i = 0; i < 4; ++i) {
            four without = style;
            without[i] = m.letters[i].front().name;
            add(without);
        }
    }
    std::vector<program> tests;
    for (auto& [file, p] : found) tests.push_back(std::move(p));
    return tests;
}

std::map<std::string, std::string> test_files() {
    simulated_verdicts ask;
    std::map<std::string, std::string> files;
    std::string table;
    for (const machine& m : machines())
        for (const program& p : kept_tests(m)) {
            const verdict v = ask(p, m.model);
            // A file claims what its dialect's first model says; what others say is in the table.
            files.emplace(p.file,
                          p.text + (v.observation == "Never" ? "~exists " : "exists ") + p.asks + "\n");
            table += fmt::format("{}\t{}\t{}\t{}\n", p.file, m.model, v.observation, v.race ? "race" : "");
        }
    files["expected.tsv"] = "file\tmodel\tobservation\tflag\n" + table;
    return files;
}

} // namespace ringproof::litmus::ring
