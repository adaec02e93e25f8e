// SPDX-License-Identifier: Apache-2.0
// Perf's ring with one producer and one consumer, written in the oracle's operations: execution
// counts, and which of the four orders is needed when the slots are plain memory.
#include "enumerate.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {
namespace {

using namespace write;
constexpr int head = 0, tail = 1;

struct orders {
    order load_tail = acq, publish_head = rel, load_head = acq, release_tail = rel; // A, B, C, D
};

program waiting_ring(int items, int slots, const orders& with = {}) {
    thread_code producer, consumer;
    for (int i = 0; i < items; ++i) {
        producer.append(await(tail, comparison::not_equal, i - slots, with.load_tail));
        producer.append(plain_store(i % slots, i + 1));
        producer.append(store(head, i + 1, with.publish_head));
        consumer.append(await(head, comparison::not_equal, i, with.load_head));
        consumer.append(plain_load(i % slots, i));
        consumer.append(store(tail, i + 1, with.release_tail));
    }
    return {producer, consumer};
}

/// Gives up on an item when the ring is full (or empty). Each side re-reads its own index, which has
/// only one value to read; the slots are left out, since without a race they add no choice.
program trying_ring(int items, int slots) {
    thread_code producer, consumer;
    for (int i = 0; i < items; ++i) {
        producer.append(load(head, rlx, 0));
        producer.append(load(tail, acq, 1));
        producer.append(skip_if(1, comparison::equal, reg(0) + -slots, 1));
        producer.append(store(head, reg(0) + 1, rel));
        consumer.append(load(tail, rlx, 0));
        consumer.append(load(head, acq, 1));
        consumer.append(skip_if(1, comparison::equal, reg(0), 1));
        consumer.append(store(tail, reg(0) + 1, rel));
    }
    return {producer, consumer};
}

bool races(int items, const orders& with) {
    return enumerate(waiting_ring(items, 2, with), memory_model::rc11).race;
}

} // namespace

TEST_CASE("a waiting ring of two slots has 3^(N-1) executions and delivers in order") {
    const std::vector<std::uint64_t> known{1, 3, 9, 27};
    for (int items = 1; items <= 4; ++items) {
        const enumeration found = enumerate(waiting_ring(items, 2), memory_model::rc11);
        CHECK(found.executions == known[static_cast<std::size_t>(items - 1)]);
        CHECK(found.blocked == 0);
        CHECK_FALSE(found.race);
        CHECK(found.outcomes.size() == 1);
        for (const outcome& one : found.outcomes)
            for (int i = 0; i < items; ++i) CHECK(one.registers[1][static_cast<std::size_t>(i)] == i + 1);
    }
}

TEST_CASE("a waiting ring of one slot has one execution, of four slots 84 and 80 under sc") {
    for (int items = 1; items <= 4; ++items)
        CHECK(enumerate(waiting_ring(items, 1), memory_model::rc11).executions == 1);
    CHECK(enumerate(waiting_ring(4, 4), memory_model::rc11).executions == 84);
    CHECK(enumerate(waiting_ring(4, 4), memory_model::sc).executions == 80);
}

TEST_CASE("a trying ring of two slots has the known number of executions") {
    const std::vector<std::uint64_t> rc11{2, 9, 47, 256};
    for (int items = 1; items <= 4; ++items)
        CHECK(enumerate(trying_ring(items, 2), memory_model::rc11).executions ==
              rc11[static_cast<std::size_t>(items - 1)]);
    CHECK(enumerate(trying_ring(3, 2), memory_model::sc).executions == 44);
    CHECK(enumerate(trying_ring(4, 2), memory_model::sc).executions == 225);
    CHECK(enumerate(trying_ring(4, 4), memory_model::rc11).executions == 436);
    CHECK(enumerate(trying_ring(4, 4), memory_model::sc).executions == 353);
}

TEST_CASE("plain slots need all four orders, the two that license reuse only once a slot is reused") {
    orders weak_a, weak_b, weak_c, weak_d;
    weak_a.load_tail = weak_b.publish_head = weak_c.load_head = weak_d.release_tail = rlx;
    CHECK(races(1, weak_b));
    CHECK(races(1, weak_c));
    CHECK_FALSE(races(2, weak_a));
    CHECK_FALSE(races(2, weak_d));
    CHECK(races(3, weak_a));
    CHECK(races(3, weak_d));
}

} // namespace ringproof::verify::oracle
