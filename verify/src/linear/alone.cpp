// SPDX-License-Identifier: Apache-2.0
#include "alone.hpp"

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace ringproof::verify::linear {
namespace {

constexpr unsigned most_seconds =
    5; // a minute of a loop without end would be long, and a run takes microseconds

bool write_all(int to, const void* from, std::size_t n) {
    const char* at = static_cast<const char*>(from);
    while (n > 0) {
        const ssize_t written = write(to, at, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written, n -= static_cast<std::size_t>(written);
    }
    return true;
}

std::vector<answer> read_answers(int from, std::size_t most) {
    std::vector<answer> all(most);
    const std::size_t n = most * sizeof(answer);
    std::size_t have = 0;
    while (have < n) {
        const ssize_t got = read(from, reinterpret_cast<char*>(all.data()) + have, n - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        have += static_cast<std::size_t>(got);
    }
    all.resize(have / sizeof(answer));
    return all;
}

/// What a process that could not finish tells of the structure.
std::string complaint(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return "a call does not return when no other thread runs: give a specification, like<…>(), or leave "
               "that call out";
    if (WIFSIGNALED(status))
        return "it is killed by signal " + std::to_string(WTERMSIG(status)) +
               " when a single thread calls it";
    return "a call throws when a single thread makes it";
}

} // namespace

/// Adds each order of the calls of `client`. Those that may say "no" for no reason can be missing.
void alone::add_orders(const test& test, const client_calls& client, std::set<sequence>& all) {
    std::vector<std::size_t> done(client.size(), 0);
    sequence order;
    const auto go_on = [&](const auto& self) -> void {
        bool any = false;
        for (std::size_t t = 0; t < client.size(); ++t) {
            if (done[t] == client[t].size()) continue;
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
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to a process that runs the structure alone");
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        alarm(most_seconds);
        try {
            for (const sequence& s : all) {
                std::vector<made_call> made;
                for (const auto& [operation, argument] : s) made.push_back({operation, 0, argument, {}});
                t.alone(t, made.data(), made.size());
                for (const made_call& c : made)
                    if (!write_all(ends[1], &c.given, sizeof c.given)) _exit(2);
            }
        } catch (...) {
            _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        throw std::runtime_error("no process to run the structure alone");
    }
    const std::vector<answer> given = read_answers(ends[0], calls);
    close(ends[0]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0 || given.size() != calls) throw std::runtime_error(complaint(status));
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
