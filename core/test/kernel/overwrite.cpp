// SPDX-License-Identifier: Apache-2.0
// The kernel's overwritable ring (write_backward, mapped read-only) beside our recorder in perf's layout: after every
// step of a random script head must agree, and every snapshot that our reader takes of both.
//
//     core_kernel_overwrite [SCRIPTS] [STEPS] [SEED]
//
// Exit code 0, 1 when something differed, 77 when perf_event_open is not permitted here.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernel_ring.hpp"
#include "ringproof/recorder.hpp"

namespace {

using recorder_type = recorder<nested, backward, acquire_release, perf_abi>;

struct totals {
    std::uint64_t steps = 0, written = 0, refused = 0, snapshots = 0, records = 0, lost_records = 0;
};

std::vector<seen> all(const snapshot& taken) {
    std::vector<seen> result;
    for (const auto& one : taken.records()) result.push_back(as_seen(one));
    return result;
}

bool run_script(std::mt19937_64& random, unsigned steps, totals& sum) {
    const auto pick = [&](std::uint64_t n) { return static_cast<unsigned>(random() % n); };
    const std::size_t capacity = mapped_memory::page_size() << pick(2);
    const kernel_ring theirs(capacity, 0, true);
    const ring_memory their_page = theirs.memory();
    recorder_type ours(mapped_memory::shared(capacity), {0, theirs.id(), 0});
    // This thread is the kernel's writer too, so when it reads nobody writes.
    const snapshot_reader<backward> their_reader(theirs.memory());
    const snapshot_reader<backward> our_reader(mapped_memory::attach(ours.memory().descriptor()));
    bool paused = false;
    std::uint64_t since = 0;
    for (unsigned step = 0; step != steps; ++step, ++sum.steps) {
        const unsigned what = pick(20);
        if (what < 14) {
            const unsigned letters = 1 + pick(15), count = pick(8) == 0 ? 1 + pick(300) : 1 + pick(4);
            for (unsigned i = 0; i != count; ++i) {
                const std::size_t size = kernel_ring::write(letters);
                const std::vector<std::byte> payload(size - sizeof(record_header));
                ++(ours.write(payload, {comm_type, 0}) ? sum.written : sum.refused);
                if (head_of(their_page) != head_of(ours.memory())) {
                    std::printf("step %u: head %llx, ours %llx\n", step,
                                static_cast<unsigned long long>(head_of(their_page)),
                                static_cast<unsigned long long>(head_of(ours.memory())));
                    return false;
                }
            }
        } else if (what < 18) {
            const std::uint64_t from = pick(2) == 0 ? 0 : since;
            const snapshot kernel = their_reader.take(from), mine = our_reader.take(from);
            if (all(kernel) != all(mine) || kernel.missed_bytes() != mine.missed_bytes() ||
                kernel.error() != snapshot_error::none || mine.error() != snapshot_error::none) {
                std::printf("step %u: a snapshot of %zu records, ours %zu\n", step, kernel.records().size(),
                            mine.records().size());
                return false;
            }
            if (all(mine) != all(from == 0 ? ours.take() : ours.take_since(from))) {
                std::printf("step %u: the page's snapshot is not the recorder's\n", step);
                return false;
            }
            since = kernel.head();
            ++sum.snapshots;
            for (const auto& one : all(kernel))
                ++sum.records, sum.lost_records += one.type == record_type::lost;
        } else {
            paused = !paused;
            theirs.pause(paused);
            paused ? ours.pause() : ours.resume();
        }
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    const auto number = [&](int i, unsigned long fallback) {
        return argc > i ? std::strtoul(argv[i], nullptr, 10) : fallback;
    };
    const auto scripts = number(1, 100), steps = number(2, 200), seed = number(3, 20260101);
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
        "%lu scripts, %llu steps: %llu records written and %llu refused by both, %llu snapshots of %llu "
        "records, %llu of them LOST, no difference\n",
        scripts, show(sum.steps), show(sum.written), show(sum.refused), show(sum.snapshots),
        show(sum.records), show(sum.lost_records));
    return 0;
}
