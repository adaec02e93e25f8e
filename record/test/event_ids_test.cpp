// SPDX-License-Identifier: Apache-2.0
#include "event_ids.hpp"

#include "sample_format.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

using namespace ringproof::record_command;

namespace {

perf_event_attr event(std::uint32_t type, std::uint64_t config) {
    perf_event_attr attr{};
    attr.type = type;
    attr.config = config;
    return attr;
}
const perf_event_attr faults = event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
const perf_event_attr switches = event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
const perf_event_attr dummy = event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
const perf_event_attr tracepoint = event(PERF_TYPE_TRACEPOINT, 372);

struct sample {
    explicit sample(std::uint64_t id) { std::memcpy(bytes.data(), &id, sizeof id); }
    [[nodiscard]] std::uint64_t id() const {
        std::uint64_t result = 0;
        std::memcpy(&result, bytes.data(), sizeof result);
        return result;
    }
    std::array<std::byte, sizeof(sample_fields)> bytes{};
};

} // namespace

TEST_CASE("a sample with another recording's id is of the one software event") {
    event_ids ids;
    ids.add(9, 0, tracepoint);
    ids.add(10, 1, faults); // on the first CPU
    ids.add(11, 2, dummy);
    ids.add(20, 1, faults); // and on the second
    sample ours(20), tracepoints(9), foreign(77);
    CHECK(ids.claim(ours.bytes) == event_ids::owner::ours);
    CHECK(ids.claim(tracepoints.bytes) == event_ids::owner::ours);
    CHECK(ours.id() == 20);
    CHECK(ids.claim(foreign.bytes) == event_ids::owner::set_right);
    CHECK(ids.find(foreign.id()) == 1);
}

TEST_CASE("with several software events, or none, another recording's id cannot be told") {
    event_ids two, none;
    two.add(10, 0, faults);
    two.add(11, 1, switches);
    none.add(12, 0, tracepoint);
    none.add(13, 1, dummy);
    for (const event_ids* ids : {&two, &none}) {
        sample foreign(77);
        CHECK(ids->claim(foreign.bytes) == event_ids::owner::unknown);
        CHECK(foreign.id() == 77);
        CHECK_FALSE(ids->find(77).has_value());
    }
}

TEST_CASE("a sample too short for its fields is nobody's") {
    event_ids ids;
    ids.add(10, 0, faults);
    sample foreign(77);
    CHECK(ids.claim(std::span(foreign.bytes).first(4)) == event_ids::owner::unknown);
    CHECK(ids.claim(std::span(foreign.bytes).first(47)) == event_ids::owner::unknown);
    CHECK(foreign.id() == 77);
}
