// SPDX-License-Identifier: Apache-2.0
#include "packed_result.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ringproof::verify {
namespace {

/// Writes what it is given. The reader below has the same overloads, so that both go by one list of members.
struct writer {
    static constexpr bool reads = false;
    std::string text{};

    template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>>
    void operator()(const T& value) {
        text.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void operator()(const std::string& s) {
        (*this)(s.size());
        text += s;
    }
};

struct reader {
    static constexpr bool reads = true;
    const std::string& text;
    std::size_t& at;

    template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T>>>
    void operator()(T& value) {
        std::memcpy(&value, text.data() + at, sizeof value);
        at += sizeof value;
    }
    void operator()(std::string& s) {
        std::size_t size = 0;
        (*this)(size);
        s.assign(text, at, size);
        at += size;
    }
};

template <class To, class T, class Each>
void sequence(To& to, std::vector<T>& all, Each&& each) {
    std::size_t size = all.size();
    to(size);
    all.resize(size);
    for (T& one : all) each(one);
}

template <class To>
void members(To& to, recorded_event& e) {
    to(e.kind), to(e.depth), to(e.allocation), to(e.order), to(e.word), to(e.where), to(e.size),
        to(e.complete), to(e.culprit), to(e.thread);
    to(e.other), to(e.location), to(e.co), to(e.rf), to(e.address), to(e.offset), to(e.value);
    to(e.written), to(e.frame_site), to(e.frame_below), to(e.frame_above);
    sequence(to, e.sites, to);
    sequence(to, e.allocated_at, to);
}

template <class To>
void members(To& to, failure& f) {
    to(f.kind), to(f.message), to(f.thread), to(f.site), to(f.address), to(f.races), to(f.other_thread);
    to(f.other_index), to(f.other_site);
}

template <class To, class Key, class Value>
void entries(To& to, std::map<Key, Value>& all) {
    std::vector<std::pair<Key, Value>> list(all.begin(), all.end());
    sequence(to, list, [&](auto& one) {
        if constexpr (std::is_same_v<Key, assumption_ledger::key_type>)
            to(one.first.first), to(one.first.second);
        else
            to(one.first);
        to(one.second);
    });
    if constexpr (To::reads) all.insert(list.begin(), list.end());
}

template <class To>
void members(To& to, exploration_result& r) {
    to(r.executions), to(r.permutations), to(r.blocked), to(r.blocked_by_assumption), to(r.pruned),
        to(r.events), to(r.longest), to(r.stopped), to(r.digest), to(r.evaluated), to(r.unordered_reads);
    to(r.stopped_by), to(r.busiest), to(r.busiest_rounds);
    sequence(to, r.positions, [&](search_position& p) {
        sequence(to, p.ways, to);
        sequence(to, p.ends, to);
        sequence(to, p.all, to);
        sequence(to, p.threads, [&](auto& name) { to(name.first), to(name.second); });
        to(p.weight);
    });
    sequence(to, r.bounds, to);
    sequence(to, r.cut_at, to);
    entries(to, r.assumptions);
    entries(to, r.counting);
    entries(to, r.blocked_at);
    entries(to, r.hidden.left_out);
    entries(to, r.hidden.behind);
    entries(to, r.hidden.in_dropped);
    to(r.hidden.dropped);
    std::vector<std::string> covered(r.covered.begin(), r.covered.end());
    sequence(to, covered, to);
    entries(to, r.states);
    members(to, r.error);
    sequence(to, r.steps,
             [&](step& s) { to(s.thread), to(s.rf_thread), to(s.rf_index), to(s.co_index), to(s.spurious); });
    sequence(to, r.history, [&](recorded_event& e) { members(to, e); });
    if constexpr (To::reads) r.covered.insert(covered.begin(), covered.end());
}

template <class T>
void add_new(std::vector<T>& to, const std::vector<T>& from) {
    for (const T& one : from)
        if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

} // namespace

std::string pack(const exploration_result& r, pid_t from) {
    writer to;
    to(from);
    exploration_result copy = r;
    members(to, copy);
    return std::move(to.text);
}

pid_t unpack_into(exploration_result& all, const std::string& text, std::size_t& at) {
    reader from{text, at};
    pid_t process = 0;
    from(process);
    exploration_result part;
    members(from, part);
    all.executions += part.executions;
    all.permutations += part.permutations;
    all.blocked += part.blocked;
    all.blocked_by_assumption += part.blocked_by_assumption;
    for (const auto& [site, times] : part.blocked_at) all.blocked_at[site] += times;
    all.pruned += part.pruned;
    all.events += part.events;
    all.digest += part.digest;
    all.evaluated = all.evaluated || part.evaluated;
    all.unordered_reads = all.unordered_reads || part.unordered_reads;
    all.hidden.add(part.hidden);
    all.longest = std::max(all.longest, part.longest);
    if (part.stopped && !all.stopped) all.stopped_by = part.stopped_by;
    all.stopped = all.stopped || part.stopped;
    if (part.busiest_rounds > all.busiest_rounds) {
        all.busiest = part.busiest;
        all.busiest_rounds = part.busiest_rounds;
    }
    all.positions.insert(all.positions.end(), part.positions.begin(), part.positions.end());
    add_new(all.bounds, part.bounds);
    add_new(all.cut_at, part.cut_at);
    for (const auto& [entry, times] : part.assumptions) all.assumptions[entry] += times;
    for (const auto& [site, loop] : part.counting) {
        all.counting[site].endless |= loop.endless;
        all.counting[site].left |= loop.left;
    }
    all.covered.insert(part.covered.begin(), part.covered.end());
    for (const auto& [state, times] : part.states) all.states[state] += times;
    if (all.error.kind == failure_kind::nothing && part.error.kind != failure_kind::nothing) {
        all.error = part.error;
        all.steps = part.steps;
        all.history = part.history;
    }
    return process;
}

} // namespace ringproof::verify
