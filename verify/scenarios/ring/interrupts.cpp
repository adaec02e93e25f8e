// SPDX-License-Identifier: Apache-2.0
// The `nested` producer as perf runs it: a task that writes, an interrupt that comes in anywhere and writes into
// the same ring, a non-maskable one that comes in anywhere in both, and a reader on another CPU.

#include "mutants.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/verify/interrupt.hpp>
#include <ringproof/wake/futex.hpp>

#include <thread>

namespace verify = ringproof::verify;

namespace {

using number = std::uint64_t;

/// A record that says who wrote it, twice over.
template <class Ring>
bool write_from(Ring& ring, number who) {
    const number body[2] = {who, ~who};
    return ring.try_write(std::as_bytes(std::span(body)));
}

/// What the reader has seen: each writer's records once, in the order written, whole.
struct seen_records {
    number last[3] = {0, 0, 0}; ///< of the task, the interrupt, the other one
    number count = 0;

    template <class Ring>
    bool read(Ring& ring) {
        const number before = count;
        for (const auto record : ring.read()) {
            const auto body = record.template as<std::array<number, 2>>();
            VERIFY_THAT(body && (*body)[1] == ~(*body)[0]);
            const number writer = (*body)[0] / 16, which = (*body)[0] % 16;
            VERIFY_THAT(writer < 3 && which == last[writer] + 1);
            last[writer] = which;
            ++count;
        }
        VERIFY_THAT(ring.error() == ringproof::read_error{});
        return count != before;
    }
};

/// Writers inside each other, `Deep` of them, each with as many records as it is told; a reader who looks now and
/// then while they write, and once more when all is done.
template <class Barriers, unsigned Deep>
void writers_inside_each_other(number task_records, number looks) {
    ringproof::record_ring<ringproof::nested, Barriers> ring{128};
    number written = 0;
    std::thread task([&] {
        number by_irq = 0, by_nmi = 0, by_task = 0;
        {
            const verify::interrupt nmi(
                [&] {
                    by_nmi += write_from(ring, 32 + 1);
                    verify::cover("nmi");
                },
                {.times = Deep > 2 ? 1u : 0u, .level = 2});
            const verify::interrupt irq(
                [&] {
                    by_irq += write_from(ring, 16 + 1);
                    verify::cover("irq");
                },
                {.times = Deep > 1 ? 1u : 0u});
            for (number i = 1; i <= task_records; ++i) by_task += write_from(ring, i);
        }
        written = by_task + by_irq + by_nmi;
    });
    seen_records seen;
    for (number look = 0; look < looks; ++look)
        if (seen.read(ring)) verify::cover("read while they write");
    task.join();
    seen.read(ring);
    // Nothing that was written is held back when all are done.
    VERIFY_THAT(seen.count == written);
}

/// The task's two records are more than the watermark, whoever comes in: the reader has to wake.
template <class Wake>
void a_crossing_wakes() {
    ringproof::record_ring<ringproof::nested, ringproof::scenarios::watched, ringproof::refuse,
                           ringproof::padded, Wake>
        ring{ringproof::ring_memory::heap(128), {.watermark = 24}};
    std::thread task([&] {
        const verify::interrupt irq([&] {
            (void)write_from(ring, 16 + 1);
            verify::cover("irq");
        });
        (void)write_from(ring, 1);
        (void)write_from(ring, 2);
    });
    ring.wait();
    task.join();
}

/// W10, the kernel's protocol as shipped: each writer saves the stamp when it has entered, after `nest` was raised,
/// and the outermost wakes if the stamp has moved since. One that comes in before the stamp is saved moves it, and is
/// not the outermost.
template <class Sink>
struct stamp_saved_inside {
    static constexpr bool wakes = true;
    static constexpr bool has_descriptor = false;
    enum flag : std::uint32_t { idle, awake };

    template <class Barriers, class Producer>
    class state {
      public:
        state(std::size_t, std::uint64_t start, std::size_t watermark)
            : watermark_(watermark), stamp_(start) {}

        void reserved(std::uint64_t end) noexcept {
            const std::uint64_t stamp = Barriers::own(stamp_);
            const std::uint32_t open = Barriers::own(open_);
            Barriers::set_own(saved_[open], stamp);
            Barriers::set_own(open_, open + 1);
            if (end - stamp > watermark_) Barriers::set_own(stamp_, stamp + watermark_);
        }
        void published(bool all, std::uint64_t, std::uint64_t) noexcept {
            const std::uint32_t open = Barriers::own(open_) - 1;
            const std::uint64_t saved = Barriers::own(saved_[open]);
            Barriers::set_own(open_, open);
            if (all && saved != Barriers::own(stamp_)) raise();
        }
        void refused(bool) noexcept {}
        void flushed(bool) noexcept {}
        template <class ProducerSide, class View, class Area>
        void drained(const ProducerSide&, const View&, const Area&, std::uint64_t) noexcept {}
        void wait() noexcept {
            for (std::uint32_t seen = Barriers::stat(flag_); seen != awake; seen = Barriers::stat(flag_))
                sink_.template sleep<Barriers>(flag_, seen);
        }
        [[nodiscard]] bool ready() const noexcept { return Barriers::stat(flag_) == awake; }
        void raise() noexcept {
            if (Barriers::raise(flag_, awake) != awake) sink_.raised(flag_);
        }

      private:
        std::uint64_t watermark_;
        std::atomic<std::uint64_t> stamp_;
        std::atomic<std::uint64_t> saved_[4] = {};
        std::atomic<std::uint32_t> open_{0};
        std::atomic<std::uint32_t> flag_{idle};
        Sink sink_;
    };
};

} // namespace

VERIFY("record_ring, nested: an interrupt may come in anywhere", .models = {rc11, tso, sc},
       .covers = {"irq", "read while they write"}) {
    writers_inside_each_other<ringproof::scenarios::watched, 2>(2, 1);
}
VERIFY("record_ring, nested: an interrupt may come in anywhere, B relaxed", .expect = refuted,
       .mutant = 'B') {
    writers_inside_each_other<ringproof::scenarios::without_b, 2>(1, 1);
}
VERIFY("record_ring, nested: an interrupt may come in anywhere, C relaxed", .expect = refuted,
       .mutant = 'C') {
    writers_inside_each_other<ringproof::scenarios::without_c, 2>(1, 1);
}
VERIFY("record_ring, nested: three writers deep", .models = {rc11, sc, tso},
       .covers = {"irq", "nmi", "read while they write"}) {
    writers_inside_each_other<ringproof::scenarios::watched, 3>(1, 1);
}
VERIFY("wake-up, nested: a crossed watermark wakes, wherever an interrupt comes in",
       .models = {rc11, sc, tso}, .covers = {"irq"}) {
    a_crossing_wakes<ringproof::futex_wakeup>();
}
VERIFY("wake-up, nested: W10, the stamp is saved after nest was raised", .models = {rc11, sc, tso},
       .expect = refuted) {
    a_crossing_wakes<stamp_saved_inside<ringproof::futex>>();
}
