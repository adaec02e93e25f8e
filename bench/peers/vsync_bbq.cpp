// SPDX-License-Identifier: Apache-2.0
// BBQ of libvsync (Wang and others, USENIX ATC 2022), one producer and one consumer: words, positions by block.
#include "../src/workload/adapter.hpp"

// bbq_spsc.h converts void* as only C may, so C compiles it: a call more per item, about a nanosecond.
extern "C" {
void* ringproof_bbq_make(std::uint32_t capacity);
void ringproof_bbq_free(void* queue);
std::uint32_t ringproof_bbq_push(void* queue, std::uintptr_t item);
std::uint32_t ringproof_bbq_pop(void* queue, std::uintptr_t* item);
}

#include <stdexcept>

namespace ringproof::bench {
namespace {

struct bbq {
    static constexpr bool one_producer = true;
    using payload = item;

    bbq(std::size_t capacity, std::size_t) : queue(ringproof_bbq_make(static_cast<std::uint32_t>(capacity))) {
        if (!queue) throw std::runtime_error("bbq_spsc_init refused");
    }
    ~bbq() { ringproof_bbq_free(queue); }
    bbq(const bbq&) = delete;
    bbq& operator=(const bbq&) = delete;

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return ringproof_bbq_push(queue, p) == 1;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        std::uintptr_t word;
        if (ringproof_bbq_pop(queue, &word) != 1) return false;
        const payload p = word;
        use(p);
        return true;
    }

    bbq& producer() { return *this; }
    bbq& consumer() { return *this; }
    void* queue;
};

} // namespace

void add_vsync_bbq(catalogue& out) {
    out.peers.push_back({"vsync_bbq_spsc", "words", "total", "refuses", "by the caller", "not in this code",
                         "yes", "one producer: it ends"});
    add_spsc_items<bbq>(out, "vsync_bbq_spsc");
}

} // namespace ringproof::bench
