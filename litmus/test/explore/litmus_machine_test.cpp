// SPDX-License-Identifier: Apache-2.0
#include "../../src/explore/litmus_machine.hpp"
#include "../../src/explore/replayed_path.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;
using namespace ringproof::litmus::exploring;
using ringproof::silicon::history;
using ringproof::silicon::run;

namespace {

struct one_thread {
    explicit one_thread(const std::string& code)
        : text(parse_test(
              {"t.litmus", "AArch64 T\n{ x=7; 0:X1=x; 0:X2=y; }\n P0 ;\n" + code + "exists (x=0)"})),
          machine(open_aarch64(text, 2)) {}
    std::shared_ptr<const run> with(history past) { return machine.run_thread(0, past); }

    test text;
    litmus_machine machine;
};

history loaded(std::initializer_list<std::optional<std::int64_t>> values) {
    history h;
    for (const auto& v : values) h.loaded.push_back(v ? std::optional(to_word(value{*v, -1})) : std::nullopt);
    return h;
}

} // namespace

TEST_CASE("a thread runs ahead of loads, and stores values that come from them when these are known") {
    one_thread t(" LDR W0,[X1] ;\n LDR W3,[X2] ;\n STR W3,[X1] ;\n STR W1,[X2] ;\n");
    const auto first = t.with({});
    REQUIRE(first->events.size() == 4);
    CHECK(first->how == run::end::finished);
    CHECK_FALSE(first->stored[2]);
    CHECK(first->stored[3]);
    CHECK(first->events[2].data_from.contains(1));
    CHECK_FALSE(first->events[2].data_from.contains(0));
    const auto second = t.with(loaded({std::nullopt, 5}));
    REQUIRE(second->stored[2]);
    CHECK(from_word(*second->stored[2]) == value{5, -1});
    CHECK(from_word(t.machine.initial(0)) == value{7, -1});
}

TEST_CASE("a thread waits where a branch or an address depends on an unknown load") {
    one_thread branch(" LDR W0,[X1] ;\n CBZ W0,L ;\n STR W0,[X2] ;\n L: ;\n");
    const auto waits = branch.with({});
    CHECK(waits->how == run::end::waits);
    CHECK(waits->waits_for.contains(0));
    CHECK(waits->events.size() == 1);
    CHECK(branch.with(loaded({0}))->events.size() == 1);
    const auto goes_on = branch.with(loaded({1}));
    REQUIRE(goes_on->events.size() == 2);
    CHECK(goes_on->events[1].control_from.contains(0));

    one_thread address(" LDR X0,[X1] ;\n LDR W3,[X0] ;\n");
    CHECK(address.with({})->how == run::end::waits);
    CHECK(address.with(loaded({0}))->how == run::end::impossible); // no location is at 0

    one_thread no_real_address(" LDR W0,[X1] ;\n EOR W4,W0,W0 ;\n LDR W3,[X2,W4,SXTW] ;\n");
    const auto known = no_real_address.with({});
    CHECK(known->how == run::end::finished);
    REQUIRE(known->events.size() == 2);
    CHECK(known->events[1].address_from.contains(0));
}

TEST_CASE("a store-exclusive succeeds or fails as is chosen, and only one that succeeds is a write") {
    one_thread t(" LDXR W0,[X1] ;\n STXR W3,W2,[X1] ;\n");
    const auto asks = t.with({});
    REQUIRE(asks->how == run::end::asks);
    CHECK(asks->alternatives == 2);
    history h;
    h.chosen = {{asks->asks_at, 0}};
    const auto stored = t.with(h);
    REQUIRE(stored->events.size() == 2);
    CHECK(stored->events[1].rmw_read == 0);
    CHECK(stored->events[1].exclusive);
    h.chosen = {{asks->asks_at, 1}};
    CHECK(t.with(h)->events.size() == 1);
}

TEST_CASE("a compare-and-swap that is to succeed is impossible if what it loads is another value") {
    one_thread t(" MOV W0,#0 ;\n CAS W0,W2,[X1] ;\n");
    history h;
    h.chosen = {{0, 0}, {1, 0}};
    CHECK(t.with(h)->how == run::end::finished);
    CHECK(t.with(h)->events.size() == 2);
    h.loaded = loaded({1}).loaded;
    CHECK(t.with(h)->how == run::end::impossible);
    h.loaded = loaded({0}).loaded;
    CHECK(t.with(h)->how == run::end::finished);
}

TEST_CASE("a loop that goes round more often than is allowed is cut") {
    one_thread t(" L: ;\n B L ;\n");
    CHECK(t.with({})->how == run::end::cut);
}

TEST_CASE("acquire, release and barriers are told by their labels") {
    one_thread t(
        " LDAR W0,[X1] ;\n LDAPR W3,[X1] ;\n DMB ISHLD ;\n DSB ST ;\n DMB NSH ;\n ISB ;\n STLR W3,[X1] ;\n");
    const auto r = t.with({});
    REQUIRE(r->events.size() == 7);
    CHECK(r->events[0].acquire);
    CHECK(r->events[1].acquire_pc);
    CHECK_FALSE(r->events[1].acquire);
    const auto fence = [&](std::size_t i) { return r->events[i].fence; };
    CHECK((fence(2).read_read && fence(2).read_write && !fence(2).write_read && !fence(2).write_write));
    CHECK((!fence(3).read_read && !fence(3).read_write && fence(3).write_read && fence(3).write_write));
    CHECK((!fence(4).read_read && !fence(4).read_write && !fence(4).write_read && !fence(4).write_write));
    CHECK(fence(5).instructions);
    CHECK(r->events[6].release);
}
