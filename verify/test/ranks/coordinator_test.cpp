// SPDX-License-Identifier: Apache-2.0
// Rank 0, told by hand what ranks tell.
#include "../../ranks/coordinator.hpp"

#include "../../parts/merge.hpp"
#include "made.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <map>

using namespace ringproof::verify;
using namespace ringproof::verify::ranks;
using Catch::Matchers::Contains;
using ringproof::command::temporary_folder;
using kind = message::kind;

namespace {

struct ranks_at_hand {
    explicit ranks_at_hand(rank_id count, double budget = 0)
        : kept(dir / "ranks", {"program"}),
          leads({.ranks = count, .lost_after = 5, .budget = budget}, kept, first(),
                [this](const std::string& text) { said += text + "\n"; }) {
        for (rank_id r = 0; r < count; ++r) leads.hear(r, {kind::here, 0, 0, "host"}, 0);
    }
    static std::vector<piece> first() {
        std::vector<piece> all = pieces_of(made::checkpoint("a"));
        all[0].id = 1;
        return all;
    }
    /// What one rank is told; the others are told nothing.
    message only(rank_id to, double now) {
        const auto told = leads.tell(now);
        REQUIRE(told.size() == 1);
        CHECK(told[0].first == to);
        return told[0].second;
    }
    /// Divides the search in two at rank 0. @return what 0 and 1 have then
    std::pair<message, message> in_two() {
        const message work = only(0, 0);
        CHECK(work.divide == 16);
        leads.hear(
            0, {kind::left, work.assignment, 0, made::checkpoint("a", 0, 16), made::result("a", {}, 0)}, 1);
        std::map<rank_id, message> told;
        for (auto& [to, m] : leads.tell(1)) told[to] = std::move(m);
        REQUIRE(told.size() == 2);
        return {told[0], told[1]};
    }
    merged_results found() { return merge(kept.results(), leads.left()); }

    temporary_folder dir{"ringproof-test"};
    std::string said;
    store kept;
    coordinator leads;
};

message done(const message& work, std::uint64_t executions, const char* verdict = "inconclusive") {
    return {kind::done, work.assignment, 0, "",
            made::result("a", made::part_in(work.text), executions, verdict)};
}

} // namespace

TEST_CASE("a search is divided among ranks, and what they find is put together") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    std::map<rank_id, message> has{{0, zero}, {1, one}};
    std::uint64_t executions = 0;
    for (double now = 2; !has.empty(); ++now) {
        REQUIRE(now < 20);
        const auto had = has;
        has.clear();
        for (const auto& [who, work] : had) all.leads.hear(who, done(work, executions += 10), now);
        for (auto& [to, m] : all.leads.tell(now)) has[to] = m;
    }
    CHECK(all.leads.over(20));
    executions = 0;
    for (const std::string& file : all.kept.results())
        executions +=
            ringproof::command::read_document(file).at("results").at(0).at("executions").get<std::uint64_t>();
    const merged_results found = all.found();
    REQUIRE(found.results.size() == 1);
    CHECK(found.results[0].at("verdict") == "verified");
    CHECK(found.results[0].at("executions") == executions);
    CHECK(found.messages.empty());
}

TEST_CASE("parts of ranks that go on take no place of results that are there") {
    const temporary_folder dir("ringproof-test");
    std::vector<piece> parts = divided(pieces_of(made::checkpoint("a", 0, 16)).at(0), 2);
    REQUIRE(parts.size() == 2);
    {
        store earlier(dir / "ranks", {"program"});
        for (piece& p : parts) {
            p.id = &p == &parts[0] ? 3 : 5;
            earlier.put(p);
        }
        earlier.finish(5, made::result("a", made::part_in(parts[1].text), 10));
    }
    store kept(dir / "ranks", {"program"});
    coordinator leads({.ranks = 2}, kept, kept.read(), [](const std::string&) {});
    for (const rank_id r : {0u, 1u}) leads.hear(r, {kind::here, 0, 0, "host"}, 0);
    std::map<rank_id, message> has;
    for (auto& [to, m] : leads.tell(0)) has[to] = m;
    REQUIRE(has.size() == 1);
    const auto [who, work] = *has.begin();
    REQUIRE(leads.tell(1).size() == 1); // it is asked for what is left
    leads.hear(who, {kind::left, work.assignment, 0, work.text}, 1);
    has.clear();
    for (auto& [to, m] : leads.tell(1)) has[to] = m;
    REQUIRE(has.size() == 2);
    for (const auto& [to, m] : has) leads.hear(to, done(m, 1), 2);
    CHECK(leads.over(2));
    CHECK(kept.results().size() == 3);
    const merged_results found = merge(kept.results(), leads.left());
    REQUIRE(found.results.size() == 1);
    CHECK(found.results[0].at("executions") == 12);
    CHECK(found.results[0].at("verdict") == "verified");
}

