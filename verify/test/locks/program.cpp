// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "../oracle/random_numbers.hpp"

#include <algorithm>
#include <numeric>

namespace ringproof::verify::locks {
namespace {

using what = statement_kind;

/// Statements that a kind of programs has beside accesses, by how many it has of each.
std::vector<what> statements_of(kind of) {
    switch (of) {
    case kind::mutexes:
        return {what::section, what::section, what::section, what::attempt, what::spin};
    case kind::shared:
        return {what::reading, what::reading, what::writing, what::section};
    case kind::semaphores:
        return {what::acquire, what::post, what::post, what::section};
    case kind::conditions:
        return {what::await, what::announce, what::announce, what::section};
    case kind::own:
        return {what::take, what::take, what::give, what::give, what::give};
    case kind::polls:
        return {what::poll, what::poll, what::poll_spin, what::put, what::put, what::put_spin, what::peek};
    case kind::tried_polls:
        return {what::poll_tried, what::poll_tried, what::poll_swap, what::poll_swap, what::poll_spin,
                what::put,        what::put,        what::put_spin,  what::put_spin,  what::peek};
    case kind::looked_polls:
        return {what::poll_looked, what::poll_looked, what::poll_looked, what::poll_swap, what::poll_nested,
                what::put_spin,    what::put_spin,    what::put_spin,    what::put_nested};
    case kind::barriers:
        return {what::meet, what::meet, what::meet, what::section, what::attempt};
    case kind::tries:
        return {what::section, what::section, what::attempt, what::spin, what::reading,
                what::writing, what::acquire, what::post,    what::post};
    case kind::robbed:
        return {what::poll_word, what::poll_word, what::put_word, what::put_word,
                what::rob,       what::rob,       what::peek_word};
    case kind::pairs:
        return {what::both, what::both, what::both, what::section, what::peek};
    case kind::together:
        return {what::both,    what::both,    what::both, what::both,  what::section,
                what::section, what::section, what::put,  what::await, what::announce,
                what::writing, what::acquire, what::post};
    case kind::starts:
        return {what::come, what::come_counted, what::gather, what::look, what::open};
    case kind::timed:
        return {what::await_timed, what::await_timed, what::set_timed,
                what::set_timed,   what::clear_timed, what::section};
    case kind::updates:
        return {what::update,      what::update,      what::update,     what::update,
                what::update_down, what::update_bits, what::send,       what::send,
                what::receive,     what::receive,     what::fence,      what::count_latch,
                what::count_latch, what::count_latch, what::wait_latch, what::wait_latch};
    case kind::undone:
        return {what::hold_shared, what::hold_shared, what::hold_alone, what::hold_alone};
    case kind::shares:
        return {what::poll_shared, what::poll_shared, what::put_shared, what::put_shared,
                what::peek_shared, what::poll_gate,   what::poll_gate,  what::put_gate,
                what::put_gate,    what::peek_gate,   what::widen_gate, what::narrow_gate};
    case kind::all:
        break;
    }
    return {what::section, what::attempt, what::spin, what::reading,  what::writing,
            what::acquire, what::post,    what::once, what::announce, what::await,
            what::meet,    what::take,    what::give};
}

bool has_body(what kind) {
    return kind == what::section || kind == what::attempt || kind == what::spin || kind == what::reading ||
           kind == what::writing || kind == what::hold_shared || kind == what::hold_alone;
}

class generator {
  public:
    generator(kind of, std::uint64_t seed) : random_(seed * 16 + static_cast<unsigned>(of)), of_(of) {}

    program make() {
        program made;
        made.semaphore = random_.below(2);
        made.hangs_refute = random_.percent(50);
        made.threads.resize(static_cast<std::size_t>(2 + random_.below(2)));
        made.runs.resize(made.threads.size());
        std::iota(made.runs.begin(), made.runs.end(), std::size_t{0});
        // What takes long is many that wait: three threads have shorter programs.
        const bool two = made.threads.size() == 2;
        const int most = of_ == kind::undone ? 1 + two : (two ? 4 : 2) + (of_ == kind::updates);
        if (of_ == kind::barriers && random_.percent(85))
            made.meeting = static_cast<int>(made.threads.size());
        for (auto& thread : made.threads)
            for (int left = 1 + random_.below(most); left > 0; --left) thread.push_back(next(0));
        // So that they meet as often, in most programs: who comes once more hangs.
        if (of_ == kind::barriers && random_.percent(80)) meet_alike(made);
        if (of_ == kind::starts) start_together(made);
        return made;
    }

