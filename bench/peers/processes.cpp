// SPDX-License-Identifier: Apache-2.0
// Between two processes: our rings in shared memory, and a pipe.
#include "../src/workload/processes.hpp"
#include "ringproof_adapters.hpp"

#include <fcntl.h>
#include <ringproof/layout/between_processes.hpp>
#include <ringproof/layout/perf_abi.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/robust.hpp>
#include <stdexcept>

namespace ringproof::bench {
namespace {

template <class Ring>
struct shared_ring {
    using payload = record<64>;
    using side = ring_adapter<Ring, true, payload>;
    template <class Fill>
    bool try_push(Fill&& fill) {
        return mine.try_push(fill);
    }
    /// The child maps the memory itself, as a stranger would.
    side consumer() { return side(mapped_memory::attach(descriptor)); }

    ring_memory memory = mapped_memory::shared(record_queue_bytes);
    int descriptor = memory.descriptor();
    side mine{std::move(memory)};
};

/// One whose producer gathers hands over the rest at the end.
template <class Ring>
struct gathering_ring : shared_ring<Ring> {
    void flush() { this->mine.ring.flush(); }
};

struct pipe_records {
    using payload = record<64>;
    pipe_records() {
        if (::pipe2(ends, O_NONBLOCK) != 0) throw std::runtime_error("pipe is refused");
        ::fcntl(ends[1], F_SETPIPE_SZ, static_cast<int>(record_queue_bytes));
    }
    pipe_records(const pipe_records&) = delete;
    pipe_records& operator=(const pipe_records&) = delete;
    ~pipe_records() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p); // 64 bytes are atomic in a pipe: all or none
        return ::write(ends[1], &p, sizeof p) == static_cast<ssize_t>(sizeof p);
    }
    struct side {
        int end;
        template <class Use>
        bool try_pop(Use&& use) {
            payload p;
            if (::read(end, &p, sizeof p) != static_cast<ssize_t>(sizeof p)) return false;
            use(p);
            return true;
        }
    };
    side consumer() { return {ends[0]}; }
    int ends[2] = {-1, -1};
};

} // namespace

void add_processes(catalogue& out) {
    out.peers.push_back(
        {"pipe", "bytes", "total", "refuses or waits", "by the caller", "no", "yes", "the rest goes on"});
    add_processes<shared_ring<ringproof::record_ring<ringproof::single, ringproof::acquire_release,
                                                     ringproof::refuse, ringproof::perf_abi>>>(
        out, "ringproof", tier::quick);
    add_processes<gathering_ring<ringproof::record_ring<
        ringproof::single_batched<>, ringproof::acquire_release, ringproof::refuse, ringproof::perf_abi>>>(
        out, "ringproof_publishes_in_batches");
    add_processes<shared_ring<ringproof::record_ring<ringproof::robust, ringproof::acquire_release,
                                                     ringproof::refuse, ringproof::between_processes>>>(
        out, "ringproof_robust", tier::quick);
    add_processes<pipe_records>(out, "pipe", tier::quick);
}

} // namespace ringproof::bench
