// SPDX-License-Identifier: Apache-2.0
// Rings, recorders and queues used as they are not meant to be: docs/errors.md.
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "../last_words.hpp"
#include "ringproof/aux/aux_area.hpp"
#include "ringproof/aux/aux_window.hpp"
#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/mpsc_queue.hpp"
#include "ringproof/per_cpu_rings.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/recorder.hpp"
#include "ringproof/spsc_queue.hpp"

using namespace ringproof;
using Catch::Matchers::Contains;

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
using robust_ring = record_ring<robust, acquire_release, refuse, between_processes>;

std::vector<std::byte> filled(std::size_t size) { return std::vector<std::byte>(size, std::byte{7}); }

template <class Ring>
std::size_t count(Ring& ring) {
    return ring.consume([](const record&) {});
}

} // namespace

TEMPLATE_TEST_CASE("the largest record fits, one byte more is refused, and none is cut", "", single,
                   single_in_band, single_batched<>, nested, shared) {
    record_ring<TestType> ring(std::size_t{1} << 17);
    REQUIRE(ring.max_payload() == 65520); // 65,528 with the header: the size is 16 bits wide
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{65519}, std::size_t{65520}}) {
        REQUIRE(ring.write(filled(size)));
        ring.flush();
        std::size_t got = most;
        ring.consume([&](const record& one) { got = one.size(); });
        CHECK(got == size);
    }
    for (const std::size_t size : {std::size_t{65521}, std::size_t{65527}, std::size_t{65528},
                                   std::size_t{65536}, most / 2, most - 8, most - 7, most})
        CHECK(ring.begin(size).why() == refusal::too_large);
    CHECK(ring.lost() == 8);
    record_ring<TestType> small(64);
    CHECK(small.begin(small.max_payload() + 1).why() == refusal::too_large);
    CHECK(small.write(filled(small.max_payload())));
}

TEST_CASE("nothing may be written, copied and read as well as anything") {
    record_ring<> ring(64);
    recorder<> kept(64);
    CHECK(ring.write({}));
    CHECK(kept.write({}));
    for (const auto one : ring.read()) {
        CHECK(one.size() == 0);
        CHECK(one.copy_to({}) == 0);
        CHECK_FALSE(one.as<char>());
    }
    auto room = ring.begin(8);
    CHECK(room.copy_from({}) == 0);
    CHECK(room.copy_from(filled(8), most) == 0);
    room.discard();
    CHECK(kept.take().records().size() == 1);
    aux_window window(ring, 64);
    auto trace = window.begin();
    trace.append({});
    CHECK(trace.commit() == 0);
    aux_area area(ring, 64);
    CHECK(area.begin().append({}) == 0);
    CHECK(area.read(0).size() == 0);
}

TEST_CASE("options beyond the ring are cut to what it can have") {
    record_ring<> ring(ring_memory::heap(256), {0, 0, most, most});
    for (int i = 0; i != 100; ++i) {
        REQUIRE(ring.write(filled(8)));
        REQUIRE(ring.write(filled(8)));
        REQUIRE(ring.consume([](const record&) {}, 1) == 1);
        REQUIRE(count(ring) == 1);
        REQUIRE(ring.size_guess() == 0);
    }
    CHECK(ring.consume([](const record&) {}, 0) == 0);
    aux_area area(ring, 64, {0, most});
    CHECK(area.watermark() == 32);
}

TEMPLATE_TEST_CASE("a producer that comes to a ring with unread records does not overwrite them", "", single,
                   nested) {
    using ring_type = record_ring<TestType, acquire_release, refuse, perf_abi>;
    auto memory = mapped_memory::shared(4096);
    const int descriptor = memory.descriptor();
    ring_type consumer(std::move(memory));
    std::optional<ring_type> producer(mapped_memory::attach(descriptor));
    for (int i = 0; i != 3; ++i) REQUIRE(producer->write(filled(1000)));
    producer.emplace(
        mapped_memory::attach(descriptor)); // the one before has ended, with three records unread
    REQUIRE(producer->write(filled(1000)));
    CHECK(producer->try_begin(1000).why() == refusal::full);
    CHECK(count(consumer) == 4);
    CHECK(consumer.error() == read_error::none);
    CHECK(producer->write(filled(1000)));
    CHECK(count(consumer) == 1);
}

