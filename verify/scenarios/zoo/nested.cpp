// SPDX-License-Identifier: Apache-2.0
// Writers inside each other: perf's own protocol (kernel/events/ring_buffer.c, perf_output_get_handle, __perf_output_begin
// and perf_output_put_handle), with interrupts that come in before any access. A writer that interrupts another reserves
// above it, so that only the outermost may publish; it looks again afterwards, as others may have come in meanwhile.

#include "property.hpp"

#include <ringproof/verify/interrupt.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;
using number = std::uint64_t;

enum class bug {
    none,
    nest_lowered_first,    ///< W1
    head_read_first,       ///< W2
    no_second_look,        ///< W3
    second_look_too_early, ///< W4
    everybody_publishes,   ///< W5
    stamp_saved_inside,    ///< W10
    loss_in_two_steps,     ///< W16b
    refusal_forgets_nest,  ///< W24
    crosser_wakes          ///< W25
};

/// Records of one word each; positions count records.
template <bug Has>
class perf_ring {
  public:
    perf_ring(number capacity, number watermark) : capacity_(capacity), watermark_(watermark) {}

    bool write(number value) {
        number saved = own(wakeup_);
        set_own(nest_, own(nest_) + 1);
        if (Has == bug::stamp_saved_inside) saved = own(wakeup_); // as shipped
        number at = own(head_);
        do {
            if (at + 1 - tail_.load(std::memory_order_acquire) > capacity_) {
                add(lost_, 1);
                if (Has != bug::refusal_forgets_nest) put(saved, false);
                return false;
            }
        } while (!head_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed));
        const bool crosses = at + 1 - own(wakeup_) > watermark_;
        if (crosses) add(wakeup_, watermark_);
        tell_lost();
        words_[at % capacity_] = value;
        put(saved, crosses);
        return true;
    }

    number head() const { return data_head_.load(std::memory_order_acquire); }
    number reserved() const { return own(head_); }
    number lost() const { return own(lost_); }
    number told() const { return own(told_); }
    const number& word(number at) const { return words_[at % capacity_]; }
    void consumed(number to) { tail_.store(to, std::memory_order_release); }
    void sleep() {
        poll_.wait(0, std::memory_order_acquire);
        poll_.exchange(0, std::memory_order_acq_rel);
    }

  private:
    using cell = std::atomic<number>;
    static number own(const cell& c) { return c.load(std::memory_order_relaxed); }
    static void set_own(cell& c, number to) { c.store(to, std::memory_order_relaxed); }
    static void add(cell& c, number by) { c.fetch_add(by, std::memory_order_relaxed); }
    static void barrier() { std::atomic_signal_fence(std::memory_order_seq_cst); }

    /// What a LOST record says.
    void tell_lost() {
        number n = 0;
        if (Has == bug::loss_in_two_steps) {
            n = own(lost_);
            set_own(lost_, 0);
        } else {
            n = lost_.exchange(0, std::memory_order_relaxed);
        }
        add(told_, n);
    }

    void put(number saved, bool crosses) {
        const number nest = own(nest_);
        if (nest > 1 && Has != bug::everybody_publishes) {
            if (Has == bug::crosser_wakes && crosses) wake();
            set_own(nest_, nest - 1);
            return;
        }
        number at = own(head_);
        for (;;) {
            if (Has == bug::nest_lowered_first) set_own(nest_, nest - 1);
            data_head_.store(at, std::memory_order_release);
            barrier();
            bool more = own(head_) != at;
            if (Has != bug::second_look_too_early || !more) set_own(nest_, nest - 1);
            barrier();
            if (Has != bug::second_look_too_early) more = own(head_) != at;
            if (!more || Has == bug::no_second_look) break;
            if (Has == bug::head_read_first) at = own(head_);
            set_own(nest_, nest);
            barrier();
            if (Has != bug::head_read_first) at = own(head_);
        }
        if (Has == bug::crosser_wakes ? crosses : saved != own(wakeup_)) wake();
    }

    void wake() {
        poll_.exchange(1, std::memory_order_acq_rel);
        poll_.notify_one();
    }

    const number capacity_, watermark_;
    // The writers', who are on one CPU.
    cell nest_{0}, head_{0}, wakeup_{0}, lost_{0}, told_{0};
    cell data_head_{0}, tail_{0};
    std::atomic<std::uint32_t> poll_{0};
    number words_[4] = {};
};

/// A task writes one record, `Interrupts` others come in wherever they like, a reader looks `Looks` times.
template <bug Has, unsigned Interrupts, int Looks = 2>
void writers_publish() {
    perf_ring<Has> ring{4, 100};
    std::thread task([&] {
        const ringproof::verify::interrupt irq(
            [&] {
                ring.write(20);
                ringproof::verify::cover("interrupted");
            },
            {.times = Interrupts});
        ring.write(10);
    });
    number seen = 0;
    for (int look = 0; look < Looks; ++look) {
        const number head = ring.head();
        RINGPROOF_HOLDS(mono, head >= seen);
        for (number at = seen; at < head; ++at) RINGPROOF_HOLDS(whole, ring.word(at) != 0);
        seen = head;
    }
    task.join();
    RINGPROOF_HOLDS(final_head, ring.head() == ring.reserved());
}

