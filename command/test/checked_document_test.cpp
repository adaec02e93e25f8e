// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/checked_document.hpp>

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::command;

TEST_CASE("a document with a byte changed is not read") {
    const std::string text = with_checksum({{"schema", "x"}, {"number", 17}});
    CHECK(checked_document(text).at("number") == 17);
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::string changed = text;
        changed[at] = static_cast<char>(changed[at] ^ 4);
        CHECK_THROWS_AS(checked_document(changed), std::invalid_argument);
    }
}

TEST_CASE("a document without a checksum is told from a damaged one") {
    using Catch::Contains;
    CHECK_THROWS_WITH(checked_document("{}"), Contains("begins with no checksum"));
    CHECK_THROWS_WITH(checked_document(""), Contains("begins with no checksum"));
    std::string text = with_checksum({{"number", 17}});
    CHECK_THROWS_WITH(checked_document(text.substr(0, text.size() - 1)), Contains("is damaged"));
}
