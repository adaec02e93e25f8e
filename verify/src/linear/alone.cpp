// SPDX-License-Identifier: Apache-2.0
#include "alone.hpp"

#include "../parallel/apart.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>

namespace ringproof::verify::linear {
namespace {

/// How long so many runs may take. A run takes microseconds, and a minute of a loop without end would be long; nine calls
/// that get fresh numbers have a million orders.
unsigned most_seconds(std::size_t runs) { return 5 + static_cast<unsigned>(runs / 10'000); }

/// What a process that could not finish tells of the structure.
std::string complaint(const told_apart& told) {
    if (told.killed && told.signal == SIGALRM)
        return "a call does not return when no other thread runs: give a specification, like<…>(), or leave "
               "that call out";
    if (told.killed)
        return "it is killed by signal " + std::to_string(told.signal) + " when a single thread calls it";
    return "a call throws when a single thread makes it";
}

/// What all calls of these orders return, one behind the other.
template <class Orders>
std::string answers_of(const test& t, const Orders& all) {
    std::string given;
    for (const auto& order : all) {
        std::vector<made_call> made;
        for (const auto& [operation, argument] : order) made.push_back({operation, 0, argument, {}});
        t.alone(t, made.data(), made.size());
        for (const made_call& c : made) given.append(reinterpret_cast<const char*>(&c.given), sizeof c.given);
    }
    return given;
}

/// Whether a thread before `t` has the same calls left to make: it takes the turn.
bool is_as_one_before(const client_calls& client, const std::vector<std::size_t>& done, std::size_t t) {
    const auto same = [](const made_call& a, const made_call& b) {
        return a.operation == b.operation && a.argument == b.argument;
    };
    for (std::size_t u = 0; u < t; ++u)
        if (std::equal(client[u].begin() + static_cast<std::ptrdiff_t>(done[u]), client[u].end(),
                       client[t].begin() + static_cast<std::ptrdiff_t>(done[t]), client[t].end(), same))
            return true;
    return false;
}

} // namespace

/// Adds each order of the calls of `client`. Those that may say "no" for no reason can be missing.
void alone::add_orders(const test& test, const client_calls& client, std::set<sequence>& all) {
    std::vector<std::size_t> done(client.size(), 0);
    sequence order;
    const auto go_on = [&](const auto& self) -> void {
        bool any = false;
        for (std::size_t t = 0; t < client.size(); ++t) {
            if (done[t] == client[t].size() || is_as_one_before(client, done, t)) continue;
            const made_call& c = client[t][done[t]++];
            order.emplace_back(c.operation, c.argument);
            any = true;
            self(self);
            order.pop_back();
            if (test.operations[c.operation].may_fail) self(self);
            --done[t];
        }
        if (!any) all.insert(order);
    };
    go_on(go_on);
}

alone::alone(const test& t, const std::vector<client_calls>& clients) {
    std::set<sequence> all;
    for (const client_calls& c : clients) add_orders(t, c, all);
    std::size_t calls = 0;
    for (const sequence& s : all) calls += s.size();
    const told_apart told = run_apart([&] { return answers_of(t, all); }, most_seconds(all.size()));
    if (!told.good() || told.text.size() != calls * sizeof(answer)) throw std::runtime_error(complaint(told));
    std::vector<answer> given(calls);
    std::memcpy(given.data(), told.text.data(), told.text.size());
    const answer* next = given.data();
    for (const sequence& s : all) {
        learn(s, next);
        next += s.size();
    }
}

void alone::learn(const sequence& s, const answer* given) {
    std::size_t at = 0;
    for (const kind& k : s) {
        const auto [next, is_new] = nodes_[at].next.emplace(k, nodes_.size());
        at = next->second;
        if (is_new)
            nodes_.push_back({*given, {}});
        else if (!(nodes_[at].given == *given))
            throw std::runtime_error(
                "a single thread that makes the same calls gets other results each time: give a "
                "specification, like<…>()");
        ++given;
    }
}

bool alone::allows(const made_call* calls, std::size_t n) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto next = nodes_[at].next.find({calls[i].operation, calls[i].argument});
        if (next == nodes_[at].next.end()) throw std::logic_error("these calls were not made alone");
        at = next->second;
    }
    return nodes_[at].given == calls[n - 1].given;
}

} // namespace ringproof::verify::linear
