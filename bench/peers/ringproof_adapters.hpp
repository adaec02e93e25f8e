// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adapters of our own queues and rings, for any of their policies: a policy to compare is one line in
// ringproof_policies.cpp.
#include "../src/workload/adapter.hpp"

#include <bit>
#include <new>
#include <ringproof/mpsc_queue.hpp>
#include <ringproof/per_cpu_rings.hpp>
#include <ringproof/producer/single_in_band.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/spsc_queue.hpp>
#include <span>
#include <type_traits>

namespace ringproof::bench {

/// A queue of items: spsc_queue or mpsc_queue, whatever their barriers.
template <class Queue, bool OneProducer>
struct queue_adapter {
    static constexpr bool one_producer = OneProducer;
    using payload = typename Queue::value_type;

    queue_adapter(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return push_value<payload>(queue, fill);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return queue.consume(use, 1) == 1;
    }
    template <class Use>
    std::size_t read(Use&& use, std::size_t most) {
        return queue.consume(use, most);
    }

    queue_adapter& producer() { return *this; }
    queue_adapter& consumer() { return *this; }
    Queue queue;
};

/// A payload that is filled by its constructor, so that `try_emplace` builds it in its slot.
template <class Payload>
struct filled : Payload {
    template <class Fill>
    explicit filled(const Fill& fill) {
        fill(static_cast<Payload&>(*this));
    }
};

/// A queue whose items are built and used in their slots, as records are in a ring.
template <class Payload, class HandOver>
struct built_in_place
    : queue_adapter<ringproof::spsc_queue<filled<Payload>, ringproof::acquire_release, HandOver>, true> {
    using payload = Payload;
    using built_in_place::queue_adapter::queue_adapter;

    template <class Fill>
    bool try_push(Fill&& fill) {
        return this->queue.try_emplace(fill);
    }
    built_in_place& producer() { return *this; }
    built_in_place& consumer() { return *this; }
};

/// The smallest ring that holds `capacity` payloads, roughly: with its header a record takes 8 bytes more, and
/// powers of two it must be.
template <class Payload>
constexpr std::size_t ring_bytes_for(std::size_t capacity) {
    return std::bit_floor(capacity * (sizeof(Payload) + 8));
}

/// Always inlined: so are the peers', which have less in them.
template <class Ring, class Payload, class Fill>
[[gnu::always_inline]] inline bool push_in_place(Ring& ring, Fill&& fill) {
    auto reservation = ring.try_begin(sizeof(Payload));
    if (!reservation) return false;
    const auto place = reservation.bytes();
    if (place.second.empty()) {
        fill(*new (place.first.data()) Payload);
    } else {
        Payload p;
        fill(p);
        reservation.copy_from(std::as_bytes(std::span(&p, 1)));
    }
    reservation.commit();
    return true;
}

template <class Payload, class Use>
void use_in_place(const ringproof::record& r, Use&& use) {
    const auto place = r.bytes();
    if (place.second.empty()) {
        use(*std::launder(reinterpret_cast<const Payload*>(place.first.data())));
    } else {
        Payload p;
        r.copy_to(std::as_writable_bytes(std::span(&p, 1)));
        use(p);
    }
}

/// A record ring, filled and read where it lies, except for the few records that wrap round the end of the ring.
template <class Ring, bool OneProducer, class Payload>
struct ring_adapter {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    ring_adapter(std::size_t capacity, std::size_t) : ring(ring_bytes_for<Payload>(capacity)) {}
    explicit ring_adapter(ring_memory memory, ring_options options = {}) : ring(std::move(memory), options) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return push_in_place<Ring, Payload>(ring, fill);
    }
    template <class Use>
    std::size_t read(Use&& use, std::size_t most) {
        return ring.consume([&](const auto& r) { use_in_place<Payload>(r, use); }, most);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return read(use, 1) == 1;
    }

    ring_adapter& producer() { return *this; }
    ring_adapter& consumer() { return *this; }
    Ring ring;
};

