// SPDX-License-Identifier: Apache-2.0
// Tracers that do not write a ring of bytes: ftrace's pages, of which the reader swaps one out, its time stamps, and
// LTTng's sub-buffers. Sources: kernel/trace/ring_buffer.c (Rostedt), lttng-ust's ring buffer (Desnoyers).

#include "property.hpp"

#include <ringproof/verify/interrupt.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;
using number = std::uint64_t;

/// T2. Symptom: a page that the reader has taken out is written into. Cause: the reader puts its own page in the place of
/// the oldest by a plain store, while the writer, which has come around, is about to overwrite that oldest page. Source:
/// ftrace, "fix race while reader and writer are on the same page"; the flags in the pointer to the oldest page, and the
/// compare-exchange on them, are its cure.
///
/// Three pages in a circle and one with the reader; a page holds one record. A link is a page and a flag.
template <bool Exchanges>
class paged_ring {
  public:
    paged_ring() {
        for (unsigned p = 0; p != 3; ++p) pages_[p].next = link((p + 1) % 3, p == 2 ? oldest : normal);
    }

    /// The writer's; overwrites the oldest page when all are full.
    void write(number value) {
        while (!empty_) {
            const unsigned to = pages_[tail_].next.load(std::memory_order_acquire);
            if (flag(to) == oldest) {
                unsigned expected = to;
                if (!pages_[tail_].next.compare_exchange_strong(expected, link(page(to), moving),
                                                                std::memory_order_acq_rel)) {
                    ringproof::verify::cover("the reader was first");
                    continue;
                }
                pages_[page(to)].committed.store(0, std::memory_order_relaxed);
                auto& behind = pages_[page(to)].next;
                behind.store(link(page(behind.load(std::memory_order_acquire)), oldest),
                             std::memory_order_release);
                pages_[tail_].next.store(link(page(to), normal), std::memory_order_release);
                ringproof::verify::cover("overwritten");
            }
            tail_ = page(to);
            break;
        }
        empty_ = false;
        pages_[tail_].record = value;
        pages_[tail_].committed.store(1, std::memory_order_release);
    }

    /// The reader's: the oldest record, or 0 when it has none or the writer is moving on.
    number take() {
        for (unsigned p = 0; p != 4; ++p) {
            unsigned to = p == reader_ ? unsigned{normal} : pages_[p].next.load(std::memory_order_acquire);
            if (flag(to) != oldest) continue;
            const unsigned taken = page(to);
            if (pages_[taken].committed.load(std::memory_order_acquire) == 0) return 0;
            const unsigned behind = page(pages_[taken].next.load(std::memory_order_acquire));
            pages_[reader_].next.store(link(behind, oldest), std::memory_order_relaxed);
            pages_[reader_].committed.store(0, std::memory_order_relaxed);
            if (!Exchanges)
                pages_[p].next.store(link(reader_, normal), std::memory_order_release);
            else if (!pages_[p].next.compare_exchange_strong(to, link(reader_, normal),
                                                             std::memory_order_acq_rel)) {
                ringproof::verify::cover("the writer was first");
                return 0;
            }
            reader_ = taken;
            return pages_[taken].record;
        }
        return 0;
    }

  private:
    enum mark : unsigned { normal, oldest, moving };
    static unsigned link(unsigned to, mark with) { return to << 2 | with; }
    static unsigned page(unsigned l) { return l >> 2; }
    static mark flag(unsigned l) { return static_cast<mark>(l & 3); }

    struct a_page {
        std::atomic<unsigned> next{0};
        std::atomic<number> committed{0};
        number record = 0;
    };
    std::array<a_page, 4> pages_;
    unsigned tail_ = 0, reader_ = 3; // the writer's, the reader's
    bool empty_ = true;              // the writer's
};

template <bool Exchanges>
void the_reader_swaps_a_page_out() {
    paged_ring<Exchanges> ring;
    for (number i = 1; i <= 3; ++i) ring.write(i);
    std::thread writer([&] { ring.write(4), ring.write(5); });
    number last = 0;
    for (int i = 0; i != 2; ++i)
        if (const number record = ring.take()) {
            RINGPROOF_HOLDS(once, record > last);
            last = record;
        }
    writer.join();
    while (const number record = ring.take()) {
        RINGPROOF_HOLDS(once, record > last);
        last = record;
    }
    RINGPROOF_HOLDS(count, last == 5);
}

