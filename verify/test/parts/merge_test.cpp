// SPDX-License-Identifier: Apache-2.0
#include "../../parts/merge.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using namespace ringproof::command;

namespace {

exit_code code(std::initializer_list<const char*> verdicts) {
    merged_results merged;
    for (const std::string verdict : verdicts)
        merged.results.push_back({{"name", "n"}, {"verdict", verdict}, {"ok", verdict == "verified"}});
    for (json& result : merged.results)
        if (result.at("verdict") == "skipped") result.erase("ok"); // as the museum has them
    return code_of(merged);
}

} // namespace

TEST_CASE("the worst result is that of all, and what was skipped says nothing") {
    CHECK(code({"verified"}) == exit_code::holds);
    CHECK(code({"verified", "skipped"}) == exit_code::holds);
    CHECK(code({"verified", "skipped", "inconclusive"}) == exit_code::inconclusive);
    CHECK(code({"verified", "inconclusive", "error"}) == exit_code::usage);
    CHECK(code({"error", "refuted", "inconclusive"}) == exit_code::refuted);
    CHECK(code({"skipped", "skipped"}) == exit_code::skipped);
    CHECK(code({}) == exit_code::no_match);
}
