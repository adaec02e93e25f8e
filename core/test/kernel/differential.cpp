// SPDX-License-Identifier: Apache-2.0
// The kernel as the judge. A random script (write records, read, pause, resume, change a thread's name to make the
// kernel write) runs on a real perf ring of the kernel and on ours, `nested` in perf's layout, side by side; after
// every step data_head, what was accepted and refused, what the LOST records say and the readiness must agree.
//
//     core_kernel_differential [SCRIPTS] [STEPS] [SEED]
//
// The kernel's records come from a dummy software event: every prctl(PR_SET_NAME) writes one COMM record, at once and
// on this thread. Exit code 0, 1 when something differed, 77 when perf_event_open is not permitted here.
//
// Deviations that we chose, and how they are compared (spec names in brackets):
//   a refused record raises readiness [W12]: expected of ours, and only of ours
//   readiness is a level until the ring was found empty [W13]: the kernel's is added up until then
//   a watermark over half the capacity is cut to that [W11]: only watermarks up to half are compared
// A lost wake-up of nested writers [W10] can't show here: nobody interrupts anybody in this script.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "kernel_ring.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/wake/event_descriptor.hpp"

namespace {

using ring_type = record_ring<nested, acquire_release, keep_oldest, perf_abi, descriptor_wakeup>;

template <class Ring>
std::vector<seen> read(Ring& ring, std::size_t most) {
    std::vector<seen> result;
    ring.consume([&](const record& one) { result.push_back(as_seen(one)); }, most);
    return result;
}

struct totals {
    std::uint64_t steps = 0, records = 0, refused = 0, lost_records = 0, lost = 0, wake_ups = 0,
                  delivered = 0;
};

bool run_script(std::mt19937_64& random, unsigned steps, totals& sum) {
    const auto pick = [&](std::uint64_t n) { return static_cast<unsigned>(random() % n); };
    const std::size_t capacity = mapped_memory::page_size() << pick(2);
    const std::uint32_t watermark = pick(3) == 0 ? 0 : 1 + pick(static_cast<unsigned>(capacity / 2));
    kernel_ring theirs(capacity, watermark);
    auto memory = mapped_memory::shared(capacity);
    const ring_memory our_page = mapped_memory::attach(memory.descriptor());
    const ring_memory their_page = theirs.memory();
    ring_type ours(std::move(memory), {0, theirs.id(), watermark});
    record_ring<nested, acquire_release, refuse, perf_abi> their_reader(
        theirs.memory()); // our reader in both
    bool ready = false;   // what ours must say
    std::vector<std::string> log;
    const auto differ = [&](const char* what, std::uint64_t kernel, std::uint64_t mine) {
        std::printf("%s: the kernel %llu, ours %llu; capacity %zu, watermark %u, the script so far:\n", what,
                    static_cast<unsigned long long>(kernel), static_cast<unsigned long long>(mine), capacity,
                    watermark);
        for (const auto& line : log) std::printf("  %s\n", line.c_str());
        return false;
    };
    bool paused = false;
    for (unsigned step = 0; step != steps; ++step) {
        ++sum.steps;
        const unsigned what = pick(20);
        if (what < 13) {
            const unsigned letters = 1 + pick(15), count = pick(8) == 0 ? 1 + pick(200) : 1 + pick(4);
            log.push_back("write " + std::to_string(count) + " with " + std::to_string(letters) + " letters");
            for (unsigned i = 0; i != count; ++i) {
                const std::uint64_t before = head_of(their_page);
                const std::size_t size = kernel_ring::write(letters);
                const bool accepted = head_of(their_page) != before;
                const std::vector<std::byte> payload(size - sizeof(record_header));
                const bool mine = ours.write(payload, {comm_type, 0});
                if (accepted != mine) return differ("accepted", accepted, mine);
                ++(accepted ? sum.records : sum.refused);
                if (!accepted && !paused) ready = true; // W12
                if (head_of(their_page) != head_of(our_page))
                    return differ("data_head", head_of(their_page), head_of(our_page));
                if (theirs.take_readiness()) ready = true, ++sum.wake_ups;
                if (ours.ready() != ready) return differ("ready", ready, ours.ready());
            }
        } else if (what < 17) {
            const std::size_t most = pick(3) == 0 ? 1000 : 1 + pick(20);
            log.push_back("read " + std::to_string(most));
            const auto kernel = read(their_reader, most), mine = read(ours, most);
            if (kernel != mine) return differ("records read", kernel.size(), mine.size());
            sum.delivered += kernel.size();
            for (const auto& one : kernel)
                if (one.type == record_type::lost) ++sum.lost_records, sum.lost += one.lost;
            if (their_reader.error() != read_error::none || ours.error() != read_error::none)
                return differ("read errors", static_cast<unsigned>(their_reader.error()),
                              static_cast<unsigned>(ours.error()));
            if (ours.size_guess() == 0) {
                // Finding it empty is what lowers readiness.
                if (read(ours, 1).size() + read(their_reader, 1).size() != 0) return differ("empty", 0, 1);
                ready = false;
                if (ours.ready()) return differ("ready when empty", 0, 1);
            }
        } else if (what < 19) {
            paused = !paused;
            log.push_back(paused ? "pause" : "resume");
            theirs.pause(paused);
            paused ? ours.pause() : ours.resume();
        } else {
            log.push_back("poll");
            if (theirs.take_readiness()) ready = true;
            pollfd one{ours.descriptor(), POLLIN, 0};
            const bool mine = ::poll(&one, 1, 0) == 1;
            if (mine != ready) return differ("poll", ready, mine);
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int i, unsigned long fallback) {
        return argc > i ? std::strtoul(argv[i], nullptr, 10) : fallback;
    };
    const auto scripts = number(1, 200), steps = number(2, 200), seed = number(3, 20260101);
    std::array<char, 16> name{};
    ::prctl(PR_GET_NAME, name.data());
    std::mt19937_64 random(seed);
    totals sum;
    for (unsigned long script = 0; script != scripts; ++script)
        if (!run_script(random, static_cast<unsigned>(steps), sum)) {
            std::printf("script %lu of seed %lu\n", script, seed);
            return 1;
        }
    ::prctl(PR_SET_NAME, name.data());
    const auto show = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf(
        "%lu scripts, %llu steps: %llu records accepted and %llu refused by both, %llu delivered, %llu LOST "
        "records of %llu losses, %llu wake-ups by watermark, no difference\n",
        scripts, show(sum.steps), show(sum.records), show(sum.refused), show(sum.delivered),
        show(sum.lost_records), show(sum.lost), show(sum.wake_ups));
    return 0;
}
