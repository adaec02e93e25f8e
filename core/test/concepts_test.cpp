// SPDX-License-Identifier: Apache-2.0
#include "ringproof/concepts.hpp"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "ringproof/aux/aux_area.hpp"
#include "ringproof/aux/aux_window.hpp"
#include "ringproof/direction/backward.hpp"
#include "ringproof/direction/forward.hpp"
#include "ringproof/direction/paged.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/hand_over.hpp"
#include "ringproof/layout/between_processes.hpp"
#include "ringproof/layout/perf_abi.hpp"
#include "ringproof/producer/nested.hpp"
#include "ringproof/producer/one_cpu.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/producer/single_in_band.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/session/session.hpp"
#include "ringproof/spsc_queue.hpp"
#include "ringproof/wake/event_descriptor.hpp"
#include "ringproof/wake/futex.hpp"
#include "ringproof/wake/watermark.hpp"

#include "called_barriers.hpp"
#include "counting_barriers.hpp"

using namespace ringproof;

namespace {

// What each policy can do, as its users rely on it.
template <class Producer>
constexpr std::array<bool, 9> said{
    Producer::many_threads,   Producer::commits_in_band, Producer::batches,
    Producer::tells_open,     Producer::belongs_to_cpu,  Producer::marks_crashes,
    Producer::reports_losses, Producer::can_pause,       Producer::overwrites};

template <class Producer, class Layout>
constexpr bool has_both_sides =
    producing_side<typename Producer::template producer_side<acquire_release, Layout>, Producer>&&
        consuming_side<typename Producer::template consumer_side<acquire_release>,
                       typename Producer::template producer_side<acquire_release, Layout>>;

// That of docs/policies.md.
struct doorbell {
    static constexpr bool has_descriptor = false;
    void raised(std::atomic<std::uint32_t>& flag) noexcept { ++rung, flag.notify_one(); }
    void lowered() noexcept {}
    void collect() noexcept {}
    template <class Barriers>
    void sleep(const std::atomic<std::uint32_t>& flag, std::uint32_t seen) noexcept {
        Barriers::sleep_while(flag, seen);
    }
    static inline std::atomic<int> rung{0};
};
static_assert(sink_policy<doorbell>);

} // namespace

TEST_CASE("the policies of the core are models of their concepts") {
    STATIC_REQUIRE((barriers_policy<acquire_release> && barriers_policy<fences> &&
                    barriers_policy<control_dependency> && barriers_policy<counting_barriers> &&
                    barriers_policy<called_barriers>));
    STATIC_REQUIRE_FALSE(barriers_policy<without_letter>);
    STATIC_REQUIRE((producer_policy<single> && producer_policy<single_in_band> &&
                    producer_policy<single_batched<>> && producer_policy<nested> && producer_policy<shared> &&
                    producer_policy<one_cpu> && producer_policy<robust>));
    STATIC_REQUIRE((has_both_sides<single, perf_abi> && has_both_sides<single_in_band, padded> &&
                    has_both_sides<single_batched<>, padded> && has_both_sides<nested, perf_abi> &&
                    has_both_sides<shared, padded> && has_both_sides<one_cpu, padded> &&
                    has_both_sides<robust, between_processes>));
    STATIC_REQUIRE((full_policy<refuse> && full_policy<keep_oldest>));
    STATIC_REQUIRE((layout_policy<padded> && layout_policy<perf_abi> && layout_policy<between_processes>));
    STATIC_REQUIRE((wake_policy<silent> && wake_policy<futex_wakeup> && wake_policy<descriptor_wakeup>));
    STATIC_REQUIRE((sink_policy<futex> && sink_policy<event_descriptor>));
    STATIC_REQUIRE((direction_policy<backward> && direction_policy<forward> && direction_policy<paged>));
    STATIC_REQUIRE((hand_over_policy<each> && hand_over_policy<in_band> && hand_over_policy<batched<3>>));
    STATIC_REQUIRE(identity_policy<detail::process_identity>);
    STATIC_REQUIRE((clock_policy<monotonic_clock> && mutex_policy<std::mutex>));
    STATIC_REQUIRE((ring_beside_trace<record_ring<>> &&
                    trace_transaction<aux_area<record_ring<>>::transaction> &&
                    trace_transaction<aux_window<record_ring<>>::transaction>));
}

TEST_CASE("a producer says what it can do") {
    using capabilities = std::array<bool, 9>;
    // threads, in band, batches, open, cpu, crashes, losses, pause, overwrites
    STATIC_REQUIRE(said<single> == capabilities{0, 0, 0, 1, 0, 0, 1, 1, 1});
    STATIC_REQUIRE(said<single_batched<>> == capabilities{0, 0, 1, 1, 0, 0, 1, 1, 0});
    STATIC_REQUIRE(said<single_in_band> == capabilities{0, 1, 0, 1, 0, 0, 1, 1, 0});
    STATIC_REQUIRE(said<nested> == capabilities{0, 0, 0, 1, 0, 0, 1, 1, 1});
    STATIC_REQUIRE(said<shared> == capabilities{1, 1, 0, 0, 0, 0, 1, 1, 0});
    STATIC_REQUIRE(said<one_cpu> == capabilities{1, 1, 0, 0, 1, 0, 1, 1, 0});
    STATIC_REQUIRE(said<robust> == capabilities{1, 1, 0, 0, 0, 1, 0, 0, 0});
}

TEST_CASE("a ring says what those who use it need to know") {
    STATIC_REQUIRE_FALSE(record_ring<>::wakes);
    STATIC_REQUIRE((record_ring<>::can_resynchronise && !record_ring<>::recovers && !record_ring<>::batches));
    using woken = record_ring<shared, acquire_release, keep_oldest, padded, descriptor_wakeup>;
    STATIC_REQUIRE((woken::wakes && woken::has_descriptor && !woken::can_resynchronise));
    using among_processes = record_ring<robust, acquire_release, refuse, between_processes>;
    STATIC_REQUIRE((among_processes::recovers && !among_processes::can_resynchronise));
    STATIC_REQUIRE((record_ring<single_batched<>>::batches && spsc_queue<int, fences, batched<2>>::batches));
    STATIC_REQUIRE_FALSE(spsc_queue<int>::batches);
}

TEST_CASE("a sink of one's own wakes the consumer of a ring") {
    record_ring<single, acquire_release, refuse, padded, watermark<doorbell>> ring(ring_memory::heap(256),
                                                                                   {0, 0, 64});
    const std::array<std::byte, 24> payload{};
    REQUIRE(ring.write(payload));
    CHECK(doorbell::rung == 0);
    REQUIRE(ring.write(payload));
    REQUIRE(ring.write(payload));
    CHECK(doorbell::rung == 1);
    ring.wait();
    CHECK(ring.ready());
}
