// SPDX-License-Identifier: Apache-2.0
// Several tracers, one sink: whoever stops last copies, into an area of its own; what was traced is in one of them, once.

#include "mutants.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/trace_source/etr.hpp>

#include <array>
#include <cstring>
#include <mutex>
#include <thread>

namespace verify = ringproof::verify;

namespace {

using ringproof::scenarios::watched;

using frame = std::array<std::uint64_t, 2>;

template <class Barriers>
struct tracer {
    using ring_type = ringproof::record_ring<ringproof::single, Barriers>;
    ring_type ring{64};
    ringproof::aux_area<ring_type> area{ring, 64};

    /// One session, in which one frame is traced.
    template <class Sink>
    void run(Sink& sink, ringproof::etr_device& device, std::mutex& funnel, std::uint64_t number) {
        auto room = area.begin();
        VERIFY_THAT(sink.start(room));
        {
            const std::lock_guard lock(funnel);
            const frame one{number, number};
            device.trace(std::as_bytes(std::span(one)));
        }
        const auto size = sink.stop(room);
        if (size == 0) verify::cover("left to the other");
        if (size == 2 * sizeof(frame)) verify::cover("copied for both");
        if (size == 3 * sizeof(frame)) verify::cover("copied for all");
    }
};

/// Tracers with a frame each, from when each wants to until when each wants to; and somebody who reads the first one's area
/// meanwhile.
template <class Barriers, class Sink, unsigned Tracers = 2>
void once_in_one_area() {
    ringproof::physical_memory memory;
    const ringproof::etr_translation buffer(memory, ringproof::etr_mode::flat, 4096);
    ringproof::etr_device device(buffer);
    Sink sink(device, buffer);
    std::mutex funnel;
    std::array<tracer<Barriers>, Tracers> tracers;
    std::array<unsigned, Tracers> seen{};
    const auto look = [&](tracer<Barriers>& one) {
        const auto chunk = one.area.read();
        const auto bytes = chunk.bytes().first;
        VERIFY_THAT(bytes.size() == chunk.size() && bytes.size() % sizeof(frame) == 0);
        for (std::size_t at = 0; at != bytes.size(); at += sizeof(frame)) {
            frame got{};
            std::memcpy(&got, bytes.data() + at, sizeof got);
            VERIFY_THAT(got[0] < Tracers && got[0] == got[1]);
            ++seen[got[0]];
        }
        return bytes.size();
    };
    std::array<std::thread, Tracers> threads;
    for (unsigned i = 0; i != Tracers; ++i)
        threads[i] = std::thread([&, i] { tracers[i].run(sink, device, funnel, i); });
    if (look(tracers[0]) != 0) verify::cover("read meanwhile");
    for (auto& one : threads) one.join();
    for (auto& one : tracers) look(one);
    VERIFY_THAT(sink.users() == 0 && !device.running());
    for (const unsigned times : seen) VERIFY_THAT(times == 1);
}

struct no_mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};

/// Finds out whether it is the last by a look, and steps back later: two that look at the same time leave it to each other.
class looks_then_leaves {
  public:
    looks_then_leaves(ringproof::etr_device& device, const ringproof::etr_translation& buffer)
        : sink_(device, buffer) {}
    template <class Transaction>
    bool start(const Transaction& room) {
        const std::lock_guard lock(starting_);
        return users_.fetch_add(1) != 0 || sink_.start(room);
    }
    template <class Transaction>
    std::size_t stop(Transaction& room) {
        std::size_t size = 0;
        if (users_.load() == 1)
            size = sink_.stop(room);
        else
            room.commit();
        users_.fetch_sub(1);
        return size;
    }
    [[nodiscard]] unsigned users() const { return users_.load(); }

  private:
    ringproof::etr_sink sink_;
    std::mutex starting_;
    std::atomic<unsigned> users_{0};
};

} // namespace

VERIFY("ETR: of tracers that share a sink the last copies, and everything is there once",
       .models = {rc11, sc, tso}, .covers = {"left to the other", "copied for both", "read meanwhile"}) {
    once_in_one_area<watched, ringproof::etr_sink>();
}
VERIFY("ETR: of three tracers that share a sink the last copies, and everything is there once",
       .covers = {"left to the other", "copied for both", "copied for all", "read meanwhile"}) {
    once_in_one_area<watched, ringproof::etr_sink, 3>();
}
VERIFY("ETR: of tracers that share a sink the last copies, and everything is there once, without the mutex",
       .models = {rc11, sc, tso}, .expect = refuted) {
    once_in_one_area<watched, ringproof::basic_etr_sink<no_mutex>>();
}
VERIFY(
    "ETR: of tracers that share a sink the last copies, and everything is there once, a look before a step",
    .models = {rc11, sc, tso}, .expect = refuted) {
    once_in_one_area<watched, looks_then_leaves>();
}
VERIFY("ETR: of tracers that share a sink the last copies, and everything is there once, B relaxed",
       .expect = refuted, .mutant = 'B') {
    once_in_one_area<ringproof::scenarios::without_b, ringproof::etr_sink>();
}
VERIFY("ETR: of tracers that share a sink the last copies, and everything is there once, C relaxed",
       .expect = refuted, .mutant = 'C') {
    once_in_one_area<ringproof::scenarios::without_c, ringproof::etr_sink>();
}
