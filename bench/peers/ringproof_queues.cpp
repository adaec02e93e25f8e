// SPDX-License-Identifier: Apache-2.0
// Ours: queues for items, the ring for records, each read one by one and in batches.
#include "../src/workload/adapter.hpp"

#include <bit>
#include <new>
#include <ringproof/mpsc_queue.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/spsc_queue.hpp>
#include <span>

namespace ringproof::bench {
namespace {

template <class Queue, bool OneProducer>
struct items {
    static constexpr bool one_producer = OneProducer;
    using payload = item;

    items(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.try_push(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return queue.consume(use, 1) == 1;
    }

    items& producer() { return *this; }
    items& consumer() { return *this; }
    Queue queue;
};

/// Filled and read where it lies, except for the few records that wrap round the end of the ring.
template <class Producer, bool OneProducer, std::size_t Bytes>
struct records {
    static constexpr bool one_producer = OneProducer;
    using payload = record<Bytes>;

    // With its header a record takes 8 bytes more; powers of two it must be.
    records(std::size_t capacity, std::size_t) : ring(std::bit_floor(capacity * (Bytes + 8))) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        auto reservation = ring.try_begin(Bytes);
        if (!reservation) return false;
        const auto place = reservation.bytes();
        if (place.second.empty()) {
            fill(*new (place.first.data()) payload);
        } else {
            payload p;
            fill(p);
            reservation.copy_from(std::as_bytes(std::span(p.words)));
        }
        reservation.commit();
        return true;
    }
    template <class Use>
    std::size_t read(Use&& use, std::size_t most) {
        return ring.consume(
            [&](const auto& r) {
                const auto place = r.bytes();
                if (place.second.empty()) {
                    use(*std::launder(reinterpret_cast<const payload*>(place.first.data())));
                } else {
                    payload p;
                    r.copy_to(std::as_writable_bytes(std::span(p.words)));
                    use(p);
                }
            },
            most);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return read(use, 1) == 1;
    }

    records& producer() { return *this; }
    records& consumer() { return *this; }
    ringproof::record_ring<Producer> ring;
};

/// The same, read in batches.
template <class Base>
struct in_batches : Base {
    using Base::Base;
    template <class Use>
    std::size_t pop_some(Use&& use, int most) {
        if constexpr (requires(Base & b) { b.queue; })
            return this->queue.consume(use, static_cast<std::size_t>(most));
        else
            return this->read(use, static_cast<std::size_t>(most));
    }
    in_batches& producer() { return *this; }
    in_batches& consumer() { return *this; }
};

using spsc_items = items<ringproof::spsc_queue<item>, true>;
using mpsc_items = items<ringproof::mpsc_queue<item>, false>;
using spsc_records = records<ringproof::single, true, 64>;
using mpsc_records = records<ringproof::shared, false, 64>;

} // namespace

void add_ringproof_queues(catalogue& out) {
    add_spsc<spsc_items, spsc_records>(out, "ringproof");
    add_mpsc<mpsc_items, mpsc_records>(out, "ringproof");
    add_batches<in_batches<spsc_items>, in_batches<spsc_records>>(out, "spsc", "ringproof_batches");
    add_batches<in_batches<mpsc_items>, in_batches<mpsc_records>>(out, "mpsc", "ringproof_batches");
}

} // namespace ringproof::bench
