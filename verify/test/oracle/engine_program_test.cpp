// SPDX-License-Identifier: Apache-2.0
// The interpreter on the real machine: whatever happens must be among the oracle's outcomes.
#include "engine_program.hpp"
#include "enumerate.hpp"
#include "generate.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {

TEST_CASE("one thread has one outcome, the same from the oracle and from the machine") {
    using namespace write;
    const program every_operation{{store(0, 5, rel), load(0, acq, 0), fetch_add(0, 2, ar, 1),
                                   exchange(0, 9, sc, 2), cas(0, 9, 1, ar, acq, 3), cas(0, 9, 7, ar, acq, 4),
                                   fence(sc), await(0, 1, acq, 5), plain_store(1, reg(2) + 1),
                                   plain_load(1, 6), lock(1), unlock(1), skip_if(6, comparison::equal, 8, 1),
                                   store(0, 100, rlx), store(1, reg(4), rlx)}};
    const enumeration found = enumerate(every_operation, memory_model::rc11);
    REQUIRE(found.executions == 1);
    Registers seen;
    run_on_threads(every_operation, seen);
    CHECK(to_string(seen, every_operation) ==
          "T0:r0=5 T0:r1=5 T0:r2=7 T0:r3=9 T0:r4=1 T0:r5=1 T0:r6=8 x0=1 x1=1 d1=8");
    CHECK(found.outcomes == std::set<outcome>{seen});
}

TEST_CASE("the machine shows no outcome that the oracle does not know") {
    int programs = 0;
    for (const profile& how : profiles()) {
        for (std::uint64_t seed = 1000; seed < 1015; ++seed) {
            const program code = generate(how, seed);
            const enumeration found = enumerate(code, memory_model::rc11, 20'000);
            if (found.cut_short || found.race || found.blocked != 0)
                continue; // undefined, or may wait for ever
            ++programs;
            for (int run = 0; run < 5; ++run) {
                Registers seen;
                // A thread of its own each time has its thread_local variables as new.
                std::thread([&] { run_on_threads(code, seen); }).join();
                CAPTURE(how.name, seed, to_string(code), to_string(seen, code));
                REQUIRE(found.outcomes.count(seen) == 1);
            }
        }
    }
    CHECK(programs > 50);
}

} // namespace ringproof::verify::oracle
