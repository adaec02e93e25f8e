// SPDX-License-Identifier: Apache-2.0
// The judge before its own judges: the brute-force oracle, which enumerates graphs, on programs without loops
// (a wait is one read there), and cases whose answer is plain.
#include "generate.hpp"
#include "machine.hpp"

#include "enumerate.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::loops {
namespace {

using mo = std::memory_order;
constexpr mo rlx = mo::relaxed, acq = mo::acquire, rel = mo::release, sc = mo::seq_cst;

program threads(std::initializer_list<thread_code> all) {
    program made;
    for (const thread_code& each : all) made.threads[static_cast<std::size_t>(made.size++)] = each;
    return made;
}

/// The same program for both judges.
struct twins {
    program here;
    oracle::program there;
};

twins random_twins(std::uint64_t seed, bool strong) {
    chooser choose(seed);
    const auto order = [&](std::initializer_list<mo> weak) {
        return strong ? sc : *(weak.begin() + choose.below(static_cast<int>(weak.size())));
    };
    twins made;
    made.here.size = choose.chance(60) ? 2 : 3;
    const bool cells = choose.chance(30);
    for (int t = 0; t < made.here.size; ++t) {
        writer w;
        oracle::thread_code other;
        bool waited = false;
        const int most = made.here.size == 2 ? 4 : 2;
        for (int n = 1 + choose.below(most), r = 0; n > 0; --n, ++r) {
            const int x = choose.below(2), value = 1 + choose.below(2);
            switch (choose.below(cells ? 10 : 7)) {
            case 0:
            case 1: {
                const mo o = order({rlx, acq});
                w.load(r, x, o).report(r);
                other.append(oracle::write::load(x, o, r));
                break;
            }
            case 2: {
                const mo o = order({rlx, acq, rel, mo::acq_rel});
                w.add(r, x, value, o).report(r);
                other.append(oracle::write::fetch_add(x, value, o, r));
                break;
            }
            case 3: {
                const mo o = order({acq, rel, mo::acq_rel});
                w.fence(o);
                other.append(oracle::write::fence(o));
                break;
            }
            case 4:
                if (!waited) {
                    const mo o = order({rlx, acq});
                    w.loop().load(r, x, o).break_if(reg(r), comparison::greater, 0).end().report(r);
                    other.append(oracle::write::await(x, oracle::comparison::greater, 0, o, r));
                    waited = true;
                    break;
                }
                [[fallthrough]];
            case 5:
            case 6: {
                const mo o = order({rlx, rel});
                w.store(x, value, o);
                other.append(oracle::write::store(x, value, o));
                break;
            }
            case 7:
                w.cell_store(value);
                other.append(oracle::write::plain_store(t, value));
                break;
            default: {
                const int owner = choose.below(made.here.size);
                w.cell_load(r, owner).report(r);
                other.append(oracle::write::plain_load(owner, r));
            }
            }
        }
        made.here.threads[static_cast<std::size_t>(t)] = w.done();
        made.there.append(other);
    }
    return made;
}

std::set<outcome> translated(const oracle::enumeration& found, const program& of) {
    std::set<outcome> all;
    for (const oracle::outcome& each : found.outcomes) {
        outcome made;
        for (int t = 0; t < of.size; ++t)
            for (std::size_t r = 0; r < max_registers; ++r)
                if ((of[t].reported >> r & 1u) != 0)
                    made.reported[static_cast<std::size_t>(t)][r] =
                        each.registers[static_cast<std::size_t>(t)][r];
        for (std::size_t x = 0; x < made.locations.size(); ++x) made.locations[x] = each.atomics[x];
        all.insert(made);
    }
    return all;
}

} // namespace

