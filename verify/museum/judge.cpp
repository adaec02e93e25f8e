// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <fmt/format.h>

namespace ringproof::verify {

using command::exit_code, command::json;

void judge(json& result, bool broken, std::string_view shows) {
    const std::string expected = broken ? "refuted" : "verified";
    bool ok = result.value("verdict", "") == expected;
    if (ok && broken) {
        // Refuted is not enough: the counterexample must be the published bug's.
        const std::string message = result.at("counterexample").value("message", "");
        ok = message.starts_with(shows);
        if (!ok) result["message"] = fmt::format("refuted by another error, not '{}': {}", shows, message);
    }
    result["expected"] = expected;
    result["ok"] = ok;
}

exit_code code_of(const json& results) {
    bool any = false, unexpected = false, inconclusive = false;
    for (const json& r : results) {
        const std::string verdict = r.value("verdict", "");
        if (verdict == "error") return exit_code::internal;
        any = any || verdict != "skipped";
        if (verdict == "inconclusive")
            inconclusive = true;
        else if (verdict != "skipped" && !r.value("ok", false))
            unexpected = true;
    }
    if (unexpected) return exit_code::refuted;
    return inconclusive ? exit_code::inconclusive : any ? exit_code::holds : exit_code::skipped;
}

} // namespace ringproof::verify
