// SPDX-License-Identifier: Apache-2.0
#include "stronger.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon::a64;
using kind_of_order = ringproof::silicon::added_order::kind;

namespace {

/// What it becomes with each kind of order; "-": it has no such form.
std::string forms_of(std::uint32_t bits) {
    std::string text;
    for (const auto how : {kind_of_order::acquire_pc, kind_of_order::acquire, kind_of_order::release,
                           kind_of_order::barrier_of_reads, kind_of_order::barrier}) {
        const auto form = stronger_form(decode(&bits), how);
        text += (text.empty() ? "" : ", ") + (form ? form->name : "-");
    }
    return text;
}

} // namespace

TEST_CASE("accesses have the stronger forms that the instruction set has") {
    CHECK(forms_of(0xb9400020) == "ldapr, ldar, -, dmb ishld, dmb ish"); // ldr w0, [x1]
    CHECK(forms_of(0x38bfc020) == "-, ldarb, -, dmb ishld, dmb ish");    // ldaprb w0, [x1]
    CHECK(forms_of(0x88dffc20) == "-, -, -, dmb ishld, dmb ish");        // ldar w0, [x1]
    CHECK(forms_of(0xb9000020) == "-, -, stlr, dmb ishld, dmb ish");     // str w0, [x1]
    CHECK(forms_of(0x885f7c20) == "-, ldaxr, -, dmb ishld, dmb ish");    // ldxr w0, [x1]
    CHECK(forms_of(0x88027c20) == "-, -, stlxr, -, -");                  // stxr w2, w0, [x1]
    CHECK(forms_of(0xb8208041) == "-, swpa, swpl, dmb ishld, dmb ish");  // swp w0, w1, [x2]
    CHECK(forms_of(0xb820005f) == "-, -, ldaddl, dmb ishld, dmb ish");   // ldadd w0, wzr, [x2]: stadd
}

TEST_CASE("pairs, vectors and what is no access have none but a barrier before them") {
    CHECK(forms_of(0x29400440) == "-, -, -, dmb ishld, dmb ish"); // ldp w0, w1, [x2]
    CHECK(forms_of(0x3dc00020) == "-, -, -, dmb ishld, dmb ish"); // ldr q0, [x1]
    CHECK(forms_of(0x8b010000) == "-, -, -, -, -");               // add x0, x0, x1
    CHECK(forms_of(0xd5033bbf) == "-, -, -, -, -");               // dmb ish
}

TEST_CASE("a stronger form keeps all but the order, and takes one order more") {
    std::uint32_t swp = 0xb8208041;
    const instruction acquires = stronger_form(decode(&swp), kind_of_order::acquire)->does;
    CHECK(acquires.acquire);
    CHECK_FALSE(acquires.release);
    CHECK(acquires.bytes == 4);
    const auto both = stronger_form(acquires, kind_of_order::release);
    REQUIRE(both);
    CHECK(both->name == "swpal");
    CHECK_FALSE(stronger_form(both->does, kind_of_order::release));
    const auto behind = stronger_form(acquires, kind_of_order::barrier);
    REQUIRE(behind);
    CHECK(behind->does.before.write_read);
    CHECK_FALSE(stronger_form(behind->does, kind_of_order::barrier));
}
