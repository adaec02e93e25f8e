// SPDX-License-Identifier: Apache-2.0
#include "herd7.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <ringproof/command/child.hpp>
#include <set>
#include <sstream>
#include <utility>

namespace ringproof::litmus::agreement {

namespace fs = std::filesystem;

static std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

herd7::herd7(double seconds, fs::path kept)
    : seconds_(seconds), kept_(std::move(kept)), program_(environment("RINGPROOF_HERD7")),
      kernel_(environment("RINGPROOF_LINUX_MODEL")) {}

std::map<std::string, std::string> split_log(const std::string& log) {
    std::map<std::string, std::string> logs;
    std::istringstream in(log);
    std::string* current = nullptr;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("Test ", 0) == 0) current = &logs[line.substr(5, line.rfind(' ') - 5)];
        if (current) *current += line + '\n';
        if (line.rfind("Observation ", 0) == 0) current = nullptr;
    }
    return logs;
}

std::vector<std::string> herd7::words_for(const std::string& model, bool mixed) const {
    std::vector<std::string> words{program_, "-timeout", fmt::format("{}", seconds_), "-debug", "timeout"};
    if (mixed) words.insert(words.end(), {"-variant", "mixed"});
    if (model == "lkmm")
        words.insert(words.end(), {"-I", kernel_, "-conf", kernel_ + "/linux-kernel.cfg"});
    else if (model == "rc11")
        words.insert(words.end(), {"-model", "rc11.cat"});
    return words;
}

/// The line about a file on herd7's standard error, without the file's name.
static std::string complaint_about(const std::string& file, const std::string& output) {
    if (output.find("Timeout for " + file + "\n") != std::string::npos) return "the time ran out";
    const std::string named = fmt::format("File \"{}\"", file);
    const std::size_t at = output.find(named);
    if (at == std::string::npos) return "";
    return output.substr(at + named.size(), output.find('\n', at) - at - named.size());
}

/// A test that ends herd7 itself leaves those after it without a reply: they are asked in halves.
void herd7::ask_one_model(const batch& asked, const std::vector<reply*>& replies, bool mixed) const {
    if (asked.empty()) return;
    constexpr double start = 60;
    std::vector<std::string> words = words_for(asked[0]->model, mixed);
    for (const question* q : asked) words.push_back(q->file.string());
    const command::child_answer answer = command::run_child(
        words, start + 4 * seconds_ * static_cast<double>(asked.size()), command::heard::output_and_errors);
    const std::map<std::string, std::string> logs = split_log(answer.output);
    batch left;
    std::vector<reply*> without;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        if (const auto log = logs.find(asked[k]->name); log != logs.end()) {
            std::istringstream in(log->second);
            *replies[k] = {parse_log(in), ""};
            if (!replies[k]->said->counts.empty()) continue;
        }
        *replies[k] = {std::nullopt, complaint_about(asked[k]->file.string(), answer.output)};
        if (!replies[k]->why_not.empty()) continue;
        left.push_back(asked[k]);
        without.push_back(replies[k]);
    }
    if (left.empty()) return;
    const bool well = answer.ended && answer.exit_code == 0;
    if (asked.size() == 1 || well) {
        for (reply* r : without)
            r->why_not = answer.ended ? fmt::format("no reply, exit code {}", answer.exit_code) : answer.why;
        return;
    }
    const auto half = static_cast<std::ptrdiff_t>((left.size() + 1) / 2);
    ask_one_model({left.begin(), left.begin() + half}, {without.begin(), without.begin() + half}, mixed);
    ask_one_model({left.begin() + half, left.end()}, {without.begin() + half, without.end()}, mixed);
}

/// One process for the tests of each model. herd7 passes over a test that has the name of an earlier one: those of
/// the same name go into other processes.
void herd7::ask_in_batches(const batch& asked, const std::vector<reply*>& replies, bool mixed) const {
    std::map<std::pair<std::string, std::size_t>, std::pair<batch, std::vector<reply*>>> batches;
    std::map<std::pair<std::string, std::string>, std::size_t> times;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        auto& [tests, into] = batches[{asked[k]->model, times[{asked[k]->model, asked[k]->name}]++}];
        tests.push_back(asked[k]);
        into.push_back(replies[k]);
    }
    for (const auto& [which, all] : batches) ask_one_model(all.first, all.second, mixed);
}

static bool no_execution(const herd7::reply& r) {
    return r.said ? r.said->states.empty() : r.why_not != "the time ran out";
}

/// Tests whose accesses we do not divide. Without the variant it refuses several sizes, or finds no execution
/// where addresses are computed: then it is asked with it.
void herd7::ask_whole(const batch& asked, const std::vector<reply*>& replies) const {
    ask_in_batches(asked, replies, false);
    batch again;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < asked.size(); ++k)
        if (no_execution(*replies[k])) {
            again.push_back(asked[k]);
            places.push_back(k);
        }
    std::vector<reply> of_mixed(again.size());
    std::vector<reply*> into_mixed;
    for (reply& r : of_mixed) into_mixed.push_back(&r);
    ask_in_batches(again, into_mixed, true);
    for (std::size_t k = 0; k < again.size(); ++k) {
        reply& whole = *replies[places[k]];
        if (of_mixed[k].said || whole.why_not.find("mixed") != std::string::npos) whole = of_mixed[k];
    }
}

std::vector<herd7::reply> herd7::ask(const std::vector<question>& questions) const {
    std::vector<reply> replies(questions.size());
    batch whole, divided, asked;
    std::vector<reply*> into_whole, into_divided, into;
    for (std::size_t k = 0; k < questions.size(); ++k) {
        const question& q = questions[k];
        if (q.model == "lkmm" && kernel_.empty()) {
            replies[k].why_not = "RINGPROOF_LINUX_MODEL names no model of the kernel";
        } else if (const auto known = recalled(q)) {
            replies[k] = *known;
        } else {
            (q.mixed ? divided : whole).push_back(&q);
            (q.mixed ? into_divided : into_whole).push_back(&replies[k]);
            asked.push_back(&q);
            into.push_back(&replies[k]);
        }
    }
    ask_whole(whole, into_whole);
    ask_in_batches(divided, into_divided, true);
    for (std::size_t k = 0; k < asked.size(); ++k) keep(*asked[k], *into[k]);
    return replies;
}

// ---- what is kept

/// Collections share tests: what is asked is the text of a test, wherever it lies.
fs::path herd7::place_of(const question& q) const {
    std::ifstream in(q.file, std::ios::binary);
    std::uint64_t h = 0xcbf29ce484222325u; // FNV-1a
    for (char c = 0; in.get(c);) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return kept_ / (q.model + (q.mixed ? "-mixed" : "")) / fmt::format("{:016x}.log", h);
}

constexpr const char* no_reply = "No reply: ";

std::optional<herd7::reply> herd7::recalled(const question& q) const {
    if (kept_.empty()) return std::nullopt;
    std::ifstream in(place_of(q));
    if (!in) return std::nullopt;
    std::ostringstream all;
    all << in.rdbuf();
    const std::string text = all.str();
    if (text.rfind(no_reply, 0) == 0)
        return reply{std::nullopt, text.substr(std::string(no_reply).size(), text.find('\n') - 10)};
    std::istringstream log(text);
    return reply{parse_log(log), ""};
}

void herd7::keep(const question& q, const reply& r) const {
    if (kept_.empty()) return;
    const fs::path place = place_of(q);
    fs::create_directories(place.parent_path());
    std::ofstream out(place);
    if (r.said)
        out << r.said->text;
    else
        out << no_reply << r.why_not << '\n';
}

} // namespace ringproof::litmus::agreement
