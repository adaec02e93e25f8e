// SPDX-License-Identifier: Apache-2.0
// A barrier and a stack without locks.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace yardsticks {
namespace {

using enum std::memory_order;

namespace barrier {
std::atomic<int> arrived, step;
int data;

template <waiting Waiting>
void wait(int participants) {
    const int before = step.load(seq_cst);
    if (arrived.fetch_add(1, seq_cst) == participants - 1) {
        arrived.store(0, seq_cst);
        step.fetch_add(1, seq_cst);
    } else {
        while (step.load(seq_cst) == before) round_without_effect<Waiting>();
    }
}

template <waiting Waiting>
void body(const parameters& p) {
    threads(p.a + 1, [n = p.a + 1](int i) {
        if (i == 0) {
            data = 42;
            wait<Waiting>(n);
        } else {
            wait<Waiting>(n);
            VERIFY_THAT(data == 42);
        }
    });
}
} // namespace barrier

/// Treiber's stack; the top is the index of a node, 0 for none, and a count against ABA.
namespace treiber {
struct top_value {
    std::uint32_t index;
    std::uint32_t count;
};
struct node {
    int value;
    std::atomic<std::uint64_t> next;
};

std::array<node, most_threads> nodes;
std::array<std::atomic<int>, most_threads> published;
std::atomic<std::uint64_t> top;

constexpr std::uint64_t pack(top_value v) { return std::uint64_t{v.count} << 32 | v.index; }
constexpr top_value unpack(std::uint64_t v) {
    return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

template <waiting Waiting>
void push(std::uint32_t n, int value) {
    nodes[n].value = value;
    while (true) {
        std::uint64_t old = top.load(acquire);
        nodes[n].next.store(old, relaxed);
        if (top.compare_exchange_strong(old, pack({n, unpack(old).count + 1}), release, relaxed)) return;
        round_without_effect<Waiting>();
    }
}

/// @return the value of the node taken, 0 when the stack was empty
template <waiting Waiting>
int pop() {
    while (true) {
        std::uint64_t old = top.load(acquire);
        const top_value first = unpack(old);
        if (first.index == 0) return 0;
        const std::uint32_t second = unpack(nodes[first.index].next.load(relaxed)).index;
        if (top.compare_exchange_strong(old, pack({second, first.count + 1}), release, relaxed))
            return nodes[first.index].value;
        round_without_effect<Waiting>();
    }
}

/// a writers and b readers
template <waiting Waiting>
void body(const parameters& p) {
    threads(p.a + p.b, [writers = p.a](int i) {
        if (i < writers) {
            const auto own = static_cast<std::size_t>(i + 1);
            published[own].store(i + 42, relaxed);
            push<Waiting>(static_cast<std::uint32_t>(own), i + 1);
        } else if (const int taken = pop<Waiting>(); taken != 0) {
            VERIFY_THAT(published[static_cast<std::size_t>(taken)].load(relaxed) == taken + 41);
        }
    });
}
} // namespace treiber

using enum waiting;

constexpr program programs[] = {
    {"barrier", 1, barrier::body<marked>},
    {"barrier unmarked", 1, barrier::body<unmarked>},
    {"treiber-stack", 2, treiber::body<marked>},
    {"treiber-stack unmarked", 2, treiber::body<unmarked>},
};

} // namespace

std::span<const program> structure_programs() { return programs; }

} // namespace yardsticks
