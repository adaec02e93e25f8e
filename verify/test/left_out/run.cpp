// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <mutex>
#include <thread>
#include <vector>

namespace ringproof::verify::left_out {
namespace {

using kind = statement_kind;

const program* at_hand = nullptr;

std::array<std::atomic<int>, words> word;
std::array<int, variables> variable;
std::array<int*, variables> local; ///< of main
std::array<int*, variables> block;
std::mutex guard;
bool is_open;

[[gnu::noinline, gnu::no_sanitize_thread]] unsigned threads() {
    return static_cast<unsigned>(at_hand->threads.size());
}
[[gnu::noinline, gnu::no_sanitize_thread]] unsigned statements_of(unsigned thread) {
    return static_cast<unsigned>(at_hand->threads[thread].size());
}
[[gnu::noinline, gnu::no_sanitize_thread]] statement statement_of(unsigned thread, unsigned n) {
    return at_hand->threads[thread][n];
}

int made(const access& a) {
    using of = access::of;
    switch (a.what) {
    case of::plain:
        return a.write ? variable[a.number] = 0 : variable[a.number];
    case of::local:
        return a.write ? *local[a.number] = 0 : *local[a.number];
    case of::word:
        return word[a.number].load(std::memory_order_relaxed);
    case of::freed:
        if (!a.write) return *block[a.number];
        delete block[a.number];
        return 0;
    }
    return 0;
}

[[gnu::noinline]] int access_all(const statement& s) {
    int sum = 0;
    for (unsigned i = 0; i < s.count; ++i) sum += made(s.accesses[i]);
    return sum & 0;
}

[[gnu::noinline]] bool looks_open(const statement& s) {
    const std::lock_guard within(guard);
    return is_open || access_all(s) != 0;
}

void make(const statement& s) {
    switch (s.kind) {
    case kind::store:
        return word[s.word].store(1, s.order);
    case kind::if_seen:
        if (word[s.word].load(s.order) != 0) access_all(s);
        return;
    case kind::wait:
        while (word[s.word].load(s.order) == 0) access_all(s);
        return;
    case kind::retry:
        for (int seen = 1; !word[s.word].compare_exchange_strong(seen, 2, s.order); seen = 1) access_all(s);
        return;
    case kind::poll:
        while (!looks_open(s)) {
        }
        return;
    case kind::open: {
        const std::lock_guard within(guard);
        is_open = true;
        return;
    }
    case kind::access:
        access_all(s);
        return;
    case kind::fence:
        return std::atomic_thread_fence(s.order);
    }
}

void make_all(unsigned thread) {
    const unsigned count = statements_of(thread);
    for (unsigned n = 0; n < count; ++n) {
        const statement s = statement_of(thread, n);
        make(s);
    }
}

} // namespace

void choose(const program& p) { at_hand = &p; }

void run_chosen() {
    for (auto& w : word) w.store(0, std::memory_order_relaxed);
    variable = {};
    is_open = false;
    std::array<int, variables> own{};
    for (unsigned i = 0; i < variables; ++i) local[i] = &own[i], block[i] = new int(0);
    std::array<std::thread, most_threads> all;
    for (unsigned t = 0; t < threads(); ++t) all[t] = std::thread(make_all, t);
    for (unsigned t = 0; t < threads(); ++t) all[t].join();
}

} // namespace ringproof::verify::left_out
