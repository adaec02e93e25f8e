// SPDX-License-Identifier: Apache-2.0
// Behind which accesses a thread stops. Two threads that share nothing have one execution for each place at which the one that
// may stop does, and one in which it does not; either of them may be the other one. A thread alone does not stop.

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/linear.hpp>

#include <catch2/catch.hpp>

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

} // namespace

TEST_CASE("a thread stops behind each access that changes memory, and behind no other") {
    for (const call& one : calls) {
        const unsigned number = rv::linear::number_of(one.name);
        const rv::linear::test& t = rv::linear::find(number);
        rv::exploration_options options;
        options.limits.spurious = rv::exploring::never;
        const rv::exploration_result r =
            rv::explore([&] { t.run(t, number, rv::linear::any_client(number)); }, options);
        INFO(one.name << ": " << r.error.message);
        CHECK(r.error.kind == rv::failure_kind::nothing);
        CHECK(r.executions == 1 + 2 * (1 + one.places));
    }
}
