// SPDX-License-Identifier: Apache-2.0
#include "estimates.hpp"

#include "../outcome/silence.hpp"
#include "../program/facts.hpp"
#include "../trace/symbols.hpp"

#include <ringproof/verify/sampling.hpp>

#include <cmath>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

/// Two digits: more would say what is not known.
std::string about(double n) {
    if (n < 100) return fmt::format("{:.0f}", n);
    const char* unit = "";
    for (const char* larger : {" thousand", " M", " G", " T", " P", " E"}) {
        if (n < 1000) break;
        n /= 1000;
        unit = larger;
    }
    if (n >= 1000) return fmt::format("{:.1e}{}", n, unit);
    return n < 10 ? fmt::format("{:.1f}{}", n, unit) : fmt::format("{:.0f}{}", n, unit);
}

} // namespace

bool print_estimates(const std::vector<std::pair<const subject*, memory_model>>& all,
                     const command_options& options, std::FILE* out) {
    bool failed = false;
    const symbols names;
    for (const auto& [what, model] : all) {
        if (search_facts::interrupted) break;
        estimation_options estimating;
        estimating.exploration.model = model;
        estimating.exploration.limits = limits_of(options, *what);
        estimating.seed = options.seed;
        if (options.seconds > 0) estimating.seconds = options.seconds;
        estimate e;
        {
            const silence quiet(!options.verbose);
            e = estimate_executions(what->body, estimating);
        }
        std::string text;
        if (e.result.error.kind != failure_kind::nothing) {
            failed = true;
            text = fmt::format("an execution on the way fails ({}): run it without --estimate",
                               e.result.error.message);
        } else if (e.exact) {
            text = fmt::format("exactly {} executions, {}: the search was finished",
                               static_cast<std::uint64_t>(e.executions), command::format_duration(e.seconds));
        } else if (e.walks == 0) {
            text = "interrupted before anything could be said";
        } else if (!e.known) {
            text = fmt::format("unknown, {} executions or more: ", static_cast<std::uint64_t>(e.low));
            const double part = static_cast<double>(e.blocked) / static_cast<double>(e.walks);
            if (part > 0.5) // rounded down: not all of them, where it is not all
                text += fmt::format("{} % of the random walks ended blocked", std::floor(part * 1000) / 10);
            else
                text += "few of the random walks stand for most of the executions";
            if (part > 0.5 && e.blocked_at != 0)
                text += ", most of them at " + place_text(e.blocked_at, names);
        } else {
            text = fmt::format("about {} executions (95 %: {} to {}), about {}", about(e.executions),
                               about(e.low), about(e.high), command::format_duration(e.seconds));
        }
        fmt::print(out, "estimate  {:<4}  {}: {}\n", model_name(model), what->name, text);
        std::fflush(out);
    }
    return failed;
}

} // namespace ringproof::verify
