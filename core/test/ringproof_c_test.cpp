// SPDX-License-Identifier: Apache-2.0
#include "ringproof/ringproof.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "last_words.hpp"

namespace {

int collect(const ringproof_record* record, void* context) {
    std::string text(static_cast<const char*>(record->bytes.first), record->bytes.first_size);
    if (record->bytes.second_size != 0)
        text.append(static_cast<const char*>(record->bytes.second), record->bytes.second_size);
    if (record->type == RINGPROOF_LOST) {
        ringproof_lost_record lost{};
        std::memcpy(&lost, text.data(), sizeof lost);
        text = "lost " + std::to_string(lost.count);
    }
    static_cast<std::vector<std::string>*>(context)->push_back(text);
    return text == "stop";
}

} // namespace

TEST_CASE("a ring for C takes, refuses, counts and delivers like the one it stands for") {
    const auto producer = GENERATE(RINGPROOF_SINGLE, RINGPROOF_NESTED, RINGPROOF_SHARED);
    ringproof_ring* const ring = ringproof_create(producer, 128, nullptr, 0);
    REQUIRE(ring != nullptr);
    CHECK(ringproof_capacity(ring) == 128);
    std::vector<std::string> seen;
    CHECK(ringproof_write(ring, "one", 3, RINGPROOF_SAMPLE) == RINGPROOF_OK);
    ringproof_room room;
    REQUIRE(ringproof_begin(ring, 3, RINGPROOF_SAMPLE, &room) == RINGPROOF_OK);
    REQUIRE(room.bytes.first_size == 3);
    std::memcpy(room.bytes.first, "two", 3);
    ringproof_commit(ring, &room);
    REQUIRE(ringproof_begin(ring, 5, RINGPROOF_SAMPLE, &room) == RINGPROOF_OK);
    ringproof_discard(ring, &room);
    CHECK(ringproof_write(ring, "stop", 4, RINGPROOF_SAMPLE) == RINGPROOF_OK);
    CHECK(ringproof_write(ring, "four", 4, RINGPROOF_SAMPLE) == RINGPROOF_OK);
    CHECK(ringproof_read(ring, 1, collect, &seen) == 1);
    CHECK(ringproof_read(ring, SIZE_MAX, collect, &seen) == 2);
    CHECK(ringproof_read(ring, SIZE_MAX, collect, &seen) == 1);
    CHECK(seen == std::vector<std::string>{"one", "two", "stop", "four"});
    ringproof_pause(ring);
    CHECK(ringproof_write(ring, "x", 1, RINGPROOF_SAMPLE) == RINGPROOF_PAUSED);
    ringproof_resume(ring);
    CHECK(ringproof_begin(ring, ringproof_max_payload(ring) + 1, RINGPROOF_SAMPLE, &room) ==
          RINGPROOF_TOO_LARGE);
    CHECK(ringproof_write(ring, "x", 1, 0xffff'ffff) == RINGPROOF_RESERVED_TYPE);
    seen.clear();
    CHECK(ringproof_write(ring, "y", 1, RINGPROOF_SAMPLE) == RINGPROOF_OK);
    CHECK(ringproof_lost(ring) == 3);
    CHECK(ringproof_read(ring, SIZE_MAX, collect, &seen) == 2);
    CHECK(seen == std::vector<std::string>{"lost 3", "y"});
    while (ringproof_write(ring, "z", 1, RINGPROOF_SAMPLE) == RINGPROOF_OK) {
    }
    CHECK(ringproof_write(ring, "z", 1, RINGPROOF_SAMPLE) == RINGPROOF_FULL);
    CHECK(ringproof_error(ring) == nullptr);
    ringproof_destroy(ring);
}

TEST_CASE("a ring for C that can't be made says why") {
    char why[100] = "";
    CHECK(ringproof_create(RINGPROOF_SINGLE, 100, why, sizeof why) == nullptr);
    CHECK(std::string(why).find("power of two") != std::string::npos);
    CHECK(ringproof_create(static_cast<ringproof_producer>(3), 128, why, sizeof why) == nullptr);
    CHECK(std::string(why).find("no such producer") != std::string::npos);
    CHECK(ringproof_create(RINGPROOF_SINGLE, 0, nullptr, 0) == nullptr);
}

TEST_CASE(
    "rooms of a ring for C that are over, refused or another's are ended without harm, or by a contract") {
    const auto producer = GENERATE(RINGPROOF_SINGLE, RINGPROOF_NESTED, RINGPROOF_SHARED);
    ringproof_ring* const ring = ringproof_create(producer, 128, nullptr, 0);
    REQUIRE(ring != nullptr);
    std::vector<std::string> seen;
    ringproof_room room;
    std::memset(&room, 0xff, sizeof room);
    CHECK(ringproof_begin(ring, SIZE_MAX, RINGPROOF_SAMPLE, &room) == RINGPROOF_TOO_LARGE);
    CHECK(room.bytes.first == nullptr);
    CHECK(room.bytes.first_size + room.bytes.second_size == 0);
    ringproof_commit(ring, &room);
    ringproof_discard(ring, &room);
    REQUIRE(ringproof_begin(ring, 1, RINGPROOF_SAMPLE, &room) == RINGPROOF_OK);
    *static_cast<char*>(room.bytes.first) = 'a';
    ringproof_room other = room;
    CHECK_THAT(last_words([&] {
                   ringproof_ring* const second = ringproof_create(producer, 128, nullptr, 0);
                   ringproof_commit(second, &other);
               }),
               Catch::Contains("the ring it came from"));
    ringproof_commit(ring, &room);
    ringproof_commit(ring, &room);
    ringproof_discard(ring, &room);
    CHECK(ringproof_write(ring, nullptr, 0, RINGPROOF_SAMPLE) == RINGPROOF_OK);
    CHECK(ringproof_read(ring, 0, collect, &seen) == 0);
    CHECK(ringproof_read(ring, SIZE_MAX, collect, &seen) == 3);
    CHECK(seen == std::vector<std::string>{"lost 1", "a", ""});
    CHECK(ringproof_read(ring, SIZE_MAX, collect, &seen) == 0);
    ringproof_destroy(ring);
    ringproof_destroy(nullptr);
}

TEST_CASE("pointers to nothing break a contract of a ring for C") {
    ringproof_ring* const ring = ringproof_create(RINGPROOF_SINGLE, 64, nullptr, 0);
    ringproof_room room;
    CHECK_THAT(last_words([] { ringproof_write(nullptr, "x", 1, RINGPROOF_SAMPLE); }),
               Catch::Contains("there is a ring"));
    CHECK_THAT(last_words([] { ringproof_capacity(nullptr); }), Catch::Contains("there is a ring"));
    CHECK_THAT(last_words([&] { ringproof_begin(nullptr, 1, RINGPROOF_SAMPLE, &room); }),
               Catch::Contains("there is a ring"));
    CHECK_THAT(last_words([&] { ringproof_begin(ring, 1, RINGPROOF_SAMPLE, nullptr); }),
               Catch::Contains("into a room"));
    CHECK_THAT(last_words([&] { ringproof_commit(ring, nullptr); }), Catch::Contains("in a room"));
    CHECK_THAT(last_words([&] { ringproof_write(ring, nullptr, 1, RINGPROOF_SAMPLE); }),
               Catch::Contains("somewhere"));
    CHECK_THAT(last_words([&] { ringproof_read(ring, 1, nullptr, nullptr); }),
               Catch::Contains("by a function"));
    ringproof_destroy(ring);
}

TEST_CASE("a ring for C that has no memory to be in says so") {
    if (sanitized) {
        WARN("a sanitizer ends a program that asks for so much");
        return;
    }
    char why[100] = "", little[8] = "";
    if (sizeof(std::size_t) < 8) {
        WARN("with 32 bits the largest ring has 1 GiB, which the machine may have");
    } else {
        CHECK(ringproof_create(RINGPROOF_SINGLE, (SIZE_MAX >> 2) + 1, why, sizeof why) == nullptr);
        CHECK(std::string(why).find("no memory for a ring of") == 0);
    }
    CHECK(ringproof_create(RINGPROOF_SINGLE, 3, little, sizeof little) == nullptr);
    CHECK(std::string(little) == "a ring "); // cut
}
