// SPDX-License-Identifier: Apache-2.0
#include "build_id.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string_view>

using namespace ringproof::record_command;

namespace {

std::vector<std::byte> note(std::uint32_t type, std::string_view name, std::string_view content) {
    const std::uint32_t head[] = {static_cast<std::uint32_t>(name.size() + 1),
                                  static_cast<std::uint32_t>(content.size()), type};
    std::vector<std::byte> result(sizeof head + (name.size() + 4) / 4 * 4 + (content.size() + 3) / 4 * 4);
    std::memcpy(result.data(), head, sizeof head);
    std::memcpy(result.data() + sizeof head, name.data(), name.size());
    std::memcpy(result.data() + sizeof head + (name.size() + 4) / 4 * 4, content.data(), content.size());
    return result;
}

} // namespace

TEST_CASE("a build id is found among other notes") {
    auto notes = note(6, "Linux", "12345");
    const auto other = note(1, "GNU", "abcd"), id = note(3, "GNU", "0123456789abcdefghij");
    notes.insert(notes.end(), other.begin(), other.end());
    CHECK(build_id_of_notes(notes).empty());
    notes.insert(notes.end(), id.begin(), id.end());
    const auto found = build_id_of_notes(notes);
    REQUIRE(found.size() == 20);
    CHECK(std::memcmp(found.data(), "0123456789abcdefghij", 20) == 0);
}

TEST_CASE("damaged notes give nothing, and are not read beyond their end") {
    const auto whole = note(3, "GNU", "0123456789abcdefghij");
    for (std::size_t size = 0; size != whole.size(); ++size) {
        const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(build_id_of_notes(cut).empty());
    }
    for (const std::size_t at : {0U, 4U}) {
        auto wrong = whole;
        std::fill_n(wrong.begin() + static_cast<std::ptrdiff_t>(at), 4, std::byte{0xff});
        CHECK(build_id_of_notes(wrong).empty());
    }
}

TEST_CASE("a file that is no program has no build id") {
    CHECK(build_id_of_file("/etc/passwd").empty());
    CHECK(build_id_of_file("/no/such/file").empty());
    CHECK(build_id_of_file("/dev/null").empty());
}