/// Three records cross a watermark of two, and the reader has to wake, whoever of them it is.
template <bug Has>
void a_crossing_wakes() {
    perf_ring<Has> ring{4, 2};
    std::thread task([&] {
        const ringproof::verify::interrupt irq([&] {
            ring.write(20);
            ringproof::verify::cover("interrupted");
        });
        for (number i = 1; i <= 3; ++i) ring.write(i);
    });
    while (ring.head() < 3) ring.sleep();
    task.join();
}

template <bug Has>
void losses_are_told() {
    perf_ring<Has> ring{2, 100};
    number written = 0, attempted = 0;
    const auto write = [&] {
        ++attempted;
        if (ring.write(1)) ++written;
    };
    for (int i = 0; i < 3; ++i) write();
    ring.consumed(1);
    number by_irq = 0, irqs = 0;
    {
        const ringproof::verify::interrupt irq([&] {
            ++irqs;
            if (ring.write(2)) ++by_irq;
            ringproof::verify::cover("interrupted");
        });
        write();
    }
    RINGPROOF_HOLDS(count, written + by_irq + ring.told() + ring.lost() == attempted + irqs);
}

template <bug Has>
void a_refusal_ends_like_a_record() {
    perf_ring<Has> ring{1, 100};
    ring.write(1);
    ring.write(2);
    ring.consumed(1);
    ring.write(3);
    RINGPROOF_HOLDS(final_head, ring.head() == ring.reserved());
}

} // namespace

/// W1. Symptom: a consumer sees head go back, computes a huge distance, and says "failed to keep up". Cause: nest was
/// lowered before head was stored. Source: Linux 1b038c6e05ff (2019).
VERIFY("W1: nest is lowered before head is published", .models = {rc11, sc}, .expect = refuted) {
    writers_publish<bug::nest_lowered_first, 1>();
}
/// W2. Symptom: the same, after a retry. Cause: head may be loaded before nest is raised again. Source: Linux
/// 3f9fbe9bd86c (2019).
VERIFY("W2: head is read before nest is raised again", .models = {rc11, sc}, .expect = refuted) {
    writers_publish<bug::head_read_first, 2>();
}
/// W3. Symptom: the last record stays invisible until somebody writes again. Cause: nobody looks whether an interrupt
/// has reserved more meanwhile. Source: the comment in perf_output_put_handle.
VERIFY("W3: no second look", .models = {rc11, sc}, .expect = refuted) {
    writers_publish<bug::no_second_look, 1>();
}
/// W4. The same, in the window that is left when the second look comes before nest is lowered.
VERIFY("W4: the second look is too early", .models = {rc11, sc}, .expect = refuted) {
    writers_publish<bug::second_look_too_early, 1>();
}
/// W5, T1. Symptom: a record that is half written is read. Cause: an interrupt publishes what lies above the record that
/// it came into. Source: why there is a nest counter at all; ftrace's "do not attempt to read past commit".
VERIFY("W5: every writer publishes (T1: a reader goes past the commit)", .models = {rc11, sc},
       .expect = refuted) {
    writers_publish<bug::everybody_publishes, 1, 1>();
}
VERIFY("W1 to W5, right: the outermost publishes, and looks again", .models = {rc11, tso, sc},
       .covers = {"interrupted"}) {
    writers_publish<bug::none, 2>();
}
/// W10. Symptom: a watermark is crossed and nobody wakes; with a reader that sleeps and a ring that fills, for ever.
/// Cause: the stamp is saved after nest was raised: an interrupt in between moves it and, nested, wakes nobody. Source:
/// perf as shipped (derived, and found by an exhaustive search of its interleavings).
VERIFY("W10: the stamp is saved after nest was raised, as perf has it", .models = {rc11, sc},
       .expect = refuted) {
    a_crossing_wakes<bug::stamp_saved_inside>();
}
/// W25. Symptom: a reader wakes, finds nothing, sleeps again, and nobody wakes it for what comes. Cause: an interrupt
/// wakes before the outermost has published.
VERIFY("W25: the writer that crosses the watermark wakes, published or not", .models = {rc11, sc},
       .expect = refuted) {
    a_crossing_wakes<bug::crosser_wakes>();
}
VERIFY("W10 and W25, right: the outermost wakes, by a stamp saved before nest was raised",
       .models = {rc11, tso, sc}, .covers = {"interrupted"}) {
    a_crossing_wakes<bug::none>();
}
/// W16b. Symptom: records are lost and never counted. Cause: the count is read and zeroed in two steps, and an interrupt
/// is refused in between. Source: why perf takes it by local_xchg.
VERIFY("W16b: a loss is taken in two steps", .models = {sc}, .expect = refuted) {
    losses_are_told<bug::loss_in_two_steps>();
}
VERIFY("W16b, right: a loss is taken at once", .models = {rc11, sc}, .covers = {"interrupted"}) {
    losses_are_told<bug::none>();
}
/// W24. Symptom: a ring that was full once never publishes again. Cause: a refused writer returns without lowering nest.
VERIFY("W24: a refusal forgets nest", .models = {sc}, .expect = refuted) {
    a_refusal_ends_like_a_record<bug::refusal_forgets_nest>();
}
VERIFY("W24, right: a refusal ends like a record", .models = {rc11, sc}) {
    a_refusal_ends_like_a_record<bug::none>();
}
