// SPDX-License-Identifier: Apache-2.0
#include "../../src/enumerate/structure.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

namespace {

using pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// A test's first paths; their addresses are constants.
struct laid_out {
    explicit laid_out(const std::string& text) : test(load_test({"t.litmus", text}, 2)) {
        std::vector<const path*> paths;
        std::vector<std::int32_t> where;
        for (const std::vector<path>& thread : test.what.threads) {
            paths.push_back(&thread.front());
            for (const event& e : thread.front().events)
                if (e.address != no_expr) where.push_back(test.what.values->constant_of(e.address).location);
        }
        events.emplace(test.what, paths, where);
    }

    std::vector<std::size_t> set(const std::string& name) const {
        std::vector<word> bits(events->size().words);
        events->fill(name, true, bits.data());
        std::vector<std::size_t> members;
        each_bit(bits.data(), bits.size(), [&](std::size_t i) { members.push_back(i); });
        return members;
    }
    pairs relation(const std::string& name) const {
        const extent e = events->size();
        std::vector<word> bits(e.relation());
        events->fill(name, false, bits.data());
        pairs all;
        for (std::size_t i = 0; i < e.events; ++i)
            each_bit(bits.data() + i * e.words, e.words, [&](std::size_t j) { all.emplace_back(i, j); });
        return all;
    }

    loaded_test test;
    std::optional<structure> events;
};

using numbers = std::vector<std::size_t>;

} // namespace

TEST_CASE("the initial writes come first, then the events of each thread") {
    const laid_out t("X86 T\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MFENCE | ;\n MOV EAX,[y] | ;\n"
                     "exists (0:EAX=0)");
    CHECK(t.events->events().size() == 6); // x, y; store, fence, load; load
    CHECK(t.set("IW") == numbers{0, 1});
    CHECK(t.set("W") == numbers{0, 1, 2});
    CHECK(t.set("R") == numbers{4, 5});
    CHECK(t.set("M") == numbers{0, 1, 2, 4, 5});
    CHECK(t.set("MFENCE") == numbers{3});
    CHECK(t.set("no-such-set").empty());
    CHECK(t.events->reads() == numbers{4, 5});
    CHECK(t.events->writes() == std::vector<numbers>{{0, 2}, {1}});
    CHECK(t.relation("po") == pairs{{2, 3}, {2, 4}, {3, 4}});
    CHECK(t.relation("loc") == pairs{{0, 0},
                                     {0, 2},
                                     {1, 1},
                                     {1, 4},
                                     {1, 5},
                                     {2, 0},
                                     {2, 2},
                                     {4, 1},
                                     {4, 4},
                                     {4, 5},
                                     {5, 1},
                                     {5, 4},
                                     {5, 5}});
    CHECK(t.relation("co0") == pairs{{0, 2}});
    CHECK(t.relation("no-such-relation").empty());
    const pairs same = t.relation("int"), other = t.relation("ext");
    CHECK(same.size() + other.size() == 36);
    CHECK(std::find(other.begin(), other.end(), std::pair<std::size_t, std::size_t>(2, 5)) != other.end());
    CHECK(std::find(same.begin(), same.end(), std::pair<std::size_t, std::size_t>(2, 4)) != same.end());
}

TEST_CASE("a locked instruction is a read and a write of one read-modify-write") {
    const laid_out t("X86 T\n{ }\n P0 ;\n XCHG [x],EAX ;\n MOV [x],$2 ;\nexists (0:EAX=0)");
    CHECK(t.relation("rmw") == pairs{{1, 2}});
    CHECK(t.relation("amo") == pairs{{1, 2}});
    CHECK(t.relation("lxsx").empty());
    const pairs instances = t.relation("same-instance");
    CHECK(std::find(instances.begin(), instances.end(), std::pair<std::size_t, std::size_t>(1, 2)) !=
          instances.end());
    CHECK(std::find(instances.begin(), instances.end(), std::pair<std::size_t, std::size_t>(1, 3)) ==
          instances.end());
}

TEST_CASE("an exclusive pair is no atomic instruction, and its dependencies end at the instruction") {
    const laid_out t(
        "AArch64 T\n{ 0:X1=x; 0:X3=y; }\n P0 ;\n LDXR W0,[X1] ;\n STXR W2,W0,[X1] ;\n EOR W4,W0,W0 ;\n"
        " LDR W5,[X3,W4,SXTW] ;\nexists (true)");
    const pairs rmw = t.relation("rmw");
    REQUIRE(rmw.size() == 1);
    CHECK(t.relation("lxsx") == rmw);
    CHECK(t.relation("amo").empty());
    CHECK(t.relation("data") == rmw); // it stores what it has loaded
    const pairs addresses = t.relation("addr");
    REQUIRE(addresses.size() == 1);
    CHECK(addresses[0].first == rmw[0].first);
    CHECK(t.events->events()[addresses[0].second].location == 1);
}
