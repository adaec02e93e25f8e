// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <catch2/catch.hpp>

namespace ringproof::verify::oracle {

using namespace write;

TEST_CASE("a program reads as one line a thread") {
    const program code{{store(0, reg(1) + 2, rel), cas(1, 0, 3, ar, acq, 2), fence(sc)},
                       {await(1, comparison::less, 4, acq), skip_if(0, comparison::greater, reg(1) + -1, 2),
                        plain_store(0, 1), lock(1), unlock(1)}};
    CHECK(to_string(code) ==
          "T0: x0.store(r1 + 2, release); r2 = x1.cas(0 -> 3, acq_rel, acquire); fence(seq_cst)\n"
          "T1: x1.await(< 4, acquire); if (r0 > r1 - 1) skip 2; d0 = 1; m1.lock(); m1.unlock()\n");
}

TEST_CASE("what users do reads as what it is") {
    const program code{{counted_wait(0, comparison::not_equal, 0, 3, acq, 1), bytes_store(2, 4, 1),
                        bytes_load(5, 1, 2), own_store(reg(2)), own_load(0), renew()}};
    CHECK(to_string(code) ==
          "T0: r1 = x0.await(!= 0, acquire, rounds 3); b[2..5] = 1; r2 = b[5]; own = r2; r0 = own; "
          "renew own\n");
}

TEST_CASE("an operand is a constant, or a register plus a constant") {
    register_file registers{};
    registers[3] = 40;
    CHECK(evaluate(7, registers) == 7);
    CHECK(evaluate(reg(3), registers) == 40);
    CHECK(evaluate(reg(3) + 2, registers) == 42);
}

TEST_CASE("what does not fit is refused, not cut off") {
    CHECK_THROWS_AS(load(max_atomics, rlx), std::out_of_range);
    CHECK_THROWS_AS(load(0, rlx, max_registers), std::out_of_range);
    CHECK_THROWS_AS(plain_load(max_data), std::out_of_range);
    CHECK_THROWS_AS(lock(max_mutexes), std::out_of_range);
    CHECK_THROWS_AS(bytes_load(window_bytes - 1, 2), std::out_of_range);
    CHECK_THROWS_AS(bytes_store(0, 0, 1), std::out_of_range);
    CHECK_THROWS_AS(counted_wait(0, comparison::equal, 0, 0, rlx), std::out_of_range);
    thread_code full;
    for (int i = 0; i < max_operations; ++i) full.append(fence(sc));
    CHECK_THROWS_AS(full.append(fence(sc)), std::length_error);
    program wide;
    for (int i = 0; i < max_threads; ++i) wide.append(full);
    CHECK_THROWS_AS(wide.append(full), std::length_error);
}

} // namespace ringproof::verify::oracle
