// SPDX-License-Identifier: Apache-2.0
// quill's BoundedSPSCQueue: raw bytes in place, twice the memory instead of a wrap, the reader gives back 5 % of
// the capacity at once. Built as it is by default: QUILL_X86ARCH, with which it flushes lines that it wrote, is off.
#include "../src/workload/adapter.hpp"

#include <bit>
#include <new>
#include <quill/core/BoundedSPSCQueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct quill_bounded {
    static constexpr bool one_producer = true;
    using payload = Payload;

    quill_bounded(std::size_t capacity, std::size_t) : queue(std::bit_ceil(capacity * sizeof(payload))) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        std::byte* const place = queue.prepare_write(sizeof(payload));
        if (!place) return false;
        fill(*new (place) payload);
        queue.finish_and_commit_write(sizeof(payload));
        return true;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        std::byte* const place = queue.prepare_read();
        if (!place) return false;
        use(*std::launder(reinterpret_cast<const payload*>(place)));
        queue.finish_read(sizeof(payload));
        queue.commit_read();
        return true;
    }

    quill_bounded& producer() { return *this; }
    quill_bounded& consumer() { return *this; }
    quill::detail::BoundedSPSCQueue queue;
};

} // namespace

void add_quill_bounded(catalogue& out) {
    out.peers.push_back({"quill_bounded", "bytes without borders", "total", "refuses", "by the caller", "no",
                         "no (pointer)", "one producer: it ends"});
    add_spsc<quill_bounded>(out, "quill_bounded");
}

} // namespace ringproof::bench
