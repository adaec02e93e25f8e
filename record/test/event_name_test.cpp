// SPDX-License-Identifier: Apache-2.0
#include "event_name.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::record_command;

TEST_CASE("events have the kernel's numbers, and modifiers say which side counts") {
    const auto faults = parse_event("page-faults");
    CHECK(faults.attr.type == PERF_TYPE_SOFTWARE);
    CHECK(faults.attr.config == PERF_COUNT_SW_PAGE_FAULTS);
    CHECK(faults.attr.exclude_kernel == 0);
    CHECK(faults.attr.size == 128);
    const auto user = parse_event("cs:u");
    CHECK(user.attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES);
    CHECK(user.attr.exclude_kernel == 1);
    CHECK(user.attr.exclude_user == 0);
    CHECK(parse_event("cpu-clock:uk").attr.exclude_kernel == 0);
}

TEST_CASE("several events stand between commas") {
    const auto both = parse_events("page-faults,cs:k");
    REQUIRE(both.size() == 2);
    CHECK(both[1].name == "cs:k");
}

TEST_CASE("every event in the list can be asked for") {
    for (const auto name : known_events()) CHECK_NOTHROW(parse_event(name));
}

TEST_CASE("what is no event is refused") {
    for (const char* text : {"", "nosuch", "page-faults:", "page-faults:x", ":u", "no:such", "cs,,cs"})
        CHECK_THROWS_AS(parse_events(text), std::invalid_argument);
}
