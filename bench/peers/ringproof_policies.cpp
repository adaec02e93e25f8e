// SPDX-License-Identifier: Apache-2.0
// Our own policies against each other, one changed at a time: what do the letters A to D cost here, what does the LOCK
// prefix cost, what does publishing in band save, what does batching bring. The reference is the default ring.
#include "ringproof_adapters.hpp"

#include <ringproof/layout/between_processes.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/nested.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/producer/single_in_band.hpp>

namespace ringproof::bench {
namespace {

/// Every letter as the strongest there is: what it would cost not to have thought.
struct sequential : ringproof::acquire_release {
    static position load_tail(const std::atomic<position>& tail) noexcept { return tail.load(); }
    static void publish_head(std::atomic<position>& head, position value) noexcept { head.store(value); }
    static position load_head(const std::atomic<position>& head) noexcept { return head.load(); }
    static void release_tail(std::atomic<position>& tail, position value) noexcept { tail.store(value); }
};

#ifdef __x86_64__
/// Only the compiler is bound. On x86 that is all there is to a release store and an acquire load, so this must cost
/// the same as the default: the letters are free here. (Elsewhere it would be wrong, and is not built.)
struct compiler_only : ringproof::acquire_release {
    static position load_tail(const std::atomic<position>& tail) noexcept { return load(tail); }
    static void publish_head(std::atomic<position>& head, position value) noexcept { store(head, value); }
    static position load_head(const std::atomic<position>& head) noexcept { return load(head); }
    static void release_tail(std::atomic<position>& tail, position value) noexcept { store(tail, value); }

  private:
    static position load(const std::atomic<position>& word) noexcept {
        const position value = word.load(std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_acq_rel);
        return value;
    }
    static void store(std::atomic<position>& word, position value) noexcept {
        std::atomic_signal_fence(std::memory_order_acq_rel);
        word.store(value, std::memory_order_relaxed);
    }
};
#endif

using small = record<64>;
template <class Producer, class Barriers = ringproof::acquire_release>
using ring = ringproof::record_ring<Producer, Barriers>;
template <class Producer, class Barriers = ringproof::acquire_release>
using of = ring_adapter<ring<Producer, Barriers>, true, small>;

/// A robust ring needs memory that processes can share.
struct robust_adapter : ring_adapter<ringproof::record_ring<ringproof::robust, ringproof::acquire_release,
                                                            ringproof::refuse, ringproof::between_processes>,
                                     true, small> {
    robust_adapter(std::size_t, std::size_t) : ring_adapter(mapped_memory::shared(record_queue_bytes)) {}
    robust_adapter& producer() { return *this; }
    robust_adapter& consumer() { return *this; }
};

template <class Adapter>
void add(catalogue& out, const char* question, const char* peer, tier from = tier::usual) {
    const std::string workload = "policy/" + std::string(question);
    add_throughput<Adapter>(out, workload + "/throughput", peer, 1, from);
    add_ping_pong<Adapter>(out, workload + "/ping-pong", peer);
}

} // namespace

void add_ringproof_policies(catalogue& out) {
    add<of<single>>(out, "barriers", "ringproof", tier::quick);
    add<of<single, fences>>(out, "barriers", "ringproof_fences", tier::quick);
    add<of<single, control_dependency>>(out, "barriers", "ringproof_control_dependency", tier::quick);
    add<of<single, sequential>>(out, "barriers", "ringproof_sequential", tier::quick);
#ifdef __x86_64__
    add<of<single, compiler_only>>(out, "barriers", "ringproof_compiler_only", tier::quick);
#endif
    add<of<single>>(out, "producers", "ringproof");
    add<of<nested>>(out, "producers", "ringproof_nested_no_lock");
    add<of<shared>>(out, "producers", "ringproof_shared_lock");
    add<per_cpu_adapter<small, true>>(out, "producers", "ringproof_per_cpu_no_lock");
    add<robust_adapter>(out, "producers", "ringproof_robust");
    add<of<single>>(out, "publication", "ringproof");
    add<of<single_in_band>>(out, "publication", "ringproof_in_band");
    add<flushing<of<single_batched<>>>>(out, "publication", "ringproof_publishes_in_batches");
    add_throughput<in_batches<of<single>>>(out, "policy/publication/throughput", "ringproof_reads_in_batches",
                                           1);
    add_throughput<in_batches<flushing<of<single_batched<>>>>>(out, "policy/publication/throughput",
                                                               "ringproof_both_in_batches", 1);
}

} // namespace ringproof::bench
