// SPDX-License-Identifier: Apache-2.0
#include "estimates.hpp"

#include "../outcome/report.hpp"
#include "../outcome/silence.hpp"
#include "../program/facts.hpp"
#include "../trace/symbols.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/verify/sampling.hpp>

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

using command::format_about, command::json;

estimate estimate_of(const subject& what, memory_model model, const command_options& options) {
    estimation_options estimating;
    estimating.exploration.model = model;
    estimating.exploration.limits = limits_of(options, what);
    estimating.seed = options.seed;
    if (options.seconds > 0) estimating.seconds = options.seconds;
    const silence quiet(!options.verbose);
    return estimate_executions(what.body, estimating);
}

bool fails(const estimate& e) { return e.result.error.kind != failure_kind::nothing; }

std::string unknown(const estimate& e, const symbols& names) {
    std::string text = fmt::format("unknown, {} executions or more: ", static_cast<std::uint64_t>(e.low));
    const double part = static_cast<double>(e.blocked) / static_cast<double>(e.walks);
    if (part <= 0.5) return text + "few of the random walks stand for most of the executions";
    // Rounded down: not all of them, where it is not all.
    text += fmt::format("{} % of the random walks ended blocked", std::floor(part * 1000) / 10);
    return e.blocked_at == 0 ? text : text + ", most of them at " + place_text(e.blocked_at, names);
}

std::string in_words(const estimate& e, const symbols& names) {
    if (fails(e))
        return fmt::format("an execution on the way fails ({}): run it without --estimate",
                           e.result.error.message);
    if (e.exact)
        return fmt::format("exactly {} executions, {}: the search was finished",
                           static_cast<std::uint64_t>(e.executions), command::format_duration(e.seconds));
    if (e.walks == 0) return "interrupted before anything could be said";
    if (!e.known) return unknown(e, names);
    return fmt::format("about {} executions (95 %: {} to {}), about {}", format_about(e.executions),
                       format_about(e.low), format_about(e.high), command::format_duration(e.seconds));
}

json to_json(const subject& what, memory_model model, const estimate& e) {
    json one{{"name", what.name}, {"model", model_name(model)}, {"low", e.low}, {"walks", e.walks}};
    if (fails(e)) one["error"] = e.result.error.message;
    if (fails(e) || (!e.exact && (!e.known || e.walks == 0))) return one;
    one["executions"] = e.executions;
    if (std::isfinite(e.high)) one["high"] = e.high;
    one["seconds"] = e.seconds;
    one["exact"] = e.exact;
    return one;
}

} // namespace

bool print_estimates(const std::vector<std::pair<const subject*, memory_model>>& all,
                     const command_options& options, const std::vector<std::string>& invocation) {
    std::FILE* const out = takes_standard_output(options) ? stderr : stdout;
    bool failed = false;
    const symbols names;
    json document = command::make_document("ringproof-verify/1", invocation);
    document["results"] = json::array();
    document["estimates"] = json::array();
    for (const auto& [what, model] : all) {
        if (search_facts::interrupted) break;
        const estimate e = estimate_of(*what, model, options);
        failed |= fails(e);
        document["estimates"].push_back(to_json(*what, model, e));
        fmt::print(out, "estimate  {:<4}  {}: {}\n", model_name(model), what->name, in_words(e, names));
        std::fflush(out);
    }
    if (!options.json.empty()) command::write_document(document, options.json);
    return failed;
}

} // namespace ringproof::verify
