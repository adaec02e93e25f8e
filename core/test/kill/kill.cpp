// SPDX-License-Identifier: Apache-2.0
// kill -9 at random times to producers of one ring in shared memory:
//
//     core_kill [KILLS] [PRODUCERS] [SEED]
//
// Each producer numbers its records; before and after each it notes so in memory that outlives it. The consumer kills
// one at a time, recovers and starts another. At the end each producer's records must have arrived in order, once,
// whole: all it noted as committed, at most one more; and what it had begun beyond that is lost and counted at most
// once. Exit code 0, or 1 when something was wrong.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ringproof/layout/between_processes.hpp"
#include "ringproof/mapped_memory.hpp"
#include "ringproof/producer/robust.hpp"
#include "ringproof/record_ring.hpp"

namespace {

using namespace ringproof;
using ring_type = record_ring<robust, acquire_release, refuse, between_processes>;

struct notes {
    std::atomic<std::uint64_t> begun, committed;
};

[[noreturn]] void produce(int descriptor, std::uint64_t who, notes& mine) {
    ring_type ring(mapped_memory::attach(descriptor));
    for (std::uint64_t number = 0;; ++number) {
        mine.begun.store(number + 1);
        const std::size_t words = 2 + (who + number) % 60;
        for (;;) {
            auto room = ring.try_begin(words * 8);
            if (room) {
                // Slowly, word by word: here it shall be killed.
                const std::array<std::uint64_t, 2> head{who, number};
                room.copy_from(std::as_bytes(std::span(head)));
                for (std::uint64_t i = 2; i < words; ++i) {
                    const std::uint64_t word = who << 40 ^ number << 8 ^ i;
                    room.copy_from(std::as_bytes(std::span(&word, 1)), i * 8);
                    if (i % 16 == 0) ::sched_yield(); // few CPUs: so it is also killed when it does not run
                }
                break;
            }
            ::sched_yield();
        }
        mine.committed.store(number + 1);
    }
}

} // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, unsigned long fallback) {
        return argc > i ? std::strtoul(argv[i], nullptr, 10) : fallback;
    };
    const auto kills = argument(1, 100), producers = std::max(1UL, argument(2, 3)), seed = argument(3, 1);
    const std::size_t lives = kills + producers;
    void* const outliving =
        ::mmap(nullptr, lives * sizeof(notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outliving == MAP_FAILED) return 1;
    auto* const book = static_cast<notes*>(outliving);
    std::mt19937_64 random(seed);
    ring_type ring(mapped_memory::shared(16384));
    const int descriptor = ring.memory().descriptor();

    std::vector<std::uint64_t> delivered(lives, 0);
    std::uint64_t wrong = 0, recovered = 0, mid_record = 0, records = 0;
    const auto drain = [&] {
        ring.consume([&](const record& one) {
            std::vector<std::uint64_t> got(one.size() / 8);
            one.copy_to(std::as_writable_bytes(std::span(got)));
            ++records;
            if (got.size() < 2 || got[0] >= lives || got.size() != 2 + (got[0] + got[1]) % 60) {
                ++wrong;
                return;
            }
            if (got[1] != delivered[got[0]]++) ++wrong;
            for (std::uint64_t i = 2; i < got.size(); ++i)
                if (got[i] != (got[0] << 40 ^ got[1] << 8 ^ i)) ++wrong;
        });
        if (ring.error() != read_error::none) ++wrong;
    };
    std::vector<std::pair<pid_t, std::size_t>> living;
    std::size_t next = 0;
    const auto start_one = [&] {
        const std::size_t who = next++;
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                produce(descriptor, who, book[who]);
            } catch (...) {
                ::_exit(3);
            }
        }
        living.emplace_back(child, who);
    };
    const auto end_one = [&](std::size_t index) {
        const auto [child, who] = living[index];
        living.erase(living.begin() + static_cast<std::ptrdiff_t>(index));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        if (!WIFSIGNALED(status)) ++wrong; // it could not even start
        recovery done;
        do {
            drain();
            done = ring.recover();
            recovered += done.records;
            if (done.orphan) {
                std::printf("the ring is damaged\n");
                std::exit(1);
            }
        } while (!done.complete);
        drain();
        mid_record += book[who].begun.load() != book[who].committed.load();
    };
    for (unsigned long i = 0; i != producers; ++i) start_one();
    for (unsigned long i = 0; i != kills; ++i) {
        // Not before the victim has begun to work.
        const std::size_t victim = random() % living.size();
        while (book[living[victim].second].committed.load() < 3) drain();
        for (std::uint64_t turns = random() % 50; turns != 0; --turns) drain();
        // Full or not full at the time of death.
        if (random() % 2 == 0) {
            const timespec moment{0, static_cast<long>(random() % 300'000)};
            ::nanosleep(&moment, nullptr);
        }
        end_one(victim);
        start_one();
    }
    while (!living.empty()) end_one(0);
    drain();
    std::uint64_t unfinished = 0;
    for (std::size_t who = 0; who != next; ++who) {
        const std::uint64_t begun = book[who].begun.load(), committed = book[who].committed.load();
        if (delivered[who] < committed || delivered[who] > begun) ++wrong;
        unfinished += begun - delivered[who];
    }
    if (recovered > unfinished || ring.lost() != recovered || ring.size_guess() != 0) ++wrong;
    const auto show = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%zu killed, %llu of them with a record begun: %llu records delivered, %llu unfinished ones "
                "recovered and "
                "counted as lost, %llu wrong\n",
                next, show(mid_record), show(records), show(recovered), show(wrong));
    return wrong == 0 ? 0 : 1;
}
