// SPDX-License-Identifier: Apache-2.0
#include "counterexample.hpp"
#include "../program/thread.hpp"
#include "locations.hpp"
#include "relations.hpp"
#include "stale.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace ringproof::verify {
namespace {

using what = recorded_event::what;

std::string value_text(std::uint64_t value, std::size_t size) {
    if (value < 1'000'000) return std::to_string(value);
    const unsigned bits = size >= 8 ? 64 : static_cast<unsigned>(8 * size);
    const auto as_signed = static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
    if (as_signed < 0 && as_signed > -1'000'000) return std::to_string(as_signed);
    return fmt::format("{:#x}", value);
}

/// Whether it is about the life of a process, or about a file in memory, whose words in the graph have no names.
bool is_nameless(std::string_view word) {
    for (const std::string_view of_file : {"open shared memory", "unlink shared memory", "set size",
                                           "ask for the size", "map a file of this size"})
        if (word == of_file) return true;
    return word == looks_for_kill || word == "finds the signal" || word == says_ended || word == "SIGKILL" ||
           word == "end the program" || word == "look whether the child has ended";
}

std::string label_of(const shown_event& e, const recorded_event& raw) {
    if (is_nameless(raw.word)) return std::string(raw.word);
    if (!raw.word.empty()) {
        const bool has_to_wait = e.kind == what::lock_busy && raw.word.rfind("look", 0) != 0;
        if (raw.word == "choose") return fmt::format("choose {}", raw.value);
        return fmt::format("{}{}{}{}", raw.word, e.location.empty() ? "" : " ", e.location,
                           has_to_wait ? " (not yet)" : "");
    }
    const std::string order = e.order.empty() ? "" : ", " + e.order;
    const std::string& value = e.value;
    switch (e.kind) {
    case what::read:
    case what::plain_read:
        return fmt::format("{} {}{}{}", e.kind == what::read ? "load" : "read", e.location,
                           value.empty() ? "" : " = " + value, order);
    case what::write:
    case what::plain_write:
        return fmt::format("{} {}{}{}", e.kind == what::write ? "store" : "write", e.location,
                           value.empty() ? "" : " := " + value, order);
    case what::rmw:
        return fmt::format("rmw {}{}{}", e.location, value.empty() ? "" : " " + value, order);
    case what::fence:
        return "fence " + e.order;
    case what::create:
        return "create " + (raw.other == 0xffff ? "a thread" : thread_name(raw.other));
    case what::join:
        return "join " + (raw.other == 0xffff ? "a thread" : thread_name(raw.other));
    case what::begin:
        return "begin";
    case what::end:
        return "end";
    case what::lock:
        return "lock " + e.location;
    case what::lock_busy:
        return "lock " + e.location + " (taken)";
    case what::unlock:
        return "unlock " + e.location;
    case what::interrupt:
        return "interrupt";
    case what::failure:
        return "fails here";
    }
    return "";
}

/// Plain accesses worth showing: what several threads access, written where the user wrote it. The
/// insides of library classes are not.
std::vector<bool> worth_showing(const std::vector<recorded_event>& history,
                                const std::vector<source_position>& at) {
    std::map<std::uintptr_t, std::set<std::uint16_t>> users;
    std::set<std::uintptr_t> written; // what is only read is a captured reference or a constant
    bool alone = true;                // what main set up before it had company is as good as a constant
    for (std::size_t i = 0; i < history.size(); ++i) {
        const recorded_event& e = history[i];
        alone = alone && e.kind != what::create;
        if (e.address == 0 || !(at[i].direct || e.culprit)) continue;
        users[e.address].insert(e.thread);
        if (!alone && (e.kind == what::plain_write || e.writes())) written.insert(e.address);
    }
    std::vector<bool> shown(history.size(), true);
    for (std::size_t i = 0; i < history.size(); ++i) {
        const recorded_event& e = history[i];
        if ((e.kind == what::plain_read || e.kind == what::plain_write) && e.location == 0xffff'ffff &&
            !e.culprit)
            shown[i] = at[i].direct && users[e.address].size() > 1 && written.count(e.address) > 0;
    }
    return shown;
}

/// The stack above an event's own place.
std::vector<source_position> callers_of(const recorded_event& e, const symbols& names) {
    std::vector<source_position> stack = names.positions(e.sites);
    if (!stack.empty()) stack.erase(stack.begin());
    return stack;
}

std::string where(const shown_event& e) {
    const std::string at = short_position(e.source);
    return at.empty() ? "at an unknown place" : "at " + at;
}

std::uint64_t bytes_of(const recorded_event& e) { return std::max<std::uint64_t>({e.whole, e.size, 1}); }

/// What a racing access does: it "writes", or "reads bytes 8 to 31 of q by memcpy".
std::string access_text(const shown_event& e, const recorded_event& raw, const std::string& location) {
    const char* verb = e.kind == what::plain_read    ? "reads"
                       : e.kind == what::plain_write ? "writes"
                       : e.kind == what::read        ? "atomically reads"
                       : e.kind == what::write       ? "atomically writes"
                       : e.kind == what::rmw         ? "atomically updates"
                                                     : "frees";
    const bool other = bytes_of(raw) > 1 && !e.location.empty() && e.location != location;
    const std::string call = copying_call(e.source);
    return fmt::format("{}{}{}", verb, other ? fmt::format(" {}", e.location) : "",
                       call.empty() ? "" : " by " + call);
}

std::string race_message(const counterexample& example, const std::vector<const recorded_event*>& raw,
                         const locations& places, const std::string& fallback) {
    std::vector<std::size_t> sides;
    for (std::size_t i = 0; i < example.events.size(); ++i)
        if (example.events[i].culprit) sides.push_back(i);
    if (sides.size() != 2) return fallback;
    // The bytes that both access.
    const recorded_event &one = *raw[sides[0]], &other = *raw[sides[1]];
    const std::uintptr_t end = std::min(one.address + bytes_of(one), other.address + bytes_of(other));
    const bool first =
        one.address > other.address || (one.address == other.address && bytes_of(one) < bytes_of(other));
    recorded_event both = first ? one : other;
    std::string location = example.events[sides[first ? 0 : 1]].location;
    if (both.address < end && bytes_of(both) > end - both.address) {
        both.whole = end - both.address;
        location = places.name(both);
    }
    if (location.empty()) location = example.events[sides[0]].location;
    if (location.empty()) location = "memory";
    const auto says = [&](std::size_t i) {
        const shown_event& e = example.events[i];
        return fmt::format("{} {} {}", thread_name(e.thread), access_text(e, *raw[i], location), where(e));
    };
    return fmt::format("data race on {}: {}, {}, and nothing orders the two", location, says(sides[0]),
                       says(sides[1]));
}

} // namespace

