// SPDX-License-Identifier: Apache-2.0
// Which results are as expected, and which code they make.
#include "judge.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace ringproof::verify;
using ringproof::command::exit_code, ringproof::command::json;

namespace {

json refuted(const std::string& message) {
    return {{"verdict", "refuted"}, {"counterexample", {{"kind", "race"}, {"message", message}}}};
}

json judged(json result, bool broken) {
    judge(result, broken, "data race on x");
    return result;
}

json with(std::string_view verdict, bool ok) { return {{"verdict", verdict}, {"ok", ok}}; }

} // namespace

TEST_CASE("before the fix only the published bug is as expected") {
    CHECK(judged(refuted("data race on x: T1 writes"), true).at("ok") == true);
    CHECK(judged(refuted("data race on x: T1 writes"), true).at("expected") == "refuted");
    const json other = judged(refuted("assertion failed: x"), true);
    CHECK(other.at("ok") == false);
    CHECK(other.at("message") == "refuted by another error, not 'data race on x': assertion failed: x");
    CHECK(judged({{"verdict", "verified"}}, true).at("ok") == false);
    CHECK(judged({{"verdict", "inconclusive"}}, true).at("ok") == false);
}

TEST_CASE("after the fix nothing but verified is as expected") {
    CHECK(judged({{"verdict", "verified"}}, false).at("ok") == true);
    CHECK(judged({{"verdict", "verified"}}, false).at("expected") == "verified");
    CHECK(judged(refuted("data race on x: T1 writes"), false).at("ok") == false);
    CHECK(judged({{"verdict", "inconclusive"}}, false).at("ok") == false);
    CHECK(judged({{"verdict", "error"}}, false).at("ok") == false);
}

TEST_CASE("the worst result decides on the exit code") {
    const json good = with("verified", true), skipped = {{"verdict", "skipped"}};
    CHECK(code_of({good, skipped}) == exit_code::holds);
    CHECK(code_of({skipped, skipped}) == exit_code::skipped);
    CHECK(code_of({good, with("verified", false)}) == exit_code::refuted);
    CHECK(code_of({with("inconclusive", false), good}) == exit_code::inconclusive);
    CHECK(code_of({with("inconclusive", false), with("refuted", false)}) == exit_code::refuted);
    CHECK(code_of({with("refuted", false), with("error", false)}) == exit_code::internal);
}
