// SPDX-License-Identifier: Apache-2.0
#include "ringproof/per_cpu_rings.hpp"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

#include "ringproof/full/keep_oldest.hpp"

using namespace ringproof;

namespace {

struct body {
    std::uint64_t thread, number, check;
    static body make(std::uint64_t thread, std::uint64_t number) {
        return {thread, number, (thread << 40 ^ number) * 0x9e37'79b9'7f4a'7c15};
    }
};

std::vector<int> allowed_cpus() {
    cpu_set_t set;
    std::vector<int> result;
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu != CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set)) result.push_back(cpu);
    return result;
}

/// Moves the calling thread.
void go_to(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

/// What arrives is whole, and each thread's records are in order in each ring.
struct ledger {
    std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t> next;
    std::uint64_t delivered = 0, told = 0, wrong = 0;
    void enter(unsigned cpu, const record& one) {
        if (one.type() == record_type::lost) {
            const auto lost = one.as<lost_record>();
            wrong += !lost || lost->id != cpu;
            if (lost) told += lost->count;
            return;
        }
        const auto got = one.as<body>().value_or(body{});
        auto& expected = next[{cpu, got.thread}];
        wrong += got.check != body::make(got.thread, got.number).check || got.number < expected;
        expected = got.number + 1;
        ++delivered;
    }
};

/// A thread on a CPU that was not there when the rings were made.
struct on_a_new_cpu : acquire_release {
    template <class Sequence>
    static unsigned cpu() noexcept {
        return 1'000'000;
    }
    template <class Sequence>
    static local_change claim_on(unsigned, std::atomic<position>&, position&, position) noexcept {
        return local_change::elsewhere;
    }
};

} // namespace

TEST_CASE("a restartable sequence stores where the thread is, and only over what was expected") {
    if (restartable::missing() != nullptr) {
        WARN("not tried: " << restartable::missing());
        return;
    }
    std::uint64_t word = 7;
    local_change answer = local_change::elsewhere;
    const auto on_this_cpu = [&](std::uint64_t expected, std::uint64_t desired) {
        do answer = restartable::compare_and_store(restartable::cpu(), word, expected, desired);
        while (answer == local_change::elsewhere);
        return answer;
    };
    CHECK(on_this_cpu(7, 8) == local_change::done);
    CHECK(word == 8);
    CHECK(on_this_cpu(7, 9) == local_change::changed);
    CHECK(word == 8);
    CHECK(restartable::compare_and_store(~0u, word, 8, 9) == local_change::elsewhere);
    CHECK(word == 8);
}

TEST_CASE("a restartable sequence that a signal comes into starts over") {
    if (restartable::missing() != nullptr) {
        WARN("not tried: " << restartable::missing());
        return;
    }
    // The handler changes the same word; an addition that was not started over would take that back.
    static std::uint64_t word;
    static std::atomic<std::uint64_t> signals;
    static const auto add = [] {
        const volatile std::uint64_t& now = word;
        for (;;) {
            const std::uint64_t seen = now;
            if (restartable::compare_and_store(restartable::cpu(), word, seen, seen + 1) ==
                local_change::done)
                return;
        }
    };
    word = 0, signals = 0;
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) { add(), ++signals; };
    ::sigaction(SIGUSR2, &action, &before);
    std::atomic<bool> enough{false};
    const pthread_t target = ::pthread_self();
    std::thread sender([&] {
        while (!enough) ::pthread_kill(target, SIGUSR2), std::this_thread::yield();
    });
    std::uint64_t own = 0;
    while (signals < 2000) {
        for (int i = 0; i != 100; ++i) add();
        own += 100;
    }
    enough = true;
    sender.join();
    ::sigaction(SIGUSR2, &before, nullptr);
    CHECK(word == own + signals);
}