std::string_view kind_name(failure_kind kind) {
    switch (kind) {
    case failure_kind::nothing:
        return "nothing";
    case failure_kind::assertion:
        return "assertion";
    case failure_kind::data_race:
        return "race";
    case failure_kind::deadlock:
        return "deadlock";
    case failure_kind::livelock:
        return "livelock";
    case failure_kind::lock_misuse:
        return "lock misuse";
    case failure_kind::unhandled_exception:
        return "unhandled exception";
    case failure_kind::wild_access:
        return "wild access";
    case failure_kind::use_after_free:
        return "use after free";
    case failure_kind::double_free:
        return "double free";
    case failure_kind::abort:
        return "abort";
    case failure_kind::mixed_size:
        return "mixed size";
    case failure_kind::nondeterminism:
        return "nondeterminism";
    case failure_kind::limit:
        return "limit";
    case failure_kind::unsupported:
        return "unsupported";
    case failure_kind::uninitialised:
        return "uninitialised read";
    case failure_kind::leak:
        return "leak";
    }
    return "";
}

std::string_view kind_name(what kind) {
    switch (kind) {
    case what::read:
        return "read";
    case what::write:
        return "write";
    case what::rmw:
        return "rmw";
    case what::fence:
        return "fence";
    case what::create:
        return "create";
    case what::begin:
        return "begin";
    case what::join:
        return "join";
    case what::end:
        return "end";
    case what::lock:
        return "lock";
    case what::lock_busy:
        return "lock-busy";
    case what::unlock:
        return "unlock";
    case what::plain_read:
        return "plain-read";
    case what::plain_write:
        return "plain-write";
    case what::interrupt:
        return "interrupt";
    case what::failure:
        return "failure";
    }
    return "";
}

std::string thread_name(std::uint16_t thread) { return thread == 0 ? "main" : "T" + std::to_string(thread); }

std::string short_path(const std::string& path) {
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    const std::string relative =
        std::filesystem::path(path).lexically_normal().lexically_relative(here).string();
    return error || relative.empty() || relative.starts_with("..") ? path : relative;
}

std::string short_position(const source_position& position) {
    if (!position.known()) return "";
    return fmt::format("{}:{}", std::filesystem::path(position.file).filename().string(), position.line);
}

std::string called_from(const std::vector<source_position>& callers) {
    std::string text = "called from ";
    for (const source_position& p : callers) text += (&p == &callers.front() ? "" : ", ") + short_position(p);
    return text;
}

counterexample explain(const exploration_result& result, memory_model model, const symbols& names) {
    counterexample example;
    example.kind = kind_name(result.error.kind);
    std::vector<source_position> at;
    for (const recorded_event& e : result.history) at.push_back(names.position(e.sites));
    const std::vector<bool> shown = worth_showing(result.history, at);
    const locations places(result.history, names);
    std::vector<std::size_t> id(result.history.size(), shown_event::nowhere);
    std::vector<const recorded_event*> raw;
    for (std::size_t i = 0; i < result.history.size(); ++i) {
        if (!shown[i]) continue;
        const recorded_event& e = result.history[i];
        shown_event s;
        s.kind = e.kind;
        s.thread = e.thread;
        s.depth = e.depth;
        s.order = e.order == "plain" ? "" : e.order;
        s.location = places.name(e);
        if (e.complete &&
            (e.reads() || e.writes() || e.kind == what::plain_read || e.kind == what::plain_write) &&
            e.size <= 8)
            s.value = value_text(e.value, e.size);
        if (e.kind == what::rmw && e.complete) s.value += " -> " + value_text(e.written, e.size);
        if (e.kind == what::lock || e.kind == what::lock_busy || e.kind == what::unlock) s.value.clear();
        s.source = at[i];
        s.culprit = e.culprit;
        if (e.culprit) s.callers = callers_of(e, names);
        s.co = e.co;
        if (e.reads() && e.complete) {
            s.from_initial = e.rf == recorded_event::initial;
            if (!s.from_initial) s.rf = id[e.rf];
        }
        s.label = label_of(s, e);
        example.events.push_back(std::move(s));
        raw.push_back(&e);
        id[i] = example.events.size();
    }
    relate(example, raw, model);
    if (model != memory_model::sc) note_stale_reads(example, raw);
    const failure& f = result.error;
    example.message = f.message;
    if (f.kind == failure_kind::data_race)
        example.message = race_message(example, raw, places, f.message);
    else if (!example.events.empty() && example.events.back().source.known())
        example.message += fmt::format(", {} {}", thread_name(f.thread), where(example.events.back()));
    return example;
}

} // namespace ringproof::verify
