// SPDX-License-Identifier: Apache-2.0
#include "../../src/recommend/recommend.hpp"

#include <catch2/catch.hpp>
#include <regex>

using namespace ringproof::bench;

namespace {

/// Records of 64 bytes: each at once, in band, in batches.
struct fixture {
    catalogue all;
    std::vector<subject> subjects;
    std::vector<observation> seen;

    fixture() {
        for (const char* peer : {"ringproof", "ringproof_in_band", "ringproof_both_in_batches"}) {
            entry e;
            e.workload = "spsc/records:64/throughput";
            e.peer = peer;
            all.push_back(e);
        }
        for (const entry& e : all) subjects.push_back({&e, {distance::same_l3, {1}, 0}});
    }
    /// Five times about so long, of each of the three.
    void saw(double ns, double in_band, double in_batches, double rtt, bool steady = true) {
        const double each[] = {ns, in_band, in_batches};
        for (std::size_t s = 0; s < 3; ++s)
            for (int r = 0; r < 5; ++r) {
                observation o{s, r, {}};
                o.m.result.operations = 1000;
                o.m.result.seconds = each[s] * (1 + 0.01 * r) * 1e-6;
                o.m.probes = {rtt, rtt};
                o.m.steady = steady;
                seen.push_back(o);
            }
    }
    std::vector<advice> get() const { return recommend(subjects, seen); }
};
constexpr double near = 90, far = 400;

} // namespace

TEST_CASE("What is faster at each place is recommended, with its line and figures") {
    fixture f;
    f.saw(10, 5, 20, near);
    f.saw(30, 20, 60, far);
    const auto all = f.get();
    REQUIRE(all.size() == 1);
    CHECK(all[0].peer == "ringproof_in_band");
    CHECK(all[0].line == "ringproof::record_ring<ringproof::single_in_band> ring{1 << 16};");
    REQUIRE(all[0].figures.size() == 2);
    CHECK(all[0].figures[0].where == "same-l3, near");
    CHECK(all[0].figures[0].default_ns / all[0].figures[0].ns == Approx(2));
    CHECK(all[0].figures[0].faster.low > 1);
    CHECK(all[0].figures[1].where == "same-l3, far");
}
TEST_CASE("What is faster near and slower far is not") {
    fixture f;
    f.saw(10, 5, 20, near);
    f.saw(30, 40, 60, far);
    const auto all = f.get();
    REQUIRE(all.size() == 1);
    CHECK(all[0].peer == "ringproof");
    REQUIRE(all[0].figures.size() == 2); // what the default takes
    CHECK(all[0].figures[0].ns == Approx(10.2));
}
TEST_CASE("What differs by chance is not") {
    fixture f;
    f.saw(10, 9.9, 20, near);
    CHECK(f.get().at(0).peer == "ringproof");
}
TEST_CASE("What promises less comes behind, if it is faster than what is recommended") {
    fixture f;
    f.saw(10, 5, 3, near);
    auto all = f.get();
    REQUIRE(all.size() == 2);
    CHECK(all[0].peer == "ringproof_in_band");
    CHECK(all[1].peer == "ringproof_both_in_batches");
    CHECK(all[1].provided.find("flush()") != std::string::npos);
    f.seen.clear();
    f.saw(10, 5, 7, near); // faster than the default, not than in band
    CHECK(f.get().size() == 1);
}
TEST_CASE("Disturbed measurements count where there are no others") {
    fixture f;
    f.saw(10, 5, 20, near, false);
    CHECK(f.get().at(0).peer == "ringproof_in_band");
    f.saw(10, 12, 20, near);
    CHECK(f.get().at(0).peer == "ringproof");
}
TEST_CASE("Of too few measurements nothing is said but that") {
    fixture f;
    f.saw(10, 5, 3, near);
    std::erase_if(f.seen, [](const observation& o) { return o.subject > 0 && o.repetition > 1; });
    REQUIRE(f.get().size() == 1);
    CHECK(f.get()[0].peer == "ringproof");
    CHECK_FALSE(f.get()[0].compared);
    f.seen.clear();
    f.saw(10, 11, 12, near);
    CHECK(f.get().at(0).compared);
}
TEST_CASE("Nothing measured, nothing recommended") { CHECK(fixture().get().empty()); }
TEST_CASE("The filter has ours alone") {
    const std::regex filter(candidates());
    for (const char* name : {"spsc/items:8/throughput/same-l3/ringproof",
                             "spsc/records:64/ping-pong/smt-sibling/ringproof_in_band",
                             "mpsc/items:8/producers:2/throughput/oversubscribed/ringproof_per_cpu"})
        CHECK(std::regex_search(name, filter));
    for (const char* name : {"spsc/items:8/throughput/same-l3/boost_spsc_queue",
                             "spsc/items:8/latency/load:50/same-l3/ringproof",
                             "spsc/records:64/throughput/same-l3/ringproof_copied"})
        CHECK_FALSE(std::regex_search(name, filter));
}
