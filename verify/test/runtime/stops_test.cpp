// SPDX-License-Identifier: Apache-2.0
// Behind which accesses a thread stops. Two threads that share nothing have one execution for each place at which the one that
// may stop does, and one in which it does not; either of them may be the other one. A thread alone does not stop.

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

namespace rv = ringproof::verify;

namespace {

struct call {
    const char* name;
    unsigned places;
};
constexpr call calls[] = {{"load", 0},
                          {"store", 1},
                          {"two stores", 2},
                          {"fence", 0},
                          {"exchange", 1},
                          {"exchange of the same", 0},
                          {"fetch_add", 1},
                          {"fetch_add of nothing", 0},
                          {"fetch_or", 1},
                          {"fetch_or of nothing", 0},
                          {"fetch_and of nothing", 0},
                          {"compare-exchange", 1},
                          {"compare-exchange that fails", 0},
                          {"lock and unlock", 2},
                          {"try_lock", 2},
                          {"plain write", 0}};

rv::exploration_result explore(const char* name) {
    const unsigned number = rv::linear::number_of(name);
    const rv::linear::test& t = rv::linear::find(number);
    rv::exploration_options options;
    options.limits.spurious = rv::exploring::never;
    options.limits.shown = 100;
    return rv::explore([&] { t.run(t, number, rv::linear::any_client(number)); }, options);
}

} // namespace

TEST_CASE("a thread stops behind each access that changes memory, and behind no other") {
    for (const call& one : calls) {
        const rv::exploration_result r = explore(one.name);
        INFO(one.name << ": " << r.error.message);
        CHECK(r.error.kind == rv::failure_kind::nothing);
        CHECK(r.executions == 1 + 2 * (1 + one.places));
    }
}

// Otherwise a reduction might take its loop for one that leaves all as it was.
TEST_CASE("a thread that may not stop makes a choice of one behind each of its writes") {
    std::ptrdiff_t went_on = 0;
    for (const auto& history : explore("two stores").shown)
        went_on += std::count_if(history.begin(), history.end(),
                                 [](const rv::recorded_event& e) { return e.word == "go on"; });
    // Alone 2; beside one that goes on as well 4, that stops behind its first write 2, behind its second 3; twice.
    CHECK(went_on == 2 + 2 * (4 + 2 + 3));
}
