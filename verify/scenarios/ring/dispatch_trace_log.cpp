// SPDX-License-Identifier: Apache-2.0
// A source that overwrites its entries while they are copied into an AUX area: what it may have touched is left out.

#include "mutants.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/trace_source/dispatch_trace_log.hpp>

#include <cstring>
#include <thread>

namespace verify = ringproof::verify;

namespace {

ringproof::dispatch_entry entry(std::uint64_t number) {
    return {0, 0, 0, 0, 0, 0, number + 1, number, number, number};
}

/// Two entries are there, of three places; two more come while they are captured.
template <class Barriers>
void newest_whole() {
    using ring_type = ringproof::record_ring<ringproof::single, Barriers>;
    ring_type ring(64);
    ringproof::aux_area<ring_type> aux(ring, 256);
    ringproof::dispatch_log<Barriers> log(3);
    ringproof::dispatch_capture<Barriers> capture(log, 1, 512);
    log.log(entry(0));
    log.log(entry(1));
    std::thread hypervisor([&] {
        log.log(entry(2));
        log.log(entry(3));
    });
    const auto captured = capture.capture(aux);
    hypervisor.join();
    const auto chunk = aux.read();
    VERIFY_THAT(chunk.size() == (captured + 1) * sizeof(ringproof::dispatch_entry));
    std::uint64_t last = 0;
    for (std::size_t i = 1; i <= captured; ++i) {
        ringproof::dispatch_entry one{};
        std::memcpy(&one, chunk.bytes().first.data() + i * sizeof one, sizeof one);
        VERIFY_THAT(one.timebase > last);
        VERIFY_THAT(one.fault_address == one.timebase - 1);
        VERIFY_THAT(one.srr0 == one.timebase - 1);
        VERIFY_THAT(one.srr1 == one.timebase - 1);
        last = one.timebase;
    }
    VERIFY_THAT(captured == 0 || last == captured + capture.lost());
    if (captured == 2 && last == 4) verify::cover("newest");
    if (capture.lost() != 0 && captured != 0) verify::cover("some left out");
}

using ringproof::scenarios::watched;

struct without_i : watched {
    static void intended() noexcept {}
};
struct without_j : watched {
    static position load_intent(const std::atomic<position>& intent) noexcept { return stat(intent); }
};

} // namespace

VERIFY("dispatch trace log: entries are captured whole", .models = {rc11, sc, tso},
       .covers = {"newest", "some left out"}) {
    newest_whole<watched>();
}
VERIFY("dispatch trace log: entries are captured whole, I relaxed", .expect = refuted) {
    newest_whole<without_i>();
}
VERIFY("dispatch trace log: entries are captured whole, J relaxed", .expect = refuted) {
    newest_whole<without_j>();
}
VERIFY("dispatch trace log: entries are captured whole, B relaxed", .expect = refuted, .mutant = 'B') {
    newest_whole<ringproof::scenarios::without_b>();
}
VERIFY("dispatch trace log: entries are captured whole, C relaxed", .expect = refuted, .mutant = 'C') {
    newest_whole<ringproof::scenarios::without_c>();
}
