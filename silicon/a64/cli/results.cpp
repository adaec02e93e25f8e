// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <fmt/format.h>

namespace ringproof::silicon::a64 {

using command::json;

std::atomic<bool> interrupted{false};

const char* verdict_of(const findings& f) {
    if (!f.failure.empty()) return "refuted";
    return f.cut || f.stopped || f.bounded || f.executions == 0 ? "inconclusive" : "verified";
}

std::string why_inconclusive(const findings& f) {
    if (f.stopped) return interrupted ? "interrupted" : "ended by --time";
    if (f.cut) return "a thread ran longer than --max-instructions";
    if (f.bounded) return "a thread's third timed wait that is not woken is not followed";
    return "no execution came to its end: threads wait for each other for ever";
}

json to_json(const findings& f, const std::string& name, const std::string& expected, bool hangs_fail) {
    json one{
        {"name", name},
        {"model", "armv8"},
        {"verdict", verdict_of(f)},
        {"expected", expected},
        {"ok", verdict_of(f) == expected},
        {"executions", f.executions},
        {"blocked", f.blocked},
        {"seconds", f.seconds},
        {"properties", hangs_fail ? json::array({"assertions", "deadlocks"}) : json::array({"assertions"})}};
    if (std::string_view(verdict_of(f)) == "inconclusive") one["message"] = why_inconclusive(f);
    if (f.failure.empty()) return one;
    one["message"] = f.failure;
    json events = json::array();
    int id = 0;
    for (const shown_access& a : f.shown)
        events.push_back({{"id", id++},
                          {"thread", a.thread},
                          {"kind", a.what.substr(0, a.what.find(' '))},
                          {"label", fmt::format("{} {}: {}", a.place, a.instruction, a.what)}});
    one["counterexample"] = {
        {"kind", f.waits.empty() ? "assertion" : "deadlock"}, {"message", f.failure}, {"events", events}};
    return one;
}

} // namespace ringproof::silicon::a64
