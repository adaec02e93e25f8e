// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/notices.hpp"

#include <algorithm>

using namespace ringproof::verify;
using namespace ringproof::verify::test;
using what = recorded_event::what;

namespace {

/// The threads that main creates, or that begin, in the order of the record.
std::vector<std::uint16_t> threads_of(const std::vector<recorded_event>& record, what kind) {
    std::vector<std::uint16_t> found;
    for (const recorded_event& e : record)
        if (e.kind == kind && (kind == what::create || e.thread != 0))
            found.push_back(kind == what::create ? e.other : e.thread);
    return found;
}

} // namespace

TEST_CASE("a creation names the thread that it created, in whatever order the threads begin") {
    bool in_another_order = false;
    in_models_and_orders([&](exploration_options options) {
        options.limits.shown = 20;
        const exploration_result r = explore(programs::waits_and_is_noticed_late, options);
        for (const auto& record : r.shown) {
            CHECK(threads_of(record, what::create) == std::vector<std::uint16_t>{1, 2, 3});
            const auto begins = threads_of(record, what::begin);
            in_another_order = in_another_order || !std::is_sorted(begins.begin(), begins.end());
        }
    });
    CHECK(in_another_order);
}