/// T3. Symptom: a time that runs backwards, or a difference near 2^64. Cause: a writer took its time, and was interrupted
/// before it reserved: what stands in front of it is younger. Source: ftrace, "slow path of an interrupted event"; its
/// cure are two stamps, of who has begun last and who has finished last, that differ when something came in between.
template <bool Checks>
class stamped_ring {
  public:
    void write() {
        const number slot = own(tail_);
        const number begun = own(begun_), finished = own(finished_);
        number now = time();
        bool absolute = begun != finished; // whoever was last has not finished, or was disturbed
        set_own(begun_, now);
        const number at = tail_.fetch_add(1, std::memory_order_relaxed);
        number difference = now - finished;
        if (!Checks) {
            difference = now - own(finished_);
            absolute = false;
            set_own(finished_, now);
        } else if (at == slot) {
            set_own(finished_, now);
            if (absolute) ringproof::verify::cover("in the middle of another");
        } else {
            ringproof::verify::cover("interrupted");
            const number last_begun = own(begun_);
            now = time();
            set_own(begun_, now);
            const number last = own(finished_);
            // As old as what stands in front of it, unless nothing has come in since.
            difference = own(tail_) == at + 1 && last == last_begun ? now - last : 0;
            absolute = false;
        }
        records_[at] = {absolute ? now : difference, absolute};
    }

    void read() const {
        number at = 0;
        for (number i = 0; i != own(tail_); ++i) {
            const auto& [value, absolute] = records_[i];
            const number stamp = absolute ? value : at + value;
            RINGPROOF_HOLDS(time_runs_forward, stamp >= at && stamp <= own(clock_));
            at = stamp;
        }
    }

  private:
    using cell = std::atomic<number>;
    static number own(const cell& c) { return c.load(std::memory_order_relaxed); }
    static void set_own(cell& c, number to) { c.store(to, std::memory_order_relaxed); }
    number time() { return clock_.fetch_add(1, std::memory_order_relaxed) + 1; }

    struct record {
        number value;
        bool absolute;
    };
    cell clock_{0}, tail_{0}, begun_{0}, finished_{0};
    std::array<record, 4> records_{};
};

template <bool Checks>
void stamps_of_nested_writers() {
    stamped_ring<Checks> ring;
    {
        const ringproof::verify::interrupt irq([&] { ring.write(); }, {.times = 2, .depth = 2});
        ring.write();
        ring.write();
    }
    ring.read();
}

/// T7. Symptom: a sub-buffer with a record of the lap before in its middle, or two producers in one slot. Cause: producers
/// come around to a sub-buffer in which a preempted one has not committed yet, and go in. Source: LTTng, whose producers
/// count commits for each sub-buffer and drop their record when the lap before is not complete.
///
/// Two sub-buffers of two records, the oldest overwritten.
template <bool AsksForCommits>
class sub_buffers {
  public:
    bool write(number value) {
        number at = offset_.load(std::memory_order_relaxed);
        do {
            const number laps = at / slots; // each has added `each` commits
            if (at % each == 0 && AsksForCommits &&
                commits_[at / each % 2].load(std::memory_order_acquire) != laps * each) {
                ringproof::verify::cover("dropped");
                return false;
            }
        } while (!offset_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed));
        if (at >= slots) ringproof::verify::cover("reuse");
        records_[at % slots] = value;
        commits_[at / each % 2].fetch_add(1, std::memory_order_release);
        return true;
    }
    number written() const { return offset_.load(std::memory_order_relaxed); }

  private:
    static constexpr number each = 2, slots = 4;
    std::atomic<number> offset_{0};
    std::array<std::atomic<number>, 2> commits_{};
    std::array<number, slots> records_{};
};

template <bool AsksForCommits>
void a_sub_buffer_is_complete_before_its_next_lap() {
    sub_buffers<AsksForCommits> ring;
    number accepted = 0;
    bool late = false;
    std::thread preempted([&] { late = ring.write(1); });
    for (number i = 2; i <= 5; ++i) accepted += ring.write(i);
    preempted.join();
    RINGPROOF_HOLDS(count, ring.written() == accepted + late);
}

} // namespace

VERIFY("T2: a reader swaps its page in by a plain store", .models = {rc11, sc}, .expect = refuted) {
    the_reader_swaps_a_page_out<false>();
}
VERIFY("T2, right: a reader swaps its page in unless the writer was first", .models = {rc11, tso, sc},
       .covers = {"overwritten", "the reader was first", "the writer was first"}) {
    the_reader_swaps_a_page_out<true>();
}
VERIFY("T3: a time is taken before the place, and believed", .models = {sc}, .expect = refuted) {
    stamps_of_nested_writers<false>();
}
VERIFY("T3, right: a time is looked at again when something came in", .models = {rc11, sc},
       .covers = {"interrupted", "in the middle of another"}) {
    stamps_of_nested_writers<true>();
}
VERIFY("T7: producers go into a sub-buffer that is not committed", .models = {rc11, sc}, .expect = refuted) {
    a_sub_buffer_is_complete_before_its_next_lap<false>();
}
VERIFY("T7, right: producers drop a record rather than enter a sub-buffer that is not committed",
       .models = {rc11, tso, sc}, .covers = {"dropped", "reuse"}) {
    a_sub_buffer_is_complete_before_its_next_lap<true>();
}
