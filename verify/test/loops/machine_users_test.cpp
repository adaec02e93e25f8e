// SPDX-License-Identifier: Apache-2.0
// What the judge makes of the things that programs of users do beside atomics.
#include "generate.hpp"
#include "machine.hpp"

#include "enumerate.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::loops {
namespace {

using mo = std::memory_order;
constexpr mo rlx = mo::relaxed, acq = mo::acquire, rel = mo::release;

program threads(std::initializer_list<thread_code> all) {
    program made;
    for (const thread_code& each : all) made.threads[static_cast<std::size_t>(made.size++)] = each;
    return made;
}

/// The one final state of a thread by itself.
registers alone(writer& w) {
    for (int r = 0; r < max_registers; ++r) w.report(r);
    const judgement found = judge(threads({w.done()}), machine_model::rc11);
    REQUIRE(found.finals.size() == 1);
    return found.finals.begin()->reported[0];
}

} // namespace

TEST_CASE(
    "a loop that gives up has the final states of so many reads, as the brute-force oracle counts them") {
    namespace ow = oracle::write;
    for (const auto& [writing, reading] : {std::pair{rel, acq}, std::pair{rlx, rlx}})
        for (int rounds = 1; rounds <= 4; ++rounds) {
            const program here = threads({writer().store(0, 1, rlx).store(1, 1, writing).done(),
                                          writer()
                                              .loop()
                                              .load(0, 1, reading)
                                              .break_if(reg(0), comparison::not_equal, 0)
                                              .set(2, reg(2, 1))
                                              .break_if(reg(2), comparison::equal, rounds)
                                              .yield()
                                              .end()
                                              .load(1, 0, rlx)
                                              .report(0)
                                              .report(1)
                                              .done()});
            const oracle::program there{
                {ow::store(0, 1, rlx), ow::store(1, 1, writing)},
                {ow::counted_wait(1, oracle::comparison::not_equal, 0, rounds, reading, 0),
                 ow::load(0, rlx, 1)}};
            std::set<std::array<int, 2>> ours, theirs;
            for (const outcome& o : judge(here, machine_model::rc11).finals)
                ours.insert({o.reported[1][0], o.reported[1][1]});
            for (const oracle::outcome& o : enumerate(there, oracle::memory_model::rc11).outcomes)
                theirs.insert({o.registers[1][0], o.registers[1][1]});
            CAPTURE(rounds);
            CHECK(ours == theirs);
            CHECK(ours.size() == (reading == acq ? 3 : 4));
        }
}

TEST_CASE("halves are rounded to nearest even, down, up, and towards zero") {
    for (const auto& [halves, nearest, down, up, zero] :
         {std::array{1, 0, 0, 1, 0}, std::array{3, 2, 1, 2, 1}, std::array{5, 2, 2, 3, 2},
          std::array{-1, 0, -1, 0, 0}, std::array{-3, -2, -2, -1, -1}, std::array{4, 2, 2, 2, 2}}) {
        writer w;
        w.number_set(halves).number_get(0).set_rounding(1).number_get(1).set_rounding(2).number_get(2);
        w.set_rounding(3).number_get(3).get_rounding(4).get_flag(5);
        CAPTURE(halves);
        CHECK(alone(w) == registers{nearest, down, up, zero, 3, halves % 2 != 0});
    }
}

TEST_CASE("the mode and the flag are each thread's own and begin as new") {
    const program both =
        threads({writer().set_rounding(2).divide().get_rounding(0).get_flag(1).report(0).report(1).done(),
                 writer().get_rounding(0).get_flag(1).report(0).report(1).done()});
    const judgement found = judge(both, machine_model::rc11);
    REQUIRE(found.finals.size() == 1);
    CHECK(to_string(*found.finals.begin(), both) == "T0:r0=2 T0:r1=1 T1:r0=0 T1:r1=0 x0=0 x1=0 x2=0 ");
}

TEST_CASE("a page holds zeros each time it is obtained, and without one there is nothing") {
    writer w;
    w.page_put(0, 5).page_get(0, 0).obtain().page_put(0, 6).obtain().page_get(1, 0);
    w.give_back().page_get(2, 0).obtain().page_get(3, 0);
    CHECK(alone(w) == registers{0, 6, 0, 0, 0, 0});
}

TEST_CASE("a loop that only its rounding mode tells apart ends, and one that changes nothing does not") {
    const auto changes = [](int mode) {
        writer w;
        w.loop().load(0, 0, rlx).break_if(reg(0), comparison::equal, 1);
        return w.get_rounding(1).break_if(reg(1), comparison::equal, 2).set_rounding(mode).end().done();
    };
    CHECK_FALSE(judge(threads({changes(2)}), machine_model::rc11).waits);
    CHECK(judge(threads({changes(0)}), machine_model::rc11).waits);
}

TEST_CASE("programs of each kind hold what the kind is named for") {
    const auto some = [](kind which, op wanted) {
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const program made = generate(which, seed);
            bool has = false;
            for (int t = 0; t < made.size; ++t)
                for (int at = 0; at < made[t].size; ++at) has = has || made[t][at].what == wanted;
            found += has;
        }
        return found;
    };
    CHECK(some(kind::counted, op::yield) > 30);
    CHECK(some(kind::counted, op::sleep) > 30);
    CHECK(some(kind::told, op::yield) > 30);
    CHECK(some(kind::rounding, op::set_rounding) > 50);
    CHECK(some(kind::flags, op::divide) > 50);
    CHECK(some(kind::flags, op::get_flag) > 50);
    CHECK(some(kind::numbers, op::number_add) > 50);
    CHECK(some(kind::pages, op::obtain) == 100);
    CHECK(some(kind::mapped, op::obtain) == 100);
    CHECK(some(kind::spin, op::obtain) + some(kind::any, op::set_rounding) == 0);
}

} // namespace ringproof::verify::loops