TEST_CASE("the first counterexample ends the search for all") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    all.leads.hear(1, done(one, 1, "refuted"), 2);
    const auto told = all.leads.tell(2);
    REQUIRE(told.size() == 1);
    CHECK(told[0].first == 0);
    CHECK(told[0].second.what == kind::cancel);
    CHECK(told[0].second.assignment == zero.assignment);
    CHECK(all.leads.over(2));
    const merged_results found = all.found();
    REQUIRE(found.results.size() == 1);
    CHECK(found.results[0].at("verdict") == "refuted");
    all.leads.hear(0, done(zero, 7), 3); // which crossed that
    CHECK(all.found().results[0].at("executions") == 1);
}

TEST_CASE("a part that learns something makes its search begin anew") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    all.leads.hear(1, {kind::learnt, one.assignment, 0, made::checkpoint("a"), made::result("a", {}, 0)}, 2);
    CHECK_THAT(all.said, Contains("'a under rc11' begins anew: rank 1 on host has learnt something"));
    const auto told = all.leads.tell(2);
    REQUIRE(told.size() >= 2);
    std::size_t work = 0;
    for (const auto& [to, m] : told)
        if (m.what == kind::work) {
            ++work;
            CHECK(m.divide == 16);
        }
    CHECK(work == 1);
    CHECK(all.kept.results().empty());
    all.leads.hear(0, done(zero, 7), 3);
    CHECK(all.kept.results().empty());
}

TEST_CASE("what a rank had that says nothing any more goes to another, and counts once") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    all.leads.hear(0, {kind::here, zero.assignment, 0, "host"}, 4);
    all.leads.hear(0, {kind::here, zero.assignment, 0, "host"}, 8);
    all.leads.tell(8);
    CHECK_THAT(all.said, Contains("rank 1 on host has said nothing for 8 s"));
    CHECK(all.leads.lost() == 1);
    all.leads.hear(1, done(one, 5), 9);
    CHECK(all.kept.results().empty());
    all.leads.hear(1, {kind::here, one.assignment, 0, "host"}, 9.5);
    CHECK_THAT(all.said, Contains("rank 1 on host is there again"));
    const auto told = all.leads.tell(9.5);
    REQUIRE(told.size() == 2);
    CHECK(told[0].second.what == kind::cancel);
    CHECK(told[0].second.assignment == one.assignment);
    CHECK(told[1].second.what == kind::work);
}

TEST_CASE("searchers that die on one part again and again end it all") {
    ranks_at_hand all(1);
    for (int i = 0; i < 3; ++i) {
        CHECK_FALSE(all.leads.over(i));
        all.leads.hear(0, {kind::died, all.only(0, i).assignment, 0, "signal 9 (Killed)\n"}, i);
    }
    CHECK(all.leads.over(3));
    CHECK_THAT(all.leads.failure(), Contains("3 searchers died on one part: signal 9 (Killed)"));
    CHECK_FALSE(all.leads.failed_by_input());
}