TEST_CASE("threads that are moved from CPU to CPU while they write lose nothing and tear nothing") {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    const bool off =
        tunables != nullptr && std::string_view(tunables).find("rseq=0") != std::string_view::npos;
    if (off) REQUIRE(per_cpu_rings<>::locked_because() != nullptr);
    const auto cpus = allowed_cpus();
    if (cpus.size() < 2) WARN("one CPU only: threads were preempted, not moved");
    constexpr std::uint64_t threads = 3, records = 6000;
    per_cpu_rings<keep_oldest> rings(8192, {0 - std::uint64_t{4096}, 0, 0});
    std::atomic<unsigned> running{threads};
    std::vector<std::thread> writers;
    for (std::uint64_t thread = 0; thread != threads; ++thread)
        writers.emplace_back([&, thread] {
            for (std::uint64_t number = 0; number != records; ++number) {
                if (number % 32 == thread) go_to(cpus[(number / 32 + thread) % cpus.size()]);
                const body one = body::make(thread, number);
                auto room = rings.begin(sizeof one);
                if (number % 64 == 40)
                    go_to(cpus[(number / 64 + thread) % cpus.size()]); // with an open reservation
                room.copy_from(std::as_bytes(std::span(&one, 1)));
                if (!room) std::this_thread::yield();
            }
            running.fetch_sub(1);
        });
    ledger book;
    for (;;) {
        const bool last = running == 0;
        if (rings.consume([&](unsigned cpu, const record& one) { book.enter(cpu, one); }) == 0) {
            if (last) break;
            std::this_thread::yield();
        }
    }
    for (auto& one : writers) one.join();
    std::uint64_t unreported = 0, used = 0;
    for (std::size_t cpu = 0; cpu != rings.size(); ++cpu) {
        CHECK(rings[cpu].error() == read_error::none);
        unreported += rings[cpu].unreported();
        for (std::uint64_t thread = 0; thread != threads; ++thread)
            used += book.next.count({static_cast<unsigned>(cpu), thread});
    }
    CHECK(book.wrong == 0);
    CHECK(book.delivered > 8192 / sizeof(body));
    CHECK(book.delivered + rings.lost() == threads * records);
    CHECK(book.told + unreported == rings.lost());
    if (cpus.size() >= 2) CHECK(used > threads); // they have been in more than one ring each
}

TEST_CASE("a signal handler writes to the ring its thread is writing to, wherever both are") {
    static per_cpu_rings<>* rings;
    static std::atomic<std::uint64_t> written;
    static std::atomic<bool>
        full; // no more signals, or where they are slow (in qemu) the thread never gets to read
    per_cpu_rings<> all(1 << 16);
    rings = &all;
    written = 0;
    full = false;
    struct sigaction action {
    }, before{};
    action.sa_handler = [](int) {
        const body one = body::make(1, written);
        if (rings->write(std::as_bytes(std::span(&one, 1))))
            ++written;
        else
            full = true;
    };
    ::sigaction(SIGUSR2, &action, &before);
    std::atomic<bool> enough{false};
    const pthread_t target = ::pthread_self();
    std::thread sender([&] {
        while (!enough) {
            if (!full) ::pthread_kill(target, SIGUSR2);
            std::this_thread::yield();
        }
    });
    ledger book;
    std::uint64_t own = 0;
    while (written < 1000) {
        for (int i = 0; i != 50; ++i) {
            const body one = body::make(0, own);
            if (all.write(std::as_bytes(std::span(&one, 1)))) ++own;
        }
        all.consume([&](unsigned cpu, const record& one) { book.enter(cpu, one); });
        full = false;
    }
    enough = true;
    sender.join();
    ::sigaction(SIGUSR2, &before, nullptr);
    while (all.consume([&](unsigned cpu, const record& one) { book.enter(cpu, one); }) != 0) {
    }
    CHECK(book.wrong == 0);
    CHECK(book.delivered == own + written);
}

TEST_CASE("sizes of the rings per CPU are checked like those of one ring") {
    CHECK_THROWS_AS(per_cpu_rings<>(100), std::invalid_argument);
    CHECK_THROWS_AS(per_cpu_rings<>(64, {4, 0, 0}), std::invalid_argument);
    per_cpu_rings<> rings(64);
    CHECK(rings.size() >= 1);
    CHECK_FALSE(rings.write(std::array<std::byte, 64>{}));
    CHECK(rings.try_begin(64).why() == refusal::too_large);
    CHECK(rings.lost() == 1);
}

TEST_CASE("a record of a thread that has no ring is lost and counted, unless it will try again") {
    if (restartable::missing() != nullptr) {
        WARN("not tried: " << restartable::missing());
        return;
    }
    per_cpu_rings<refuse, on_a_new_cpu> rings(64);
    CHECK(rings.try_begin(8).why() == refusal::elsewhere);
    CHECK_FALSE(rings.try_write(std::array<std::byte, 8>{}));
    CHECK(rings.lost() == 0);
    CHECK(rings.begin(8).why() == refusal::elsewhere);
    CHECK_FALSE(rings.write(std::array<std::byte, 8>{}));
    CHECK(rings.lost() == 2);
    CHECK(rings.consume([](unsigned, const record&) {}) == 0);
}
