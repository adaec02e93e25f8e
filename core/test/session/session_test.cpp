// SPDX-License-Identifier: Apache-2.0
#include "ringproof/session/session.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <random>
#include <thread>
#include <vector>

#include <sched.h>

#include "delivery_check.hpp"

using namespace ringproof;

namespace {

/// CPUs that this process may run on.
std::vector<int> allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::vector<int> result;
    for (int cpu = 0; cpu != CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) result.push_back(cpu);
    return result;
}

void run_on(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

} // namespace

TEST_CASE("the mode decides who has a ring, and whose records are seen") {
    const auto mode = GENERATE(deployment::by_default, deployment::per_thread, deployment::cpu_list,
                               deployment::system_wide);
    session<> s({mode, {allowed_cpus().front()}});
    const auto event = s.open();
    s.map(event);
    auto mine = s.attach();
    CHECK(mine.attached());
    const auto before = allowed_cpus();
    run_on(before.front()); // what cpu_list has
    CHECK(number(mine, event, 1));
    bool child_wrote = false;
    s.spawn(mine, [&](auto& writer) {
         run_on(before.front());
         child_wrote = number(writer, event, 2);
     }).join();
    CHECK(child_wrote == (mode != deployment::per_thread));
    CHECK(s.rings() >= 1);
    if (mode == deployment::per_thread || mode == deployment::cpu_list) CHECK(s.rings() == 1);
    delivery_check all;
    s.read(all);
    s.close(all);
    CHECK(all.delivered == (child_wrote ? 2U : 1U));
    CHECK(all.in_time);
    if (mode == deployment::cpu_list && before.size() > 1) {
        run_on(before.back());
        s.map(event);
        CHECK_FALSE(number(mine, event, 3));
        CHECK(mine.elsewhere() == 1);
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : before) CPU_SET(cpu, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

TEST_CASE("redirected events share a ring, by the rules") {
    session<> s({deployment::per_thread, {}});
    const auto one = s.open(), two = s.open(), other_clock = s.open({1, 0, false});
    auto writer = s.attach();
    CHECK(s.redirect(two, one) == output_refusal::no_ring);
    s.map(one);
    CHECK(s.redirect(two, two) == output_refusal::itself);
    CHECK(s.redirect(other_clock, one) == output_refusal::other_clock);
    CHECK_FALSE(number(writer, two, 1)); // nowhere yet
    CHECK(s.redirect(two, one) == output_refusal::none);
    CHECK(number(writer, two, 2));
    CHECK(number(writer, one, 3));
    CHECK(s.rings() == 1);
    s.map(two); // it has somewhere to go
    CHECK(s.rings() == 1);
    auto late = s.attach(); // gets the same
    CHECK(number(late, two, 4));
    CHECK(s.redirect(one, two) == output_refusal::mapped);
    const auto third = s.open();
    CHECK(s.redirect(third, two) == output_refusal::none); // to where that one goes
    CHECK(number(writer, third, 5));
    s.unmap(one); // takes it from two as well
    CHECK_FALSE(number(writer, two, 6));
    CHECK_FALSE(number(writer, third, 7));
    CHECK_FALSE(number(writer, one, 8));
    delivery_check all;
    s.close(all);
    CHECK(all.delivered == 4);
    CHECK(s.rings() == 0);
}

TEST_CASE("an event whose ring was another's gets rings of its own when that one's are gone") {
    session<> s({deployment::per_thread, {}});
    const auto owner = s.open(), guest = s.open();
    auto writer = s.attach();
    s.map(owner);
    REQUIRE(s.redirect(guest, owner) == output_refusal::none);
    s.map(guest); // it has somewhere to go
    CHECK(s.rings() == 1);
    s.unmap(owner);
    s.map(guest); // and now it hasn't
    CHECK(number(writer, guest, 1));
    CHECK_FALSE(number(writer, owner, 2));
    CHECK(s.redirect(owner, guest) == output_refusal::none);
    CHECK(number(writer, owner, 3));
    delivery_check all;
    s.close(all);
    CHECK(all.delivered == 2);
}

TEST_CASE("a loss that is told when its ring goes is told behind what has been given out meanwhile") {
    session<> s({deployment::per_thread, {}, 256});
    const auto event = s.open();
    s.map(event);
    delivery_check all;
    auto other = s.attach();
    std::uint64_t attempted = 1;
    {
        auto writer = s.attach();
        while (number(writer, event, attempted)) ++attempted;
        s.read(all); // up to the last record of this writer; the one lost behind it is not told yet
        CHECK(all.delivered == attempted - 1);
        CHECK(number(other, event, 1));
        s.read(all);
        CHECK(all.delivered == attempted);
        CHECK(all.lost == 0);
    }
    s.read(all);
    CHECK(all.lost == 1);
    CHECK(all.in_time);
    CHECK(s.late() == 0);
}

TEST_CASE("what finds no room is counted, told in its place, and told at the end") {
    session<> s({deployment::per_thread, {}, 256});
    const auto event = s.open();
    s.map(event);
    auto writer = s.attach();
    std::uint64_t accepted = 0;
    for (std::uint64_t i = 1; i != 20; ++i) accepted += number(writer, event, i);
    CHECK(accepted < 19);
    delivery_check all;
    s.read(all);
    CHECK(all.delivered == accepted);
    CHECK(all.lost == 0);
    CHECK(number(writer, event, 20));
    s.read(all);
    CHECK(all.lost == 19 - accepted);
    for (std::uint64_t i = 21; i != 40; ++i) number(writer, event, i);
    s.close(all);
    CHECK(all.delivered + all.lost == 39);
    CHECK(all.lost == s.lost());
}

TEST_CASE("a watermark wakes all who wait, and so does a writer that was refused") {
    session<> s({deployment::per_thread, {}, 256, 64});
    const auto event = s.open();
    s.map(event);
    std::atomic<int> woken{0};
    std::vector<std::thread> waiting;
    for (int i = 0; i != 3; ++i)
        waiting.emplace_back([&] {
            s.wait();
            ++woken;
        });
    auto writer = s.attach();
    for (std::uint64_t i = 1; i != 4; ++i) number(writer, event, i); // 3 records of 32 bytes
    for (auto& one : waiting) one.join();
    CHECK(woken == 3);
}

TEST_CASE("a thread that ends leaves its records, and its ring goes when they are read") {
    session<> s({deployment::per_thread, {}});
    const auto event = s.open();
    s.map(event);
    std::thread([&] {
        auto writer = s.attach();
        number(writer, event, 1);
    }).join();
    CHECK(s.rings() == 1);
    delivery_check all;
    s.read(all);
    CHECK(all.delivered == 1);
    CHECK(s.rings() == 0);
}

TEST_CASE("threads that move, and rings that come and go under load: nothing is lost untold, twice, or out "
          "of order") {
    const auto mode = GENERATE(deployment::system_wide, deployment::per_thread);
    session<> s({mode, {}, 1U << 13U});
    const auto always = s.open(), changing = s.open(), guest = s.open();
    s.map(always);
    constexpr int threads = 3, rounds = 12, each = 400;
    std::atomic<std::uint64_t> attempted{0}, nowhere{0};
    std::atomic<int> running{threads + 1};
    std::vector<std::thread> all_threads;
    const auto cpus = allowed_cpus();
    for (int t = 0; t != threads; ++t)
        all_threads.emplace_back([&, t] {
            std::mt19937 random(static_cast<unsigned>(t));
            for (int round = 0; round != rounds; ++round) {
                auto writer = s.attach(); // and goes: with its ring, if it has one
                std::uint64_t value = 0;
                for (int i = 0; i != each; ++i) {
                    if (random() % 50 == 0) run_on(cpus[random() % cpus.size()]);
                    number(writer,
                           random() % 2 == 0   ? always
                           : random() % 2 == 0 ? changing
                                               : guest,
                           ++value);
                }
                attempted += each;
                nowhere += writer.elsewhere();
            }
            --running;
        });
    all_threads.emplace_back([&] {
        for (int round = 0; running != 1; ++round) {
            s.map(changing);
            s.redirect(guest, round % 2 == 0 ? changing : always);
            std::this_thread::yield();
            s.unmap(changing);
        }
        --running;
    });
    delivery_check all;
    while (running != 0) {
        s.read(all);
        std::this_thread::yield();
    }
    for (auto& one : all_threads) one.join();
    s.close(all);
    CHECK(all.in_time);
    CHECK(all.once);
    CHECK(s.late() == 0);
    CHECK(all.delivered + all.lost + nowhere == attempted);
    CHECK(all.lost == s.lost());
    CHECK(s.rings() == 0);
}

TEST_CASE("events that can't be read together share no ring") {
    session<> s;
    const auto plain = s.open(), backward = s.open({.backward = true}), traced = s.open({.aux_source = 1}),
               other_trace = s.open({.aux_source = 2});
    s.map(plain);
    s.map(traced);
    CHECK(s.redirect(backward, plain) == output_refusal::other_direction);
    CHECK(s.redirect(other_trace, traced) == output_refusal::other_aux_source);
    CHECK(s.redirect(other_trace, plain) == output_refusal::none); // one of them has trace
    CHECK(s.redirect(other_trace, session<>::none) == output_refusal::none);
    CHECK(s.redirect(other_trace, backward) == output_refusal::other_direction);
}

TEST_CASE("an event of one CPU, or of one thread, shares only rings that are written there") {
    const int here = allowed_cpus().front(), elsewhere = here + 1;
    session<> by_cpu({deployment::cpu_list, {here, elsewhere}});
    const auto one = by_cpu.open({.cpu = here}), other = by_cpu.open({.cpu = elsewhere}),
               same = by_cpu.open({.cpu = here});
    by_cpu.map(one);
    CHECK(by_cpu.rings() == 1);
    CHECK(by_cpu.redirect(other, one) == output_refusal::other_cpu);
    CHECK(by_cpu.redirect(same, one) == output_refusal::none);
    CHECK_THROWS_AS(by_cpu.open({.thread = 1}), std::invalid_argument);

    session<> by_thread({deployment::per_thread, {}});
    auto first = by_thread.attach(), second = by_thread.attach();
    const auto mine = by_thread.open({.thread = first.number()}),
               hers = by_thread.open({.thread = second.number()}),
               also_mine = by_thread.open({.thread = first.number()});
    by_thread.map(mine);
    CHECK(by_thread.rings() == 1);
    CHECK(by_thread.redirect(hers, mine) == output_refusal::other_thread);
    CHECK(by_thread.redirect(also_mine, mine) == output_refusal::none);
    CHECK(number(first, also_mine, 1));
    CHECK_FALSE(number(second, mine, 2));
    CHECK_FALSE(number(second, hers, 3));
    CHECK_THROWS_AS(by_thread.open({.cpu = 0}), std::invalid_argument);
    delivery_check all;
    by_thread.close(all);
    CHECK(all.delivered == 1);
}
