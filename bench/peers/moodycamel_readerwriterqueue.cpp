// SPDX-License-Identifier: Apache-2.0
// moodycamel::ReaderWriterQueue: blocks of slots in a circle. try_enqueue never allocates.
#include "../src/workload/adapter.hpp"

#include <readerwriterqueue/readerwriterqueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct moodycamel_spsc {
    static constexpr bool one_producer = true;
    using payload = Payload;

    moodycamel_spsc(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.try_enqueue(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (!queue.try_dequeue(p)) return false;
        use(p);
        return true;
    }

    moodycamel_spsc& producer() { return *this; }
    moodycamel_spsc& consumer() { return *this; }
    moodycamel::ReaderWriterQueue<payload> queue;
};

} // namespace

void add_moodycamel_readerwriterqueue(catalogue& out) {
    out.peers.push_back({"moodycamel_readerwriterqueue", "one type", "total", "refuses, or grows",
                         "by the caller", "no", "no", "one producer: it ends"});
    add_spsc<moodycamel_spsc>(out, "moodycamel_readerwriterqueue");
}

} // namespace ringproof::bench
