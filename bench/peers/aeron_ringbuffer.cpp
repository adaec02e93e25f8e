// SPDX-License-Identifier: Apache-2.0
// Aeron's C++ ring buffers, OneToOne and ManyToOne: the length of a record is its flag, the consumer zeroes, a
// record never wraps (padding instead). Point RINGPROOF_PEER_AERON_RINGBUFFER_ROOT to aeron-client/src/main/cpp.
#include "../src/workload/adapter.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <concurrent/ringbuffer/ManyToOneRingBuffer.h>
#include <concurrent/ringbuffer/OneToOneRingBuffer.h>
#pragma GCC diagnostic pop

#include <bit>
#include <cstring>
#include <memory>

namespace ringproof::bench {
namespace {

namespace ac = aeron::concurrent;

template <class Ring, bool OneProducer, class Payload>
struct aeron_ring {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    aeron_ring(std::size_t capacity, std::size_t)
        : bytes(std::bit_floor(capacity * (sizeof(payload) + 8)) +
                ac::ringbuffer::RingBufferDescriptor::TRAILER_LENGTH),
          memory(new (std::align_val_t{128}) std::uint8_t[bytes]()),
          buffer(memory.get(), static_cast<aeron::util::index_t>(bytes)), ring(buffer) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        ac::AtomicBuffer from(reinterpret_cast<std::uint8_t*>(&p),
                              static_cast<aeron::util::index_t>(sizeof p));
        return ring.write(1, from, 0, static_cast<aeron::util::index_t>(sizeof p));
    }
    template <class Use>
    std::size_t pop_some(Use&& use, int most) {
        const auto handle = [&](std::int32_t, ac::AtomicBuffer& from, aeron::util::index_t at,
                                aeron::util::index_t) {
            payload p; // records are aligned to 8 bytes, but they are Aeron's bytes, not objects
            std::memcpy(&p, from.buffer() + at, sizeof p);
            use(p);
        };
        return static_cast<std::size_t>(ring.read(handle, most));
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return pop_some(use, 1) == 1;
    }

    aeron_ring& producer() { return *this; }
    aeron_ring& consumer() { return *this; }
    struct freed {
        void operator()(std::uint8_t* p) const { ::operator delete[](p, std::align_val_t{128}); }
    };
    std::size_t bytes;
    std::unique_ptr<std::uint8_t[], freed> memory;
    ac::AtomicBuffer buffer;
    Ring ring;
};

template <class Payload>
using spsc = aeron_ring<ac::ringbuffer::OneToOneRingBuffer, true, Payload>;
template <class Payload>
using mpsc = aeron_ring<ac::ringbuffer::ManyToOneRingBuffer, false, Payload>;

} // namespace

void add_aeron_ringbuffer(catalogue& out) {
    out.peers.push_back({"aeron_one_to_one", "bytes, up to an eighth of the capacity", "total", "refuses",
                         "by the caller", "no (a broadcast buffer beside it)", "yes",
                         "one producer: it ends"});
    out.peers.push_back({"aeron_many_to_one", "bytes, up to an eighth of the capacity", "total", "refuses",
                         "by the caller", "no (a broadcast buffer beside it)", "yes",
                         "unblock() turns its record to padding, after a time"});
    add_spsc<spsc>(out, "aeron_one_to_one");
    add_mpsc<mpsc>(out, "aeron_many_to_one");
}

} // namespace ringproof::bench
