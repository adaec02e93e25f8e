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
// A consumer may also have pop_some(use, most), which gives back room once for up to `most` payloads: a
// peer of its own then, since reading one by one and reading in batches are different things.
//
// fill and use let a queue that can hand out its own memory be used in place; the others copy.

#include "ping_pong.hpp"
#include "throughput.hpp"

#include <string>

namespace ringproof::bench {

template <class Adapter>
void add_throughput(catalogue& out, std::string workload, const char* peer, std::size_t producers) {
    entry e;
    e.workload = std::move(workload);
    e.peer = peer;
    e.producers = producers;
    e.bytes = sizeof(typename Adapter::payload);
    e.limit = limit_kind::stream;
    e.run = run_throughput<Adapter>;
    out.push_back(std::move(e));
}

template <class Adapter>
void add_ping_pong(catalogue& out, std::string workload, const char* peer) {
    entry e;
    e.workload = std::move(workload);
    e.peer = peer;
    e.limit = limit_kind::two_line_round_trip;
    e.run = run_ping_pong<Adapter>;
    out.push_back(std::move(e));
}

/// Throughput only: what reads in batches gains nothing from one item on the way.
template <class Items, class Records>
void add_batches(catalogue& out, const std::string& kind, const char* peer) {
    for (std::size_t producers = 1; producers <= (Items::one_producer ? 1u : 2u); ++producers) {
        std::string suffix = "/throughput";
        if (!Items::one_producer) suffix = "/producers:" + std::to_string(producers) + suffix;
        add_throughput<Items>(out, kind + "/items:8" + suffix, peer, producers);
        add_throughput<Records>(out, kind + "/records:64" + suffix, peer, producers);
    }
}

template <class Items, class Records>
void add_spsc(catalogue& out, const char* peer) {
    add_throughput<Items>(out, "spsc/items:8/throughput", peer, 1);
    add_ping_pong<Items>(out, "spsc/items:8/ping-pong", peer);
    add_throughput<Records>(out, "spsc/records:64/throughput", peer, 1);
    add_ping_pong<Records>(out, "spsc/records:64/ping-pong", peer);
}

template <class Items, class Records>
void add_mpsc(catalogue& out, const char* peer) {
    for (const std::size_t producers : {std::size_t{1}, std::size_t{2}}) {
        const std::string suffix = "/producers:" + std::to_string(producers) + "/throughput";
        add_throughput<Items>(out, "mpsc/items:8" + suffix, peer, producers);
        add_throughput<Records>(out, "mpsc/records:64" + suffix, peer, producers);
    }
    add_ping_pong<Items>(out, "mpsc/items:8/ping-pong", peer);
    add_ping_pong<Records>(out, "mpsc/records:64/ping-pong", peer);
}

} // namespace ringproof::bench
