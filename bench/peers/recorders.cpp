// SPDX-License-Identifier: Apache-2.0
// Flight recorders: ours in both directions and for a thread with its handlers, and what one writes first.
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
    add_overwrite<backward_recorder<large>>(out, "ringproof");
    add_overwrite<mutex_ring<large>>(out, "mutex_ring");
    add_snapshots<backward_recorder<small>>(out, "ringproof");
    add_snapshots<mutex_ring<small>>(out, "mutex_ring");
}

} // namespace ringproof::bench
