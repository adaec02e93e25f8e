// SPDX-License-Identifier: Apache-2.0
#include "../../src/division/stored_hidden.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::verify;

namespace {

constexpr std::uintptr_t base = 0x7000'0000'0000;
std::uint64_t from_program(std::uintptr_t granule) { return granule - base; }
std::uintptr_t in_process(std::uint64_t place) { return place + base; }

hidden_races some() {
    hidden_races hidden;
    granule_accesses made;
    made.add(access_kind::plain_write, 0xf0);
    made.add(access_kind::atomic_read, 0x01);
    hidden.note_left_out(base + 64, {made, std::uint64_t{1} << 63});
    hidden.note_behind(base + 72, {made, 5});
    accessing_threads who;
    who.by = {1, 0, accessing_threads::several, 2};
    hidden.note_in_dropped(base + 80, who);
    hidden.dropped = true;
    return hidden;
}

} // namespace

TEST_CASE("what may race comes back as it was written, in a process where the program lies elsewhere") {
    const hidden_races written = some();
    const json text = json::parse(to_json(written, from_program).dump());
    const hidden_races read = hidden_of(text, [](std::uint64_t place) { return in_process(place) + 4096; });
    REQUIRE(read.left_out.size() == 1);
    CHECK(read.left_out.at(base + 64 + 4096).by.bytes == written.left_out.at(base + 64).by.bytes);
    constexpr std::uint64_t last = std::uint64_t{1} << 63;
    CHECK(read.left_out.at(base + 64 + 4096).sites == std::array<std::uint64_t, 4>{0, last, last, 0});
    REQUIRE(read.behind.size() == 1);
    CHECK(read.behind.at(base + 72 + 4096).by.bytes == written.behind.at(base + 72).by.bytes);
    CHECK(read.behind.at(base + 72 + 4096).sites == std::array<std::uint64_t, 4>{0, 5, 5, 0});
    REQUIRE(read.in_dropped.size() == 1);
    CHECK(read.in_dropped.at(base + 80 + 4096).by == written.in_dropped.at(base + 80).by);
    CHECK(read.dropped);
    CHECK_FALSE(hidden_of(to_json({}, from_program), in_process).dropped);
}

TEST_CASE("what no search has noted is refused") {
    const json good = to_json(some(), from_program);
    REQUIRE_NOTHROW(hidden_of(good, in_process));
    const auto refused = [&](const char* member, const json& value) {
        INFO(member << ": " << value);
        json wrong = good;
        wrong[member] = value;
        wrong = json::parse(wrong.dump()); // numbers as a file has them
        CHECK_THROWS_AS(hidden_of(wrong, in_process), std::invalid_argument);
    };
    const json masks{0, 0, 0, 0}, places{"1", "0", "0", "0"};
    json one = good;
    one["left_out"] = json::array({json::array({"40", masks, places})});
    REQUIRE_NOTHROW(hidden_of(json::parse(one.dump()), in_process));
    refused("left_out", "40");
    refused("left_out", json::array({json::array({"40"})}));
    refused("left_out", json::array({json::array({"40", masks})}));
    refused("left_out", json::array({json::array({"40", json{0, 0, 0}, places})}));
    refused("left_out", json::array({json::array({"40", json{0, 0, 0, 256}, places})}));
    refused("left_out", json::array({json::array({"4x", masks, places})}));
    refused("left_out", json::array({json::array({64, masks, places})}));
    refused("left_out", json::array({json::array({"40", masks, "1"})}));
    refused("left_out", json::array({json::array({"40", masks, json{"1", "0", "0"}})}));
    refused("left_out", json::array({json::array({"40", masks, json{"", "0", "0", "0"}})}));
    refused("left_out", json::array({json::array({"40", masks, json{2, "0", "0", "0"}})}));
    refused("behind", json::array({json::array({"40", masks})}));
    refused("behind", json::array({json::array({"40", masks, json{"g", "0", "0", "0"}})}));
    refused("in_dropped", json::array({json::array({"40", masks, "1"})}));
    refused("in_dropped", json::array({json::array({"40", json{-1, 0, 0, 0}})}));
    refused("dropped", 1);
}
