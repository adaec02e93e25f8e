// SPDX-License-Identifier: Apache-2.0
// Whatever a file holds, the parser either accepts it or points into it.
#include "parse/x86.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

using namespace ringproof::litmus;

namespace {

std::string mutated(std::string text, std::mt19937& random) {
    static constexpr std::string_view pieces[] = {
        "(*", "*)",   "{",      "}",  "|",  ";",  "[",  "]",  "$",   "%",    ":",  "(",   ")",  "~",
        "=>", "LOCK", "exists", "\"", "-9", "\n", "\t", "0x", "/\\", "\xff", "P0", "RAX", "L:", "JNE L"};
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
        const std::size_t at = random() % (text.size() + 1);
        switch (random() % 4) {
        case 0:
            text.insert(at, pieces[random() % std::size(pieces)]);
            break;
        case 1:
            text.erase(at, 1 + random() % 8);
            break;
        case 2:
            text.resize(at);
            break;
        default:
            text.insert(at, text.substr(random() % (text.size() + 1), random() % 40));
            break;
        }
    }
    return text;
}

} // namespace

TEST_CASE("a damaged file is refused with a place inside it, or still is a test") {
    std::vector<std::string> texts;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(RINGPROOF_LITMUS_TESTS))
        if (entry.path().extension() == ".litmus") texts.push_back(read_source(entry.path().string()).text);
    REQUIRE(texts.size() >= 15);
    std::mt19937 random(7);
    unsigned refused = 0, accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = mutated(texts[random() % texts.size()], random);
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
        try {
            const test t = parse_test({"t", text});
            if (x86::is_dialect(t.dialect)) x86::parse_program(t);
            ++accepted;
        } catch (const syntax_error& error) {
            ++refused;
            if (error.line() > lines || error.column() > text.size() + 1) FAIL(text << "\n" << error.what());
        }
    }
    CHECK(refused > 1000);
    CHECK(accepted > 1000);
}
