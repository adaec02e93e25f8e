// SPDX-License-Identifier: Apache-2.0
// litmus7's log, line by line. Scripts match these lines; their odd spacing is part of the form.
#include "result.hpp"

#include <fmt/format.h>

namespace ringproof::litmus {

std::string to_log(const test_result& r) {
    using quantifier = condition::quantifier;
    const char* kind = r.how == quantifier::exists   ? "Allowed"
                       : r.how == quantifier::forall ? "Required"
                                                     : "Forbidden";
    std::string s = fmt::format("Test {} {}\nHistogram ({} states)\n", r.name, kind, r.states.size());
    for (const state_count& state : r.states) {
        // The star marks what the test looks for: the witness, or for `forall` the counterexample.
        const bool star = state.witness != (r.how == quantifier::forall);
        s += fmt::format("{:<6}{}>{}\n", state.count, star ? '*' : ':', state_text(r.shown, state.values));
    }
    const bool ok = validated(r.how, r.positive, r.negative);
    // Witnesses are counted for the condition, the observation for its proposition: with ~exists
    // the two are each other's opposite.
    const bool swapped = r.how == quantifier::not_exists;
    s += fmt::format("{}\n\nWitnesses\nPositive: {}, Negative: {}\nCondition {} is {}validated\n",
                     ok ? "Ok" : "No", swapped ? r.negative : r.positive, swapped ? r.positive : r.negative,
                     r.condition_text, ok ? "" : "NOT ");
    s += fmt::format("Observation {} {} {} {}\nTime {} {:.2f}\n", r.name, observation(r.positive, r.negative),
                     r.positive, r.negative, r.name, r.seconds);
    if (r.iterations != 0 && r.seconds > 0)
        s += fmt::format("Speed {} {:.3g} iterations/s, {:.3g} witnesses/s\n", r.name,
                         static_cast<double>(r.iterations) / r.seconds,
                         static_cast<double>(r.positive) / r.seconds);
    if (!r.model.empty())
        s += fmt::format("Model {} allows {} states, {} of them seen, {} others\n", r.model, r.allowed,
                         r.seen - r.forbidden.size(), r.forbidden.size());
    if (!r.note.empty()) s += fmt::format("Note {} {}\n", r.name, r.note);
    return s;
}

} // namespace ringproof::litmus
