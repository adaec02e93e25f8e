// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a peer's adapter provides, and how it enters the catalogue:
//
//   template <class Payload> struct my_queue {
//       static constexpr bool one_producer = true;
//       using payload = Payload;
//       my_queue(std::size_t capacity, std::size_t producers);
//       auto producer();                       // a handle for one thread, with
//           template <class Fill> bool try_push(Fill&& fill);  // calls fill(Payload&) where it shall lie
//       auto consumer();
//           template <class Use> bool try_pop(Use&& use);      // calls use(const Payload&)
//   };
//
// fill and use let a queue that can hand out its own memory be used in place; the others copy. A handle may also
// have
//
//       void flush();                                          // a producer that publishes in batches ends one
//       template <class Use> std::size_t pop_some(Use&& use, int most);  // room is given back once for all
//
// and is then a peer of its own, since one by one and in batches are different things.

#include "burst.hpp"
#include "loaded_latency.hpp"
#include "ping_pong.hpp"
#include "throughput.hpp"

#include <string>

namespace ringproof::bench {

/// For a queue that wants a finished value.
template <class Payload, class Queue, class Fill>
bool push_value(Queue& queue, Fill&& fill) {
    Payload p;
    fill(p);
    return queue.try_push(p);
}

/// A peer that copies payloads in and out by `try_push(payload)` and `try_pop(payload&)`. What it is made of beyond
/// that, its constructor, is the adapter's.
template <class Queue, class Payload, bool OneProducer>
struct value_queue_adapter {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    template <class... Args>
    explicit value_queue_adapter(Args... args) : queue(args...) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return push_value<payload>(queue, fill);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (!queue.try_pop(p)) return false;
        use(p);
        return true;
    }

    value_queue_adapter& producer() { return *this; }
    value_queue_adapter& consumer() { return *this; }
    Queue queue;
};

inline constexpr int loads[] = {50, 80, 95}; ///< percent of the peak
inline constexpr int burst_items = 1024;

template <class Adapter>
void add_throughput(catalogue& out, std::string workload, const char* peer, std::size_t producers,
                    tier from = tier::usual) {
    entry e;
    e.workload = std::move(workload);
    e.peer = peer;
    e.producers = producers;
    e.bytes = sizeof(typename Adapter::payload);
    e.limit = limit_kind::stream;
    e.from = from;
    e.run = run_throughput<Adapter>;
    out.push_back(std::move(e));
}

template <class Adapter>
void add_ping_pong(catalogue& out, std::string workload, const char* peer, tier from = tier::usual) {
    entry e;
    e.workload = std::move(workload);
    e.peer = peer;
    e.limit = limit_kind::two_line_round_trip;
    e.from = from;
    e.run = run_ping_pong<Adapter>;
    out.push_back(std::move(e));
}

/// What an application feels that does not run flat out: latency under a given load, and bursts.
template <class Adapter>
void add_arrivals(catalogue& out, const std::string& workload, const char* peer) {
    for (const int load : loads) {
        entry e;
        e.workload = workload + "/latency/load:" + std::to_string(load);
        e.peer = peer;
        e.from = tier::usual;
        e.run = [load](const placement& p, const run_settings& s) {
            return run_loaded_latency<Adapter>(p, s, load);
        };
        out.push_back(std::move(e));
    }
    entry e;
    e.workload = workload + "/burst:" + std::to_string(burst_items);
    e.peer = peer;
    e.bytes = sizeof(typename Adapter::payload);
    e.limit = limit_kind::stream;
    e.run = run_burst<Adapter>;
    out.push_back(std::move(e));
}

/// One size of record; the queue holds as many bytes whatever their size.
template <template <class> class Queue, std::size_t Bytes>
void add_record_throughput(catalogue& out, const char* peer) {
    add_throughput<Queue<record<Bytes>>>(out, "spsc/records:" + std::to_string(Bytes) + "/throughput", peer,
                                         1, Bytes == 64 ? tier::quick : tier::usual);
}

template <template <class> class Queue>
void add_spsc_records(catalogue& out, const char* peer) {
    add_record_throughput<Queue, 16>(out, peer);
    add_record_throughput<Queue, 64>(out, peer);
    add_record_throughput<Queue, 256>(out, peer);
    add_record_throughput<Queue, 1024>(out, peer);
    add_record_throughput<Queue, 4096>(out, peer);
    add_ping_pong<Queue<record<64>>>(out, "spsc/records:64/ping-pong", peer);
    // With a header of 8 bytes one line, as perf counts its records.
    add_ping_pong<Queue<record<56>>>(out, "spsc/records:56/ping-pong", peer);
    add_arrivals<Queue<record<64>>>(out, "spsc/records:64", peer);
}

template <class Items>
void add_spsc_items(catalogue& out, const char* peer) {
    add_throughput<Items>(out, "spsc/items:8/throughput", peer, 1, tier::quick);
    add_ping_pong<Items>(out, "spsc/items:8/ping-pong", peer, tier::quick);
    add_arrivals<Items>(out, "spsc/items:8", peer);
}

template <template <class> class Queue>
void add_spsc(catalogue& out, const char* peer) {
    add_spsc_items<Queue<item>>(out, peer);
    add_spsc_records<Queue>(out, peer);
}

template <class Queue>
void add_mpsc_throughput(catalogue& out, const std::string& payload, const char* peer) {
    for (const std::size_t producers : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}})
        add_throughput<Queue>(
            out, "mpsc/" + payload + "/producers:" + std::to_string(producers) + "/throughput", peer,
            producers, producers == 2 && sizeof(typename Queue::payload) == 8 ? tier::quick : tier::usual);
}

template <template <class> class Queue>
void add_mpsc(catalogue& out, const char* peer) {
    add_mpsc_throughput<Queue<item>>(out, "items:8", peer);
    add_mpsc_throughput<Queue<record<64>>>(out, "records:64", peer);
    add_ping_pong<Queue<item>>(out, "mpsc/items:8/ping-pong", peer);
}

/// Queues that only differ in how they read or publish in batches: no single item on its way.
template <template <class> class Queue>
void add_spsc_batches(catalogue& out, const char* peer) {
    add_throughput<Queue<item>>(out, "spsc/items:8/throughput", peer, 1, tier::quick);
    add_record_throughput<Queue, 16>(out, peer);
    add_record_throughput<Queue, 64>(out, peer);
    add_record_throughput<Queue, 256>(out, peer);
    add_record_throughput<Queue, 1024>(out, peer);
    add_record_throughput<Queue, 4096>(out, peer);
}

} // namespace ringproof::bench
