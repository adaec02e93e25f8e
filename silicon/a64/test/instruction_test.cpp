// SPDX-License-Identifier: Apache-2.0
// Each instruction is given as its bits, as the assembler makes them, and in the words of a listing.
#include "instruction.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace ringproof::silicon::a64;

namespace {

instruction decoded(std::uint32_t bits, const char* text) {
    CHECK(text_of(&bits) == text);
    return decode(&bits);
}

register_set of(std::initializer_list<register_number> all) {
    register_set set;
    for (const register_number r : all) set.insert(r);
    return set;
}

} // namespace

TEST_CASE("arithmetic reads its operands and writes its result") {
    const instruction add = decoded(0x8b020020, "add x0, x1, x2");
    CHECK(add.what == kind::plain);
    CHECK(add.from == of({1, 2}));
    CHECK(add.to == of({0}));
    CHECK(decoded(0xeb02003f, "cmp x1, x2").to == of({flags}));
    CHECK(decoded(0x910043ff, "add sp, sp, #0x10 (16)").to == of({stack_pointer}));
    CHECK(decoded(0xca000021, "eor x1, x1, x0").from == of({0, 1}));
    CHECK(decoded(0xf2a00020, "movk x0, #0x1, lsl #16").from == of({0}));
    CHECK(decoded(0xd2800020, "mov x0, #0x1").from == of({}));
    CHECK(decoded(0x9b020c20, "madd x0, x1, x2, x3").from == of({1, 2, 3}));
    CHECK(decoded(0xaa0103e0, "mov x0, x1").from == of({1})); // and not of XZR
}

TEST_CASE("a choice between values is told from arithmetic") {
    const instruction select = decoded(0x9a820020, "csel x0, x1, x2, eq");
    CHECK(select.what == kind::select);
    CHECK(select.from == of({1, 2, flags}));
}

TEST_CASE("branches read what decides") {
    CHECK(decode(std::initializer_list<std::uint32_t>{0xb4000040}.begin()).from == of({0})); // cbz x0
    CHECK(decode(std::initializer_list<std::uint32_t>{0x54000040}.begin()).from == of({flags}));
    const instruction ret = decoded(0xd65f03c0, "ret");
    CHECK(ret.what == kind::branch);
    CHECK(ret.from == of({30}));
    CHECK(decoded(0xd63f0000, "blr x0").to == of({30}));
}

TEST_CASE("loads and stores have an address, a size and a register") {
    const instruction ldr = decoded(0xf9400420, "ldr x0, [x1, #8]");
    CHECK(ldr.what == kind::load);
    CHECK(ldr.base == 1);
    CHECK(ldr.offset == 8);
    CHECK(ldr.bytes == 8);
    CHECK(ldr.data == 0);
    const instruction strb = decoded(0x39000020, "strb w0, [x1]");
    CHECK(strb.what == kind::store);
    CHECK(strb.bytes == 1);
    const instruction pair = decoded(0xa9bf7bfd, "stp x29, x30, [sp, #-16]!");
    CHECK(pair.what == kind::store);
    CHECK(pair.count == 2);
    CHECK(pair.writes_base == indexing::before);
    CHECK(pair.offset == -16);
    const instruction indexed = decoded(0xb8627820, "ldr w0, [x1, x2, lsl #2]");
    CHECK(indexed.index == 2);
    CHECK(indexed.index_shift == 2);
    const instruction vector = decoded(0x3dc00020, "ldr q0, [x1]");
    CHECK(vector.bytes == 16);
    CHECK(vector.data == first_vector);
    CHECK(decoded(0xf9800020, "prfm pldl1keep, [x1]").what == kind::nothing);
}

TEST_CASE("accesses that order say how") {
    CHECK(decoded(0xc8dffc20, "ldar x0, [x1]").acquire);
    CHECK(decoded(0xc89ffc20, "stlr x0, [x1]").release);
    const instruction ldapr = decoded(0xf8bfc020, "ldapr x0, [x1]");
    CHECK(ldapr.acquire_pc);
    CHECK_FALSE(ldapr.acquire);
    const instruction ldaxr = decoded(0xc85ffc20, "ldaxr x0, [x1]");
    CHECK(ldaxr.what == kind::load);
    CHECK(ldaxr.exclusive);
    CHECK(ldaxr.acquire);
    const instruction stxr = decoded(0xc8027c20, "stxr w2, x0, [x1]");
    CHECK(stxr.what == kind::store_exclusive);
    CHECK(stxr.status == 2);
    CHECK_FALSE(stxr.release);
    CHECK(decoded(0xc802fc20, "stlxr w2, x0, [x1]").release);
}

