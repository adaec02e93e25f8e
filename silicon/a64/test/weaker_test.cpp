// SPDX-License-Identifier: Apache-2.0
#include "weaker.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::silicon::a64;

namespace {

/// "ldar: ldr, ldapr"
std::string forms_of(std::uint32_t bits) {
    const instruction i = decode(&bits);
    std::string text = name_of(i);
    for (const weaker_instruction& w : weaker_forms(i)) text += (text == name_of(i) ? ": " : ", ") + w.name;
    return text;
}

} // namespace

TEST_CASE("what orders has weaker forms, the weakest first") {
    CHECK(forms_of(0x88dffc20) == "ldar: ldr, ldapr");           // ldar w0, [x1]
    CHECK(forms_of(0x38bfc020) == "ldaprb: ldrb");               // ldaprb w0, [x1]
    CHECK(forms_of(0x885ffc20) == "ldaxr: ldxr");                // ldaxr w0, [x1]
    CHECK(forms_of(0x889ffc20) == "stlr: str");                  // stlr w0, [x1]
    CHECK(forms_of(0x8802fc20) == "stlxr: stxr");                // stlxr w2, w0, [x1]
    CHECK(forms_of(0x48e0fc41) == "casalh: cash, casah, caslh"); // casalh w0, w1, [x2]
    CHECK(forms_of(0xb8a08041) == "swpa: swp");                  // swpa w0, w1, [x2]
    CHECK(forms_of(0xd5033bbf) == "dmb ish: no barrier, dmb ishst, dmb ishld");
    CHECK(forms_of(0xd50339bf) == "dmb ishld: no barrier");
    CHECK(forms_of(0xd5033fdf) == "isb: no barrier");
}

TEST_CASE("what orders nothing has none") {
    CHECK(forms_of(0xb9400020).empty()); // ldr w0, [x1]
    CHECK(forms_of(0x885f7c20).empty()); // ldxr w0, [x1]
    CHECK(forms_of(0x8b010000).empty()); // add x0, x0, x1
}

TEST_CASE("a weaker form keeps all but the order") {
    std::uint32_t ldar = 0x88dffc20;
    const instruction plain = weaker_forms(decode(&ldar)).front().does;
    CHECK(plain.what == kind::load);
    CHECK(plain.bytes == 4);
    CHECK_FALSE(plain.acquire);
    CHECK_FALSE(plain.acquire_pc);
}