TEST_CASE("a page whose head no record can have is refused") {
    using ring_type = record_ring<single, acquire_release, refuse, perf_abi>;
    const auto memory = mapped_memory::shared(4096);
    const std::uint64_t head = 12;
    std::memcpy(memory.control() + perf_abi::head_at, &head, 8);
    CHECK_THROWS_WITH(ring_type(mapped_memory::attach(memory.descriptor())),
                      Contains("head is not a multiple of 8"));
}

TEST_CASE("a ring between processes is not attached to before it has been made") {
    auto memory = mapped_memory::shared(4096);
    const int descriptor = memory.descriptor();
    CHECK_THROWS_WITH(robust_ring(mapped_memory::attach(descriptor)), Contains("yet"));
    const std::uint64_t start = 0 - std::uint64_t{64};
    robust_ring first(std::move(memory), {start});
    robust_ring second(mapped_memory::attach(descriptor), {8}); // where the ring is, not what was asked for
    for (int i = 0; i != 9; ++i) {
        REQUIRE(second.write(filled(100)));
        CHECK(count(first) == 1);
    }
}

TEST_CASE("a forked process does not give up its parent's place among the producers") {
    robust_ring ring(mapped_memory::shared(4096));
    std::optional<robust_ring> mine(mapped_memory::attach(ring.memory().descriptor()));
    const auto owner = [&](std::size_t place) {
        std::uint64_t value = 0;
        std::memcpy(&value, ring.memory().control() + between_processes::places_at + 64 * place, 8);
        return value;
    };
    REQUIRE(owner(1) != 0);
    CHECK(in_own_process([&] {
              mine.reset(); // the end of its copy
              return 0;
          }) == 0);
    CHECK(owner(1) == owner(0));
    mine.reset();
    CHECK(owner(1) == 0);
}

TEST_CASE("a reservation that outlives its ring between processes is recovered when its process has ended") {
    robust_ring ring(mapped_memory::shared(4096));
    REQUIRE(in_own_process([&] {
                auto* const mine = new robust_ring(mapped_memory::attach(ring.memory().descriptor()));
                const auto* const room = new robust_ring::reservation(mine->begin(8)); // never ended
                const bool open = static_cast<bool>(*room);
                delete mine;
                return open ? 0 : 1;
            }) == 0);
    const auto done = ring.recover();
    CHECK(done.records == 1);
    CHECK(done.complete);
    REQUIRE(ring.write(filled(8)));
    CHECK(count(ring) == 1);
}

