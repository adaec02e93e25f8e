// SPDX-License-Identifier: Apache-2.0
// Every entry there is, run for a moment: nothing may be lost, and the names must be unique.
#include "../../peers/peers.hpp"
#include "../../src/harness/semantics.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <set>

using namespace ringproof::bench;

TEST_CASE("Every workload with every peer delivers everything, whole and in order") {
    catalogue all;
    add_limits(all);
    add_peers(all);
    run_settings settings;
    settings.priority = urgency::normal;
    const machine m = machine::detect();
    std::set<std::string> names;
    for (const entry& e : all) {
        const std::string name = e.workload + " " + e.peer;
        INFO(name);
        CHECK(names.insert(name).second);
        // A peer may come to a standstill where threads share CPUs; nobody waits long for that here.
        const auto measured = [&](double time) {
            settings.times = {seconds(0.001), seconds(time),
                              seconds(e.peer.starts_with("ringproof") ? 20 : 1)};
            return e.run(place(m, {}, e.producers).front(), settings);
        };
        const auto found_something = [](const run_result& r) {
            return r.starved() || !r.stuck.empty() || !r.skipped.empty() || r.seconds > 0;
        };
        run_result r = measured(0.004);
        // Where the machine is busy, nothing may happen in so short a time.
        for (double time = 0.05; !found_something(r) && time < 1; time *= 4) r = measured(time);
        CHECK(r.error.empty());
        if (e.peer.starts_with("ringproof")) CHECK(r.stuck.empty());
        CHECK(found_something(r));
    }
}

TEST_CASE("What a peer gives up is told of every peer that is measured") {
    catalogue all;
    add_peers(all);
    std::set<std::string> told, measured;
    for (const semantics& s : all.peers) {
        INFO(s.peer);
        CHECK(told.insert(s.peer).second);
        for (const std::string* text :
             {&s.payload, &s.order, &s.full, &s.lost, &s.overwrite, &s.processes, &s.death})
            CHECK_FALSE(text->empty());
    }
    for (const entry& e : all)
        if (!e.peer.empty() && !e.peer.starts_with("ringproof_")) measured.insert(e.peer);
    CHECK(told == measured);
}

TEST_CASE("The table of peers in docs/bench.md is what their adapters declare") {
    std::ifstream file(RINGPROOF_BENCH_DOCS);
    const std::string docs{std::istreambuf_iterator<char>(file), {}};
    REQUIRE_FALSE(docs.empty());
    catalogue all;
    add_peers(all);
    CHECK(docs.find(semantics_table_head()) != std::string::npos);
    for (const semantics& s : all.peers) {
        INFO("`ringproof bench --peers --markdown` prints it: " << semantics_table_row(s));
        CHECK(docs.find("\n" + semantics_table_row(s)) != std::string::npos);
    }
}

TEST_CASE("Ours is in every workload that a peer is in") {
    catalogue all;
    add_peers(all);
    std::set<std::string> ours, theirs;
    for (const entry& e : all) (e.peer == "ringproof" ? ours : theirs).insert(e.workload);
    for (const std::string& workload : theirs) {
        INFO(workload);
        CHECK((ours.count(workload) == 1 || workload.starts_with("limit/")));
    }
}