/// A ring whose consumer only reads: ring_options::take_over is off.
template <class Payload>
struct lines_left : ring_adapter<ringproof::record_ring<ringproof::single>, true, Payload> {
    lines_left(std::size_t capacity, std::size_t)
        : ring_adapter<ringproof::record_ring<ringproof::single>, true, Payload>(
              ring_memory::heap(ring_bytes_for<Payload>(capacity)), {.take_over = false}) {}
    lines_left& producer() { return *this; }
    lines_left& consumer() { return *this; }
};

/// One ring for each CPU: the consumer stays with one until it is empty. Threads are pinned here, so a producer's records
/// stay in one ring and thus in order.
template <class Payload, bool OneProducer = false>
struct per_cpu_adapter {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    per_cpu_adapter(std::size_t capacity, std::size_t) : rings(ring_bytes_for<Payload>(capacity)) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return push_in_place<ringproof::per_cpu_rings<>, Payload>(rings, fill);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        for (std::size_t looked = 0; looked != rings.size(); ++looked) {
            if (rings[at].consume([&](const auto& r) { use_in_place<Payload>(r, use); }, 1) == 1) return true;
            at = at + 1 == rings.size() ? 0 : at + 1;
        }
        return false;
    }

    per_cpu_adapter& producer() { return *this; }
    per_cpu_adapter& consumer() { return *this; }
    ringproof::per_cpu_rings<> rings;
    alignas(128) std::size_t at = 0; ///< the consumer's
};

/// The same ring with copies on both sides, as a program has it whose records exist elsewhere.
template <class Ring, bool OneProducer, class Payload>
struct copying_adapter : ring_adapter<Ring, OneProducer, Payload> {
    using ring_adapter<Ring, OneProducer, Payload>::ring_adapter;

    template <class Fill>
    bool try_push(Fill&& fill) {
        Payload p;
        fill(p);
        return this->ring.try_write(std::as_bytes(std::span(&p, 1)));
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return this->ring.consume(
                   [&](const auto& r) {
                       Payload p;
                       r.copy_to(std::as_writable_bytes(std::span(&p, 1)));
                       use(p);
                   },
                   1) == 1;
    }
    copying_adapter& producer() { return *this; }
    copying_adapter& consumer() { return *this; }
};

/// Any of them, read in batches.
template <class Base>
struct in_batches : Base {
    using Base::Base;
    template <class Use>
    std::size_t pop_some(Use&& use, int most) {
        return this->read(use, static_cast<std::size_t>(most));
    }
    in_batches& producer() { return *this; }
    in_batches& consumer() { return *this; }
};

/// A producer that gathers has to hand over the rest at the end.
template <class Base>
struct flushing : Base {
    using Base::Base;
    void flush() {
        if constexpr (requires { this->ring; })
            this->ring.flush();
        else
            this->queue.flush();
    }
    flushing& producer() { return *this; }
    flushing& consumer() { return *this; }
};

/// Items in the queue, anything else in the ring.
template <class Payload>
using ours_spsc =
    std::conditional_t<std::is_same_v<Payload, item>, queue_adapter<ringproof::spsc_queue<item>, true>,
                       ring_adapter<ringproof::record_ring<ringproof::single>, true, Payload>>;
template <class Payload>
using ours_in_band = std::conditional_t<
    std::is_same_v<Payload, item>,
    queue_adapter<ringproof::spsc_queue<item, ringproof::acquire_release, ringproof::in_band>, true>,
    ring_adapter<ringproof::record_ring<ringproof::single_in_band>, true, Payload>>;
/// Hands over in batches, in both directions.
template <class Payload>
using ours_batched = in_batches<flushing<std::conditional_t<
    std::is_same_v<Payload, item>,
    queue_adapter<ringproof::spsc_queue<item, ringproof::acquire_release, ringproof::batched_items>, true>,
    ring_adapter<ringproof::record_ring<ringproof::single_batched<>>, true, Payload>>>>;
template <class Payload>
using ours_mpsc =
    std::conditional_t<std::is_same_v<Payload, item>, queue_adapter<ringproof::mpsc_queue<item>, false>,
                       ring_adapter<ringproof::record_ring<ringproof::shared>, false, Payload>>;

} // namespace ringproof::bench