TEST_CASE("a process that could not find out when it began is not taken for dead") {
    using detail::process_identity;
    const auto unknown = static_cast<std::uint64_t>(::getpid()) << 32;
    CHECK_FALSE(process_identity::dead(unknown));
    CHECK_FALSE(process_identity::dead(process_identity::own()));
    CHECK(process_identity::is_own(unknown));
    CHECK(in_own_process([&] { return process_identity::is_own(unknown) ? 1 : 0; }) == 0);
    CHECK(process_identity::dead(std::uint64_t{0x7fff'ffff} << 32));
    if (process_identity::own() != unknown)
        CHECK(process_identity::dead(process_identity::own() ^ 1)); // another's number
}

TEST_CASE("what is used after its end, or in the middle of itself, is a broken contract") {
    record_ring<> ring(256);
    CHECK_THAT(last_words([&] { static_cast<void>(*ring.read().begin()); }), Contains("end of a batch"));
    const auto gone = std::make_unique<record_ring<>>(64);
    CHECK_THAT(last_words([&] {
                   auto batch = gone->read();
                   gone->~record_ring();
               }),
               Contains("while a batch of it is open"));
    CHECK_THAT(last_words([&] {
                   auto room = gone->begin(1);
                   gone->~record_ring();
               }),
               Contains("while a reservation is open"));
    CHECK_THAT(last_words([&] {
                   record_ring<nested> inner(64);
                   auto room = inner.begin(1);
                   inner.~record_ring();
               }),
               Contains("while a reservation is open"));
    CHECK_THAT(last_words([&] {
                   auto batch = ring.read();
                   ring.resynchronise();
               }),
               Contains("not resynchronised within a batch"));
    CHECK_THAT(last_words([&] {
                   robust_ring between(mapped_memory::shared(4096));
                   auto batch = between.read();
                   between.recover();
               }),
               Contains("not recovered within a batch"));
    CHECK_THAT(last_words([&] {
                   per_cpu_rings<> rings(64);
                   static_cast<void>(rings[rings.size()].capacity());
               }),
               Contains("a ring for each CPU"));
    CHECK_THAT(last_words([&] {
                   std::optional<aux_area<record_ring<>>> area(std::in_place, ring, std::size_t{64});
                   auto room = area->begin();
                   area.reset();
               }),
               Contains("while a transaction is open"));
    CHECK_THAT(last_words([&] {
                   aux_area area(ring, 64);
                   auto first = area.read();
                   auto second = area.read();
               }),
               Contains("one chunk at a time"));
    CHECK_THAT(last_words([&] {
                   std::optional<aux_window<record_ring<>>> window(std::in_place, ring, std::size_t{64});
                   auto room = window->begin();
                   window.reset();
               }),
               Contains("while a transaction is open"));
}

namespace {

/// Pushes another of its kind to the queue that it is built in.
template <template <class> class Queue>
struct pushy {
    explicit pushy(Queue<pushy>* to) noexcept {
        if (to != nullptr) pushed = to->try_emplace(nullptr);
    }
    bool pushed = false;
};
template <class T>
using plain_spsc = spsc_queue<T>;
template <class T>
using plain_mpsc = mpsc_queue<T>;

} // namespace

TEMPLATE_TEST_CASE("a consumer callback cannot take another item of the same queue", "", spsc_queue<int>,
                   (spsc_queue<int, acquire_release, in_band>), mpsc_queue<int>) {
    TestType queue(4);
    REQUIRE(queue.try_push(1));
    REQUIRE(queue.try_push(2));
    CHECK_THAT(last_words([&] { queue.consume([&](int&) { static_cast<void>(queue.try_pop()); }); }),
               Contains("from inside a consumer callback"));
    CHECK_THAT(last_words([&] { queue.consume([&](int&) { queue.consume([](int&) {}); }); }),
               Contains("from inside a consumer callback"));
    int seen = 0;
    CHECK(queue.consume([&](int& one) {
        seen += one;
        if (one == 1) CHECK(queue.try_push(3)); // the other side's affair
    }) >= 2);
    while (const auto one = queue.try_pop()) seen += *one;
    CHECK(seen == 6);
    CHECK_FALSE(queue.try_pop());
}

TEST_CASE(
    "an item that pushes to its own queue while it is built breaks a contract, or comes behind itself") {
    CHECK_THAT(last_words([] {
                   plain_spsc<pushy<plain_spsc>> queue(4);
                   static_cast<void>(queue.try_emplace(&queue));
               }),
               Contains("pushes to its own queue"));
    plain_mpsc<pushy<plain_mpsc>> many(4);
    REQUIRE(many.try_emplace(&many)); // its place was taken before
    CHECK(many.try_pop()->pushed);
    CHECK_FALSE(many.try_pop()->pushed);
}

TEST_CASE("a recorder that was never written has nothing, and what can't be since then is all there is") {
    recorder<> ring(64);
    const auto nothing = ring.take();
    CHECK(nothing.records().empty());
    CHECK(nothing.missed_bytes() == 0);
    CHECK(nothing.error() == snapshot_error::none);
    CHECK_FALSE(ring.write(filled(ring.max_payload() + 1)));
    CHECK_FALSE(ring.write(filled(1), {record_type::padding, 0}));
    CHECK_FALSE(ring.write(filled(1), {9, 1U << 9U}));
    CHECK(ring.lost() == 3);
    REQUIRE(ring.write(filled(1)));
    CHECK(ring.take().records().size() == 2);                     // the first tells the loss
    CHECK(ring.take_since(12345).records().size() == 2);          // a position that never was
    CHECK(ring.take_since(ring.take().head()).records().empty()); // nothing is newer
    snapshot into;
    CHECK(into.records().empty());
    ring.take_into(into, 7);
    ring.take_into(into);
    CHECK(into.records().size() == 2);
    const snapshot moved = std::move(into);
    CHECK(moved.records().size() == 2);
    CHECK(into.records().empty()); // moved from, it is empty
}

TEST_CASE("a snapshot of an AUX window that was moved from is empty") {
    record_ring<> ring(256);
    aux_window window(ring, 64);
    {
        auto trace = window.begin();
        trace.append(filled(40));
    }
    auto seen = window.take();
    CHECK(seen.bytes().size() == 40);
    const auto moved = std::move(seen);
    CHECK(moved.bytes().size() == 40);
    CHECK(seen.bytes().empty());
}
