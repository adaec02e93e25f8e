// SPDX-License-Identifier: Apache-2.0
#include "translate.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::witness {

executable translate(const loaded_test& t) {
    const program& p = t.what;
    const bool x86 = p.architecture == "X86";
    if (!x86 && t.flavour != c_flavour::c11)
        throw untranslatable("only C11 and X86 tests can be run as programs");
    if (t.text.threads.size() > most_threads) throw untranslatable("too many threads");
    if (p.locations.size() > most_locations) throw untranslatable("too many locations");
    if (p.bounded) throw untranslatable("a loop without end");
    executable e;
    for (const value& v : p.initial) {
        if (v.is_address()) throw untranslatable("a location holds an address");
        e.initial.push_back(v.number);
    }
    std::vector<std::vector<std::string>> locals(t.text.threads.size());
    for (std::size_t thread = 0; thread < t.text.threads.size(); ++thread) {
        e.registers.emplace_back();
        e.threads.push_back(
            (x86 ? translate_x86 : translate_c)(t.text, thread, p, locals[thread], e.registers.back()));
    }
    const question asked(t.text, p);
    for (std::size_t i = 0; i < asked.shown.size(); ++i) {
        executable::place at;
        if (asked.shown[i].is_register()) {
            at.thread = asked.shown[i].thread;
            const auto& names = locals[static_cast<std::size_t>(at.thread)];
            const auto found = std::find(names.begin(), names.end(), asked.register_names[i]);
            if (found == names.end())
                throw untranslatable(fmt::format("{} is never set", asked.shown[i].printed()));
            at.index = static_cast<std::size_t>(found - names.begin());
        } else {
            if (asked.location_index[i] < 0)
                throw untranslatable(fmt::format("{} is never used", asked.shown[i].printed()));
            at.index = static_cast<std::size_t>(asked.location_index[i]);
        }
        e.shown.push_back(at);
    }
    return e;
}

} // namespace ringproof::litmus::witness
