// SPDX-License-Identifier: Apache-2.0
// Two producer processes and one consumer process share a ring by its name. One producer is killed while it writes a
// record. The consumer calls recover(), which counts that record as lost, and goes on with the other producer's records.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ringproof/layout/between_processes.hpp>
#include <ringproof/mapped_memory.hpp>
#include <ringproof/producer/robust.hpp>
#include <ringproof/record_ring.hpp>

namespace {

using ring_type = ringproof::record_ring<ringproof::robust, ringproof::acquire_release, ringproof::refuse,
                                         ringproof::between_processes>;

constexpr int count = 1000, last_of_the_killed = 10;

struct message {
    int producer, number;
};

/// A process that writes. It knows the ring's name only; it could be any other program.
void produce(const char* name, int producer) {
    ring_type ring(ringproof::mapped_memory::open(name));
    for (int number = 1; number <= count; ++number) {
        const message one{producer, number};
        for (bool written = false; !written; sched_yield()) // full: try again
            if (auto room = ring.try_begin(sizeof one)) {
                if (producer == 1 && number > last_of_the_killed)
                    std::raise(SIGKILL); // reserved, not committed
                room.copy_from(std::as_bytes(std::span(&one, 1)));
                written = true;
            }
    }
}

pid_t start_producer(const char* name, int producer) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
        produce(name, producer);
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "producer %d: %s\n", producer, error.what());
        _exit(1);
    }
}

int run(const char* name) {
    ring_type ring(ringproof::mapped_memory::named(name, 4096));
    const pid_t killed = start_producer(name, 1);
    int status = 0;
    waitpid(killed, &status, 0); // the consumer needs no such hint: see `idle` below
    const pid_t other = start_producer(name, 2);

    int received[3] = {0, 0, 0}, idle = 0;
    bool in_order = true;
    std::uint64_t recovered = 0;
    while (received[2] != count && idle < 10'000'000) {
        ++idle;
        for (const auto& record : ring.read()) {
            const auto one = record.as<message>();
            if (!one) return 1;
            in_order &= one->number == ++received[one->producer];
            idle = 0;
        }
        if (idle > 0 && idle % 1000 == 0)
            recovered += ring.recover().records; // nothing arrives: did one die?
        if (idle > 0) sched_yield();
    }
    int other_status = 0;
    waitpid(other, &other_status, 0);

    std::printf("producer 1 ended by signal %d after %d records; %llu of its records recovered as lost\n",
                WTERMSIG(status), received[1], static_cast<unsigned long long>(recovered));
    std::printf("producer 2 delivered %d records\n", received[2]);
    return WTERMSIG(status) == SIGKILL && other_status == 0 && received[1] == last_of_the_killed &&
                   received[2] == count && recovered == 1 && ring.lost() == 1 && in_order
               ? 0
               : 1;
}

} // namespace

int main() {
    const std::string name = "/ringproof-example-" + std::to_string(getpid());
    try {
        const int code = run(name.c_str());
        shm_unlink(name.c_str());
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        shm_unlink(name.c_str());
        return 1;
    }
}