TEST_CASE("the judge's machines have the final states and the races of the oracle's graphs") {
    struct pair {
        machine_model here;
        oracle::memory_model there;
    };
    int compared = 0, races = 0;
    for (std::uint64_t seed = 0; seed < 240; ++seed) {
        const bool strong = seed % 4 == 0;
        const twins program = random_twins(seed, strong);
        for (const pair model : {pair{machine_model::sc, oracle::memory_model::sc},
                                 pair{machine_model::tso, oracle::memory_model::tso},
                                 pair{machine_model::rc11, oracle::memory_model::rc11},
                                 pair{machine_model::rc11, oracle::memory_model::ra}}) {
            const bool everywhere = model.there == oracle::memory_model::ra;
            const bool as_sc = strong && model.there == oracle::memory_model::rc11;
            const oracle::enumeration expected = oracle::enumerate(program.there, model.there, 20'000);
            if (expected.cut_short) continue;
            const judgement found = judge(everywhere ? release_acquire(program.here) : program.here,
                                          as_sc ? machine_model::sc : model.here);
            CAPTURE(seed, static_cast<int>(model.there), to_string(program.here));
            REQUIRE_FALSE(found.cut);
            REQUIRE(found.races == expected.race);
            ++compared;
            races += expected.race;
            if (expected.race) continue;
            REQUIRE(found.finals == translated(expected, program.here));
            if (expected.blocked == 0) REQUIRE_FALSE(found.waits);
        }
    }
    CHECK(compared > 500);
    CHECK(races > 20);
}

TEST_CASE("who waits for what never comes waits for ever") {
    const thread_code waits =
        writer().loop().load(0, 0, acq).break_if(reg(0), comparison::equal, 2).end().done();
    for (const machine_model model : {machine_model::sc, machine_model::tso, machine_model::rc11}) {
        const judgement never = judge(threads({waits, writer().store(0, 1, rel).done()}), model);
        CHECK(never.finals.empty());
        CHECK(never.waits);
        const judgement comes =
            judge(threads({waits, writer().store(0, 1, rel).store(0, 2, rel).done()}), model);
        CHECK(comes.finals.size() == 1);
        CHECK_FALSE(comes.waits);
    }
}

TEST_CASE("a test-and-set on a lock that is never released waits, and one on a lock that is does not") {
    const auto take = [](bool release) {
        writer w;
        w.loop().exchange(0, 0, 1, acq).break_if(reg(0), comparison::equal, 0).end();
        if (release) w.store(0, 0, rel);
        return w.done();
    };
    for (const machine_model model : {machine_model::sc, machine_model::tso}) {
        CHECK(judge(threads({take(false), take(true)}), model).waits);
        CHECK_FALSE(judge(threads({take(true), take(true)}), model).waits);
    }
}

TEST_CASE("attempts that take back can keep each other from getting on, which changes memory") {
    const thread_code tries = writer()
                                  .loop()
                                  .add(0, 0, 1, acq)
                                  .break_if(reg(0), comparison::equal, 0)
                                  .add(no_register, 0, -1, rlx)
                                  .end()
                                  .add(no_register, 0, -1, rel)
                                  .done();
    // A third one makes the first two fail, and is gone.
    const thread_code passes = writer().add(no_register, 0, 1, acq).add(no_register, 0, -1, rel).done();
    const judgement found = judge(threads({tries, tries, passes}), machine_model::sc);
    CHECK(found.churns);
    CHECK_FALSE(found.waits);
    CHECK(found.finals.size() == 1);
}

TEST_CASE("a loop that gives up has the executions in which it did") {
    const thread_code gives_up = writer()
                                     .loop()
                                     .load(0, 0, rlx)
                                     .break_if(reg(0), comparison::equal, 1)
                                     .set(1, reg(1, 1))
                                     .break_if(reg(1), comparison::equal, 3)
                                     .end()
                                     .report(0)
                                     .report(1)
                                     .done();
    const judgement found = judge(threads({gives_up, writer().store(0, 1, rlx).done()}), machine_model::rc11);
    CHECK(found.finals.size() == 4); // after 0, 1, 2 rounds, and not at all
}

TEST_CASE("an assertion in a round is met when what it reads can be so") {
    const auto asserts = [](mo order) {
        return writer()
            .loop()
            .load(0, 0, order)
            .when(reg(0), comparison::equal, 1)
            .load(1, 1, rlx)
            .when(reg(1), comparison::equal, 0)
            .fail()
            .end()
            .end()
            .break_if(reg(0), comparison::equal, 1)
            .end()
            .done();
    };
    const thread_code publishes = writer().store(1, 1, rlx).store(0, 1, rel).done();
    CHECK(judge(threads({asserts(rlx), publishes}), machine_model::rc11).fails);
    CHECK_FALSE(judge(threads({asserts(acq), publishes}), machine_model::rc11).fails);
    CHECK_FALSE(judge(threads({asserts(rlx), publishes}), machine_model::sc).fails);
}

TEST_CASE("the compiler generates the programs that the machine does") {
    static constexpr program made = generate(kind::any, 7);
    CHECK(to_string(made) == to_string(generate(kind::any, 7)));
    static constexpr program other = generate(kind::push, 3);
    CHECK(to_string(other) == to_string(generate(kind::push, 3)));
}

TEST_CASE("the machine for rc11 refuses what it has no notion of") {
    CHECK_THROWS_AS(judge(threads({writer().store(0, 1, sc).done()}), machine_model::rc11),
                    std::invalid_argument);
}

} // namespace ringproof::verify::loops