  private:
    static void meet_alike(program& made) {
        const auto meets = [](const statement& s) { return s.what == what::meet; };
        std::ptrdiff_t most = 0;
        for (const auto& thread : made.threads)
            most = std::max(most, std::count_if(thread.begin(), thread.end(), meets));
        for (auto& thread : made.threads)
            while (std::count_if(thread.begin(), thread.end(), meets) < most)
                thread.push_back({what::meet, 0});
    }
    /// Has each thread come, at some place, and go on once all have; one may open the gate for others.
    void start_together(program& made) {
        const int leader = random_.percent(50) ? random_.below(static_cast<int>(made.threads.size())) : -1;
        for (std::size_t t = 0; t < made.threads.size(); ++t) {
            std::vector<statement>& thread = made.threads[t];
            thread.resize(std::min<std::size_t>(thread.size(), 2));
            if (random_.percent(60)) // the others are left to luck
                std::erase_if(thread, [](const statement& s) { return s.what >= what::start; });
            if (random_.percent(5)) continue;
            const bool follows = leader >= 0 && leader != static_cast<int>(t) && random_.percent(80);
            // A wait that does not acquire, after an arrival that does, tells who came before.
            const int waits = random_.percent(85) ? 1 + random_.below(2) : 0;
            const int comes = random_.below(3) + (random_.percent(30) ? 9 : 0);
            std::vector<statement> start{
                {follows ? what::start_behind : what::start, random_.percent(10), comes + 3 * waits}};
            if (leader == static_cast<int>(t))
                start.push_back({what::open, 0, random_.percent(85) ? 1 : random_.below(3)});
            const auto at = random_.below(static_cast<int>(thread.size()) + 1);
            thread.insert(thread.begin() + at, start.begin(), start.end());
        }
    }
    statement next(int depth) {
        const std::vector<what> from = statements_of(of_);
        // Who tries a lock that it holds has no end.
        const int deepest = of_ == kind::tries || of_ == kind::undone ? 1 : 2;
        if (depth == deepest || random_.percent(depth == 0 ? 25 : of_ == kind::together ? 40 : 75))
            return access();
        statement made{from[static_cast<std::size_t>(random_.below(static_cast<int>(from.size())))],
                       random_.below(2)};
        if (of_ == kind::starts) made.object = random_.percent(30);
        if (of_ == kind::starts || made.what == what::rob || made.what == what::set_timed)
            made.value = random_.below(3);
        if (of_ == kind::updates) choose_update(made);
        if (of_ == kind::undone) {
            made.value = random_.below(3);
            if (random_.percent(8)) made.what = random_.percent(60) ? what::watch_lock : what::take_share;
        }
        if (of_ == kind::together && random_.percent(4)) made.what = what::peek; // then it is given up
        if (made.what == what::section && of_ == kind::together) made.value = random_.percent(8);
        if (of_ == kind::shares) made.value = random_.below(3);
        if (of_ == kind::tried_polls || of_ == kind::looked_polls) made.value = random_.below(2);
        if (!has_body(made.what)) return made;
        for (int left = random_.below(3); left > 0; --left) made.body.push_back(next(depth + 1));
        return made;
    }
    void choose_update(statement& made) {
        // The weaker orders more often: only they commute under rc11.
        made.value = random_.percent(60) ? random_.below(2) : random_.below(5);
        if (random_.percent(2)) made.what = what::try_latch;
        if (random_.percent(4))
            made.what = random_.percent(50)   ? what::look_at_updated
                        : random_.percent(50) ? what::set_updated
                                              : what::update_counted;
    }
    statement access() {
        const what kinds[] = {what::load, what::store, what::add, what::count};
        return {kinds[random_.below(random_.percent(30) ? 4 : 3)], random_.below(2), 1 + random_.below(2)};
    }

    oracle::random_numbers random_;
    kind of_;
};

std::string to_string(const std::vector<statement>& all) {
    // clang-format off
    static constexpr const char* names[] = {
        "load",           "store",          "add",            "count",          "section",
        "try",            "spin",           "reading",        "writing",        "acquire",
        "post",           "once",           "await",          "announce",       "meet",
        "take",           "give",           "poll",           "poll_spin",      "poll_tried",
        "poll_swap",      "poll_looked",    "poll_nested",    "put",            "put_spin",
        "put_nested",     "peek",           "poll_word",      "put_word",       "peek_word",
        "rob",            "both",           "await_timed",    "set_timed",      "clear_timed",
        "update",         "update_down",    "update_bits",    "update_counted", "look_at_updated",
        "set_updated",    "send",           "receive",        "count_latch",    "wait_latch",
        "try_latch",      "fence",          "hold_shared",    "hold_alone",     "watch_lock",
        "take_share",     "poll_shared",    "put_shared",     "peek_shared",    "poll_gate",
        "put_gate",       "peek_gate",      "widen_gate",     "narrow_gate",    "start",
        "start_behind",   "come",           "come_counted",   "gather",         "look",
        "open"};
    // clang-format on
    static_assert(std::size(names) == static_cast<std::size_t>(statement_kind::open) + 1);
    std::string text;
    for (const statement& s : all) {
        text += (text.empty() ? "" : "; ") + std::string(names[static_cast<std::size_t>(s.what)]) + " " +
                std::to_string(s.object);
        if (s.value != 0) text += ", " + std::to_string(s.value);
        if (has_body(s.what)) text += " {" + to_string(s.body) + "}";
    }
    return text;
}

} // namespace

program generate(kind what, std::uint64_t seed) { return generator(what, seed).make(); }

program with_alike(program made, std::uint64_t seed) {
    static const std::vector<std::size_t> mixtures[] = {{0, 0},    {0, 0, 1}, {1, 0, 0},
                                                        {0, 0, 0}, {0, 1, 0}, {0, 1, 1}};
    const bool all_meet = made.meeting == static_cast<int>(made.runs.size());
    made.runs = mixtures[seed % std::size(mixtures)];
    if (all_meet) made.meeting = static_cast<int>(made.runs.size());
    return made;
}

std::string to_string(const program& what) {
    std::string text = "semaphore " + std::to_string(what.semaphore) + "\n";
    for (std::size_t t = 0; t < what.runs.size(); ++t)
        text += "T" + std::to_string(t) + ": " + to_string(what.threads[what.runs[t]]) + "\n";
    return text;
}

} // namespace ringproof::verify::locks
