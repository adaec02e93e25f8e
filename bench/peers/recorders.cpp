// SPDX-License-Identifier: Apache-2.0
// Flight recorders: ours in both directions, for a thread with its handlers and for many threads, and what one writes
// first.
#include "../src/workload/overwrite.hpp"

#include <cstring>
#include <mutex>
#include <ringproof/direction/forward.hpp>
#include <ringproof/producer/nested.hpp>
#include <ringproof/recorder.hpp>

namespace ringproof::bench {
namespace {

template <class Recorder, class Payload>
struct our_recorder {
    using payload = Payload;
    explicit our_recorder(std::size_t bytes) : recorder(bytes) {}
    void write(const payload& p) { recorder.write(std::as_bytes(std::span(&p, 1))); }
    template <class Use>
    void newest_first(Use&& use) {
        const auto seen = recorder.take();
        for (const auto& r : seen.records()) {
            payload p;
            if (r.size() != sizeof p) continue;
            r.copy_to(std::as_writable_bytes(std::span(&p, 1)));
            use(p);
        }
    }
    Recorder recorder;
};

/// The one that many threads share, by a `writer()` of each thread's own, or without.
template <class Payload, bool Own>
struct our_shared_recorder {
    using payload = Payload;
    using ring = ringproof::recorder<ringproof::shared>;
    explicit our_shared_recorder(std::size_t bytes) : recorder(bytes) {}

    struct by_own {
        void write(const payload& p) { mine.write(std::as_bytes(std::span(&p, 1))); }
        ring::own_writer mine;
    };
    struct by_any {
        void write(const payload& p) { recorder.write(std::as_bytes(std::span(&p, 1))); }
        ring& recorder;
    };
    auto writer() {
        if constexpr (Own)
            return by_own{recorder.writer()};
        else
            return by_any{recorder};
    }
    void write(const payload& p) { recorder.write(std::as_bytes(std::span(&p, 1))); }

    /// Up to the first gap: while it is written, the writer may overtake the copy.
    template <class Use>
    void newest_first(Use&& use) {
        recorder.take_into(seen);
        const auto gaps = seen.gaps();
        for (const auto& r : seen.records().first(gaps.empty() ? seen.records().size() : gaps[0] + 1)) {
            payload p;
            if (r.size() != sizeof p) continue;
            r.copy_to(std::as_writable_bytes(std::span(&p, 1)));
            use(p);
        }
    }
    ring recorder;
    snapshot seen;
};

/// What the shared one is an alternative to: a recorder for each thread, read one after the other.
template <class Payload>
struct recorder_a_thread {
    using payload = Payload;
    explicit recorder_a_thread(std::size_t bytes) : size(bytes) {}
    struct by_own {
        void write(const payload& p) { recorder.write(std::as_bytes(std::span(&p, 1))); }
        ringproof::recorder<>& recorder;
    };
    by_own writer() {
        const std::lock_guard lock(mutex);
        return {*recorders.emplace_back(std::make_unique<ringproof::recorder<>>(size))};
    }
    template <class Use>
    void newest_first(Use&& use) {
        for (const auto& one : recorders) {
            const auto seen = one->take();
            for (const auto& r : seen.records()) {
                payload p;
                r.copy_to(std::as_writable_bytes(std::span(&p, 1)));
                use(p);
            }
        }
    }
    std::size_t size;
    std::mutex mutex;
    std::vector<std::unique_ptr<ringproof::recorder<>>> recorders;
};

/// A lock, an array, and an index that goes round.
template <class Payload>
struct mutex_ring {
    using payload = Payload;
    explicit mutex_ring(std::size_t bytes) : slots(bytes / sizeof(payload)) {}
    void write(const payload& p) {
        const std::lock_guard lock(mutex);
        slots[next % slots.size()] = p;
        ++next;
    }
    mutex_ring& writer() { return *this; }
    template <class Use>
    void newest_first(Use&& use) {
        std::vector<payload> copy;
        {
            const std::lock_guard lock(mutex);
            for (std::uint64_t n = next; n-- > 0 && next - n <= slots.size();)
                copy.push_back(slots[n % slots.size()]);
        }
        for (const payload& p : copy) use(p);
    }
    std::mutex mutex;
    std::vector<payload> slots;
    std::uint64_t next = 0;
};

using small = record<64>;
using large = record<256>;
template <class Payload>
using backward_recorder = our_recorder<ringproof::recorder<>, Payload>;

} // namespace

void add_recorders(catalogue& out) {
    out.peers.push_back(
        {"mutex_ring", "one type", "total", "overwrites", "no", "yes", "no", "in the lock: all stop"});
    add_overwrite<backward_recorder<small>>(out, "ringproof");
    add_overwrite<our_recorder<ringproof::recorder<ringproof::single, ringproof::forward>, small>>(
        out, "ringproof_forward");
    add_overwrite<our_recorder<ringproof::recorder<ringproof::nested>, small>>(out, "ringproof_nested");
    add_overwrite<mutex_ring<small>>(out, "mutex_ring");
    add_overwrite_together<our_shared_recorder<small, true>>(out, "ringproof");
    add_overwrite_together<our_shared_recorder<small, false>>(out, "ringproof_shared_any");
    add_overwrite_together<recorder_a_thread<small>>(out, "ringproof_a_thread");
    add_overwrite_together<mutex_ring<small>>(out, "mutex_ring");
    add_overwrite<backward_recorder<large>>(out, "ringproof");
    add_overwrite<mutex_ring<large>>(out, "mutex_ring");
    add_snapshots<backward_recorder<small>>(out, "ringproof");
    add_snapshots<our_shared_recorder<small, true>>(out, "ringproof_shared");
    add_snapshots<mutex_ring<small>>(out, "mutex_ring");
}

} // namespace ringproof::bench
