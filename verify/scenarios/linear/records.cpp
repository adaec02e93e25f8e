// SPDX-License-Identifier: Apache-2.0
// The rings of records, as queues of records with a number in each: what docs/guarantees.md promises of their order, for
// every client.

#include <ringproof/barriers.hpp>
#include <ringproof/full/keep_oldest.hpp>
#include <ringproof/producer/shared.hpp>
#include <ringproof/producer/single.hpp>
#include <ringproof/producer/single_in_band.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>
#include <ringproof/verify/linearizable.hpp>

#include <array>
#include <optional>
#include <span>

using namespace ringproof::verify;

namespace {

using ringproof::acquire_release;
using ringproof::fences;

constexpr int
    torn = -1,
    lost = 1000; ///< what a read returns of a record that is not whole; of a LOST record, plus its number

/// Room for two records, of which the first is split at the end of the data.
template <class Producer, class Barriers = acquire_release, class Full = ringproof::refuse>
class ring_of_numbers {
  public:
    bool write(int value) {
        std::array<std::uint64_t, words> body;
        body.fill(static_cast<std::uint64_t>(value));
        const bool written = ring_.write(std::as_bytes(std::span(body)));
        ring_.flush();
        return written;
    }
    std::optional<int> read() {
        std::optional<int> value;
        ring_.consume([&](const auto& record) { value = number_of(record); }, 1);
        if (ring_.error() != ringproof::read_error{}) value = torn;
        return value;
    }

  private:
    static constexpr std::size_t words = 3;

    template <class Record>
    static int number_of(const Record& record) {
        std::array<std::uint64_t, words> got{};
        record.copy_to(std::as_writable_bytes(std::span(got)));
        if (record.type() == ringproof::record_type::lost) return lost + static_cast<int>(got[1]);
        return got[0] == got[1] && got[1] == got[2] ? static_cast<int>(got[0]) : torn;
    }

    ringproof::record_ring<Producer, Barriers, Full> ring_{64, std::uint64_t{0} - 24};
};

/// A recorder in which two records are kept, and what a snapshot begins with. @tparam Newest or what it ends with
template <bool Newest = true>
class newest_number {
  public:
    void write(int value) {
        const std::array<std::uint64_t, 3> body{static_cast<std::uint64_t>(value),
                                                static_cast<std::uint64_t>(value), 0};
        (void)recorder_.write(std::as_bytes(std::span(body)));
    }
    std::optional<int> newest() {
        const auto seen = recorder_.take();
        if (seen.records().empty()) return std::nullopt;
        std::array<std::uint64_t, 3> got{};
        seen.records()[Newest ? 0 : seen.records().size() - 1].copy_to(
            std::as_writable_bytes(std::span(got)));
        return got[0] == got[1] ? static_cast<int>(got[0]) : torn;
    }

  private:
    ringproof::recorder<> recorder_{64, std::uint64_t{0} - 32};
};

/// What a recorder promises of the record that a snapshot begins with.
class latest {
  public:
    bool write(const linear::made_call& c) { return written_ = c.argument, true; }
    bool newest(const linear::made_call& c) {
        return c.given == (written_ == 0 ? linear::answer{0, 0} : linear::answer{1, written_});
    }

  private:
    std::int64_t written_ = 0;
};

/// A mutant: the consumer gives room back too early for its reads.
struct without_d : acquire_release {
    static void release_tail(std::atomic<std::uint64_t>& tail, std::uint64_t value) noexcept {
        tail.store(value, std::memory_order_relaxed);
    }
};

/// Written by one thread and read by one.
template <class Ring>
void by_two_threads(linear::structure<Ring> s, bool may_fail = true) {
    s.op("write", &Ring::write, linear::fresh()).one_thread();
    if (may_fail) s.may_fail();
    s.op("read", &Ring::read).one_thread();
    if (may_fail) s.may_fail();
}

} // namespace

LINEARIZABLE("core: record_ring, single: refused or empty while the other side works",
             .models = {rc11, tso, sc}, .calls = 3) {
    by_two_threads(object<ring_of_numbers<ringproof::single>>());
}
LINEARIZABLE("core: record_ring, single, fences: the same", .models = {rc11, tso, sc}, .calls = 3) {
    by_two_threads(object<ring_of_numbers<ringproof::single, fences>>());
}
LINEARIZABLE("core: record_ring, single: linearizable where nothing is reordered", .models = {sc},
             .calls = 3) {
    by_two_threads(object<ring_of_numbers<ringproof::single>>(), false);
}
LINEARIZABLE(
    "core: record_ring, single, keep_oldest: linearizable, and tells losses, where nothing is reordered",
    .models = {sc}, .calls = 4) {
    by_two_threads(object<ring_of_numbers<ringproof::single, acquire_release, ringproof::keep_oldest>>(),
                   false);
}
LINEARIZABLE("core: record_ring, single: taken for linearizable", .models = {rc11, tso}, .calls = 3,
             .expect = refuted) {
    by_two_threads(object<ring_of_numbers<ringproof::single>>(), false);
}
LINEARIZABLE("core: record_ring, single, mutant: D relaxed", .models = {rc11}, .calls = 3,
             .expect = refuted) {
    by_two_threads(object<ring_of_numbers<ringproof::single, without_d>>());
}
LINEARIZABLE("core: record_ring, single_in_band: refused or empty while the other side works",
             .models = {rc11, tso, sc}, .calls = 3) {
    by_two_threads(object<ring_of_numbers<ringproof::single_in_band>>());
}
LINEARIZABLE("core: record_ring, single_batched: refused or empty while the other side works",
             .models = {rc11, tso, sc}, .calls = 3) {
    by_two_threads(object<ring_of_numbers<ringproof::single_batched<>>>());
}
LINEARIZABLE("core: record_ring, shared: refused or empty while others work", .models = {rc11, sc}) {
    using ring = ring_of_numbers<ringproof::shared>;
    object<ring>()
        .op("write", &ring::write, fresh())
        .may_fail()
        .op("read", &ring::read)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("core: record_ring, shared: taken for linearizable", .models = {rc11, sc}, .expect = refuted) {
    using ring = ring_of_numbers<ringproof::shared>;
    object<ring>().op("write", &ring::write, fresh()).op("read", &ring::read).one_thread();
}
LINEARIZABLE("core: recorder: a snapshot begins with the newest record, or is empty while it is overtaken",
             .models = {rc11, tso, sc}, .synchronisations = 0) {
    using recorder = newest_number<>;
    object<recorder>()
        .like<latest>()
        .op("write", &recorder::write, &latest::write, fresh())
        .one_thread()
        .op("newest", &recorder::newest, &latest::newest)
        .may_fail();
}
LINEARIZABLE("core: recorder, mutant: the oldest record", .models = {rc11}, .threads = 1, .calls = 3,
             .expect = refuted) {
    using recorder = newest_number<false>;
    object<recorder>()
        .like<latest>()
        .op("write", &recorder::write, &latest::write, fresh())
        .op("newest", &recorder::newest, &latest::newest);
}
LINEARIZABLE("core: record_ring, single: each call returns where the other side is stopped",
             .models = {rc11, sc}, .calls = 3, .promise = lock_free) {
    by_two_threads(object<ring_of_numbers<ringproof::single>>());
}
LINEARIZABLE("core: record_ring, shared: each call returns where others are stopped", .models = {rc11, sc},
             .promise = lock_free) {
    using ring = ring_of_numbers<ringproof::shared>;
    object<ring>().op("write", &ring::write, fresh()).op("read", &ring::read).one_thread();
}
