// SPDX-License-Identifier: Apache-2.0
#include "parse/condition.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace ringproof::litmus;

namespace {

condition parsed(const std::string& text) {
    const source where{"t", text};
    scanner in(where);
    condition c = parse_condition(in);
    CHECK(in.at_end());
    return c;
}

bool holds_in(const std::string& text, const std::map<std::string, std::int64_t>& state) {
    return holds(parsed(text).what, [&](const location& l) { return state.at(l.printed()); });
}

} // namespace

TEST_CASE("registers and memory are told apart, whichever way memory is written") {
    const std::map<std::string, std::int64_t> state{{"0:EAX", 1}, {"[x]", 2}};
    CHECK(holds_in("exists (0:EAX=1 /\\ x=2)", state));
    CHECK(holds_in("exists (0:EAX=1 /\\ [x]=2)", state));
    CHECK_FALSE(holds_in("exists (0:EAX=1 /\\ [x]=1)", state));
}

TEST_CASE("and binds tighter than or, or tighter than implies, not tightest") {
    const std::map<std::string, std::int64_t> state{{"[a]", 1}, {"[b]", 0}, {"[c]", 0}};
    CHECK(holds_in("exists a=1 \\/ b=1 /\\ c=1", state));
    CHECK_FALSE(holds_in("exists (a=1 \\/ b=1) /\\ c=1", state));
    CHECK(holds_in("exists b=1 \\/ c=1 => a=0", state));
    CHECK_FALSE(holds_in("exists not a=1 \\/ b=1", state));
    CHECK(holds_in("exists ~(b=1) /\\ c!=1", state));
    CHECK(holds_in("exists b=1 => a=5 => c=5", state)); // right associative
}

TEST_CASE("true and false are propositions, and values may be negative or hexadecimal") {
    CHECK(holds_in("forall (true)", {}));
    CHECK_FALSE(holds_in("exists (false)", {}));
    CHECK(holds_in("exists (x=-1 /\\ y=0x10)", {{"[x]", -1}, {"[y]", 16}}));
}

TEST_CASE("~exists and not exists are the same quantifier") {
    CHECK(parsed("~exists (x=1)").how == condition::quantifier::not_exists);
    CHECK(parsed("not exists (x=1)").how == condition::quantifier::not_exists);
    CHECK(parsed("exists (x=1)").how == condition::quantifier::exists);
    CHECK(parsed("forall (x=1)").how == condition::quantifier::forall);
}

TEST_CASE("a printed condition parses to the same condition") {
    for (const char* text :
         {"exists (0:EAX=1 /\\ ([x]=2 \\/ [y]!=0))", "~exists (not ([x]=1) \\/ [y]=2 /\\ [z]=3)",
          "forall (([x]=1 => [y]=2) => [z]=3)", "forall ([x]=1 => ([y]=2 => [z]=3))"}) {
        const std::string once = to_string(parsed(text));
        CHECK(to_string(parsed(once)) == once);
        for (int bits = 0; bits < 64; ++bits) { // and means the same in every state
            const std::map<std::string, std::int64_t> state{{"0:EAX", bits & 1},
                                                            {"[x]", 1 + (bits >> 1 & 1)},
                                                            {"[y]", (bits >> 2 & 3)},
                                                            {"[z]", 2 + (bits >> 4 & 1)}};
            CHECK(holds_in(text, state) == holds_in(once, state));
        }
    }
}

TEST_CASE("exists wants a witness, ~exists none, forall no counterexample") {
    using quantifier = condition::quantifier;
    CHECK(validated(quantifier::exists, 1, 5));
    CHECK_FALSE(validated(quantifier::exists, 0, 5));
    CHECK(validated(quantifier::not_exists, 0, 5));
    CHECK_FALSE(validated(quantifier::not_exists, 1, 5));
    CHECK(validated(quantifier::forall, 5, 0));
    CHECK_FALSE(validated(quantifier::forall, 5, 1));
    CHECK(observation(0, 5) == std::string("Never"));
    CHECK(observation(1, 5) == std::string("Sometimes"));
    CHECK(observation(5, 0) == std::string("Always"));
}

TEST_CASE("what is no condition is refused where it stops being one") {
    for (const auto& [text, column] : std::map<std::string, std::size_t>{{"exists (x=1", 12},
                                                                         {"exists (x=)", 11},
                                                                         {"exists x 1", 10},
                                                                         {"exists (0:=1)", 11},
                                                                         {"perhaps (x=1)", 1},
                                                                         {"~ forall (x=1)", 3}}) {
        const source where{"t", text};
        scanner in(where);
        try {
            parse_condition(in);
            FAIL("accepted: " << text);
        } catch (const syntax_error& error) {
            INFO(text);
            CHECK(error.column() == column);
        }
    }
}

TEST_CASE("a condition nested without end is refused, not followed into the stack") {
    for (const std::string& deep : {std::string(100'000, '('), std::string(100'000, '~')}) {
        const source where{"t", "exists " + deep};
        scanner in(where);
        CHECK_THROWS_AS(parse_condition(in), syntax_error);
    }
}

TEST_CASE("two registers are compared, a thread may be called P1, an array is its elements") {
    CHECK(to_string(parsed("exists (0:r1=1:r2 /\\ P1:r2!=3)")) == "exists (0:r1=1:r2 /\\ 1:r2!=3)");
    CHECK(to_string(parsed("exists (x={1,2} /\\ P0=1 /\\ P1_lock=0)")) ==
          "exists ((x[0]=1 /\\ x[1]=2) /\\ [P0]=1 /\\ [P1_lock]=0)");
    const std::map<std::string, std::int64_t> state{{"0:r1", 4}, {"1:r2", 4}, {"x[0]", 1}, {"x[1]", 3}};
    CHECK(holds_in("exists (0:r1=1:r2)", state));
    CHECK_FALSE(holds_in("exists (0:r1!=1:r2)", state));
    CHECK_FALSE(holds_in("exists (x={1,2})", state));
    CHECK(holds_in("exists (x!={1,2} /\\ x={1,3})", state));
}