TEST_CASE("pairs say what the machine accesses as one") {
    const instruction ldxp = decoded(0xc87f0440, "ldxp x0, x1, [x2]");
    CHECK((ldxp.what == kind::load && ldxp.exclusive && !ldxp.acquire));
    CHECK((ldxp.data == 0 && ldxp.second == 1 && ldxp.bytes == 8 && ldxp.count == 2));
    CHECK(ldxp.single == 8); // both only if the store succeeds
    const instruction ldaxp = decoded(0x887f8440, "ldaxp w0, w1, [x2]");
    CHECK((ldaxp.acquire && ldaxp.bytes == 4 && ldaxp.single == 8));
    const instruction stlxp = decoded(0xc8238440, "stlxp w3, x0, x1, [x2]");
    CHECK((stlxp.what == kind::store_exclusive && stlxp.release && stlxp.status == 3 && stlxp.single == 16));
    const instruction caspal = decoded(0x4864fc46, "caspal x4, x5, x6, x7, [x2]");
    CHECK((caspal.what == kind::exchange && caspal.does == operation::compare && caspal.acquire &&
           caspal.release));
    CHECK((caspal.expected == 4 && caspal.second_expected == 5 && caspal.data == 6 && caspal.second == 7));
    CHECK((caspal.count == 2 && caspal.bytes == 8 && caspal.single == 16));
    const instruction casp = decoded(0x08247c46, "casp w4, w5, w6, w7, [x2]");
    CHECK((casp.bytes == 4 && casp.single == 8 && !casp.acquire && !casp.release));
    // Pairs of other loads are two accesses, and vectors two of 8 bytes.
    CHECK(decoded(0xa9400440, "ldp x0, x1, [x2]").single == 8);
    CHECK(decoded(0x3dc00020, "ldr q0, [x1]").single == 8);
}

TEST_CASE("exchanges say what they store") {
    const instruction add = decoded(0xb8e20020, "ldaddal w2, w0, [x1]");
    CHECK(add.what == kind::exchange);
    CHECK(add.does == operation::add);
    CHECK(add.data == 2);
    CHECK(add.expected == 0);
    CHECK(add.acquire);
    CHECK(add.release);
    const instruction swap = decoded(0xb8a28020, "swpa w2, w0, [x1]");
    CHECK(swap.does == operation::swap);
    CHECK(swap.acquire);
    CHECK_FALSE(swap.release);
    const instruction cas = decoded(0x88e2fc20, "casal w2, w0, [x1]");
    CHECK(cas.does == operation::compare);
    CHECK(cas.expected == 2);
    CHECK(cas.data == 0);
    CHECK(cas.acquire);
    CHECK(cas.release);
    CHECK(decoded(0xb8220020, "ldadd w2, w0, [x1]").acquire == false);
    CHECK(decoded(0xb8205020, "ldsmin w0, w0, [x1]").does == operation::smin);
}

TEST_CASE("barriers say what they order") {
    const instruction all = decoded(0xd5033bbf, "dmb ish");
    CHECK(all.what == kind::barrier);
    CHECK((all.fence.write_read && all.fence.read_read && all.fence.write_write && all.fence.read_write));
    const instruction loads = decoded(0xd50339bf, "dmb ishld");
    CHECK((loads.fence.read_read && loads.fence.read_write && !loads.fence.write_read));
    const instruction stores = decoded(0xd5033abf, "dmb ishst");
    CHECK((stores.fence.write_write && !stores.fence.read_write && !stores.fence.write_read));
    CHECK(decoded(0xd5033fdf, "isb").fence.instructions);
}

TEST_CASE("what is not known is refused") {
    CHECK(decode(std::initializer_list<std::uint32_t>{0x4c407c00}.begin()).what == kind::refused); // ld1
    CHECK(decode(std::initializer_list<std::uint32_t>{0x00000000}.begin()).what == kind::refused); // udf
    CHECK(decoded(0xd4000001, "svc #0x0").what == kind::call);
}