TEST_CASE("ranks that cannot search leave it to the others, until there are none") {
    ranks_at_hand all(2);
    all.leads.hear(0, {kind::unusable, all.only(0, 0).assignment, 0, "no such file"}, 1);
    CHECK_THAT(all.said, Contains("rank 0 on host cannot search: no such file"));
    const message work = all.only(1, 1);
    CHECK_FALSE(all.leads.over(1));
    all.leads.hear(1, {kind::unusable, work.assignment, 0, "no such file"}, 2);
    CHECK(all.leads.over(2));
    CHECK(all.leads.failed_by_input());
}

TEST_CASE("after its time everybody gives back what is left") {
    ranks_at_hand all(2, 10);
    const auto [zero, one] = all.in_two();
    all.leads.hear(1, {kind::here, one.assignment, 0, "host"}, 8);
    all.leads.hear(0, done(zero, 5), 9);
    const message more = all.only(0, 9);
    const auto told = all.leads.tell(10);
    REQUIRE(told.size() == 2);
    for (const auto& [to, m] : told) CHECK(m.what == kind::stop);
    CHECK_FALSE(all.leads.over(10));
    for (const rank_id r : {0u, 1u}) {
        const message& had = r == 0 ? more : one;
        all.leads.hear(r, {kind::left, had.assignment, 0, had.text, made::result("a", {}, 0)}, 11);
    }
    CHECK(all.leads.tell(11).empty());
    CHECK(all.leads.over(11));
    const merged_results found = all.found();
    REQUIRE(found.results.size() == 1);
    CHECK(found.results[0].at("verdict") == "inconclusive");
    CHECK_FALSE(found.results[0].at("ok").get<bool>());
    CHECK_THAT(found.results[0].at("message").get<std::string>(), Contains("parts were left"));
    CHECK(code_of(found) == ringproof::command::exit_code::inconclusive);
}

TEST_CASE("how much there is in all is told with its bounds, once it is estimated") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    CHECK(all.leads.now().in_words() == "0 executions");
    all.leads.note({{"a under rc11", {90, 120, 180}}});
    all.leads.hear(1, done(one, 30), 2);
    CHECK(all.leads.now().in_words() == "30 executions of about 120 (95 %: 90 to 180)");
    CHECK(all.leads.now().done == Approx(0.25));
    // Of what is found, no estimate says that it is not there.
    all.leads.note({{"a under rc11", {10, 20, 40}}});
    CHECK(all.leads.now().in_words() == "30 executions of about 30 (95 %: 30 to 40)");
    CHECK(all.leads.now().done == Approx(0.25)); // the share of the tree: there may be more
    all.leads.note({{"a under rc11", {10, 20, 25}}});
    CHECK_FALSE(all.leads.now().all);
    all.leads.hear(0, done(zero, 100), 3);
    CHECK(all.leads.now().executions == 130);
}

TEST_CASE("the share of the tree that is done is told where nothing is weighed") {
    ranks_at_hand all(2);
    CHECK(all.leads.now().done < 0); // not divided yet
    const auto [zero, one] = all.in_two();
    CHECK(all.leads.now().done < 0); // nothing of it is done
    // Each rank has one of four parts.
    all.leads.hear(1, done(one, 30), 2);
    CHECK(all.leads.now().done == Approx(0.25));
    all.leads.hear(0, done(zero, 1'000'000), 3);
    CHECK(all.leads.now().done == Approx(0.5));
}

TEST_CASE("no bounds are told while one search is not estimated, or begins anew") {
    ranks_at_hand all(2);
    const auto [zero, one] = all.in_two();
    all.leads.note({{"b under rc11", {1, 2, 3}}});
    CHECK_FALSE(all.leads.now().all);
    all.leads.note({{"a under rc11", {90, 120, 180}}});
    CHECK(all.leads.now().all);
    all.leads.hear(1, {kind::learnt, one.assignment, 0, made::checkpoint("a"), made::result("a", {}, 0)}, 2);
    CHECK_FALSE(all.leads.now().all);
}

TEST_CASE("a search of which nothing is done is told") {
    const merged_results found = merge({}, {{"a under rc11", 1}});
    REQUIRE(found.messages.size() == 1);
    CHECK_THAT(found.messages[0], Contains("a under rc11: nothing of it is done: 1 part was left"));
}
