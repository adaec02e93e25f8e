// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using list = std::vector<std::string>;

namespace {

std::string kernel(const std::string& code) {
    return "C T\n{ x=6; }\nP0(int *x, spinlock_t *l) {\n" + code + "\n}\nlocations [0:r0; x;]\nexists (true)";
}

std::string c11(const std::string& code) {
    return "C T\n{ x=6; y=6; }\nP0(atomic_int *x, int *y) {\n" + code +
           "\n}\nlocations [0:r0; x; y;]\nexists (true)";
}

} // namespace

TEST_CASE("a read-modify-write is one event in C11, two in the kernel's C, and leaves the same") {
    CHECK(events_of(c11("int r0 = atomic_fetch_add_explicit(x, 2, memory_order_acquire);")).size() == 1);
    CHECK(events_of(kernel("int r0 = xchg_relaxed(x, 2);")).size() == 2);
    CHECK(leaves(c11("int r0 = atomic_fetch_add_explicit(x, 2, memory_order_acquire);")) ==
          "0:r0=6; [x]=8; [y]=6;");
    CHECK(leaves(kernel("int r0 = xchg_relaxed(x, 2);")) == "0:r0=6; [x]=2;");
    CHECK(leaves(kernel("int r0 = cmpxchg(x, 6, 1);")) == "0:r0=6; [x]=1;");
    CHECK(leaves(kernel("int r0 = cmpxchg(x, 5, 1);")) == "0:r0=6; [x]=6;");
}

TEST_CASE("a failed compare-exchange gives the value that it found to the expected object") {
    CHECK(
        leaves(c11("*y = 5; int r0 = atomic_compare_exchange_strong_explicit(x, y, 1, memory_order_relaxed, "
                   "memory_order_relaxed);")) == "0:r0=0; [x]=6; [y]=6;");
    CHECK(leaves(c11("int r0 = atomic_compare_exchange_strong_explicit(x, y, 1, memory_order_relaxed, "
                     "memory_order_relaxed);")) == "0:r0=1; [x]=1; [y]=6;");
}

TEST_CASE("a lock that is held is never taken, and one that was given back is") {
    CHECK(leaves(kernel(
              "spin_lock(l); int r0 = READ_ONCE(*x); spin_unlock(l);\nspin_lock(l); WRITE_ONCE(*x, 1);")) ==
          "0:r0=6; [x]=1;");
    CHECK(leaves(kernel("spin_lock(l); spin_lock(l); int r0 = 1;")) == "0 states");
}

TEST_CASE("a register that no statement gives a value is an error, one that some path leaves alone is 0") {
    CHECK(load_error(kernel("int r0 = 1; WRITE_ONCE(*x, r7);")) ==
          "t.litmus:4:28: no statement of this thread gives 'r7' a value: assign it first, or correct its "
          "name");
    CHECK(leaves(kernel("if (READ_ONCE(*x) == 5) r7 = 3; r0 = r7;")) == "0:r0=0; [x]=6;");
    CHECK(leaves(kernel("r0 = 1; WRITE_ONCE(*x, r0);")) == "0:r0=1; [x]=1;");
    CHECK(load_error(kernel("int r0 = 1; WRITE_ONCE(*x, value);")).find("neither a parameter") !=
          std::string::npos);
}
