// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/c_macros.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

c::macros defined(const std::string& text) {
    c::macros m;
    m.add({"m.def", text});
    return m;
}

std::string error_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const syntax_error& e) {
        const std::string text = e.what();
        return text.substr(0, text.find('\n'));
    }
    return "";
}

/// Message passing with what a macro makes of `publish` and `look`; how often the stale datum is seen.
std::uint64_t stale(const std::string& macros, const std::string& publish, const std::string& look) {
    const c::macros m = defined(macros);
    const loaded_test t =
        load_test({"t.litmus", "C T\n{}\nP0(int *x, int *y) { WRITE_ONCE(*x, 1); " + publish +
                                   " }\nP1(int *x, int *y) { int a = " + look +
                                   "; int b = READ_ONCE(*x); }\nexists (1:a=1 /\\ 1:b=0)\n"},
                  2, &m);
    return simulate(t.text, t.what, model::load("lkmm", {}), {}).positive;
}

} // namespace

TEST_CASE("a macro file says what a function does") {
    const std::string text = "// comment\nput(X,V) { __store{release}(*X,V); }\nget(X) __load{acquire}(*X)\n"
                             "weak(X,V) { __store{once}(*X,V); }\n";
    CHECK(stale(text, "put(y, 1);", "get(y)") == 0);
    CHECK(stale(text, "weak(y, 1);", "get(y)") == 1);
    // Tags are spelt in capitals too, and a macro may use another.
    CHECK(stale("put(X,V) { __store{RELEASE}(*X,V); }\nget(X) twice(X)\ntwice(X) __load{ACQUIRE}(*X)\n",
                "put(y, 1);", "get(y)") == 0);
}

TEST_CASE("a macro replaces what is built in, and is not expanded inside itself") {
    CHECK(stale("", "smp_store_release(y, 1);", "smp_load_acquire(y)") == 0);
    CHECK(stale("smp_store_release(X,V) { WRITE_ONCE(*X,V); }\n", "smp_store_release(y, 1);",
                "smp_load_acquire(y)") == 1);
    CHECK(stale("smp_load_acquire(X) smp_load_acquire(X)\n", "smp_store_release(y, 1);",
                "smp_load_acquire(y)") == 0);
}

TEST_CASE("a statement's macro keeps an if and its else together") {
    CHECK(stale("put(X,V) { __store{release}(*X,V); }\n", "if (1) put(y, 1); else put(y, 2);",
                "smp_load_acquire(y)") == 0);
}

TEST_CASE("atomic operations take their operator from the macro") {
    const c::macros m =
        defined("more(X,V) __atomic_op_return{mb}(X,+,V)\nless(X,V) __atomic_fetch_op{mb}(X,-,V)\n");
    const loaded_test t =
        load_test({"t.litmus", "C T\n{ x=5; }\nP0(int *x) { int a = more(x, 2); int b = less(x, 4); }\n"
                               "forall (0:a=7 /\\ 0:b=7 /\\ x=3)\n"},
                  2, &m);
    const simulation s = simulate(t.text, t.what, model::load("lkmm", {}), {});
    CHECK(s.positive == 1);
    CHECK(s.negative == 0);
}

TEST_CASE("what is wrong with a macro file, or with a use, is told where it is") {
    CHECK(error_of([] { defined("f(X) __load{once}(X)\n+\n"); }) ==
          "m.def:2:1: expected the name of a macro, found '+'");
    CHECK(error_of([] { defined("f(X\n"); }) == "m.def:2:1: expected ',' or ')', found the end");
    CHECK(error_of([] { defined("f(X) { smp_mb();\n"); }) == "m.def:2:1: expected '}', found the end");
    CHECK(error_of([] { stale("get(X,Y) __load{once}(*X)\n", "", "get(y)"); }) ==
          "t.litmus:4:30: macro 'get' takes 2 arguments, found 1");
    CHECK(error_of([] { stale("get(X) __frobnicate{once}(*X)\n", "", "get(y)"); }) ==
          "t.litmus:4:30: function '__frobnicate' is not supported");
    // Each doubles the one before: stopped before memory is full.
    std::string doubling = "m0(X) X + X\n";
    for (int k = 1; k < 40; ++k)
        doubling += "m" + std::to_string(k) + "(X) m" + std::to_string(k - 1) + "(X) + m" +
                    std::to_string(k - 1) + "(X)\n";
    CHECK(error_of([&] { stale(doubling, "", "m39(y)"); }).find("too long") != std::string::npos);
}

TEST_CASE("sleepable RCU waits for the readers of its own domain only") {
    const auto seen = [](const std::string& domain) {
        const loaded_test t = load_test(
            {"t.litmus",
             "C T\n{}\nP0(struct srcu_struct *s, int *x, int *y) { int i = srcu_read_lock(s);\n"
             "int a = READ_ONCE(*x); int b = READ_ONCE(*y); srcu_read_unlock(s, i); }\n"
             "P1(struct srcu_struct *s, struct srcu_struct *o, int *x, int *y) { WRITE_ONCE(*y, 1);\n"
             "synchronize_srcu(" +
                 domain + "); WRITE_ONCE(*x, 1); }\nexists (0:a=1 /\\ 0:b=0)\n"},
            2);
        return simulate(t.text, t.what, model::load("lkmm", {}), {});
    };
    CHECK(seen("s").positive == 0);
    CHECK(seen("o").positive == 1);
    CHECK(seen("s").flags.empty());
}
