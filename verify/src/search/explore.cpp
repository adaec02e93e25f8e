// SPDX-License-Identifier: Apache-2.0
#include "../hooks/signals.hpp"
#include "explorer.hpp"

#include <ringproof/verify/verify.hpp>

namespace ringproof::verify {

exploration_result explore(const std::function<void()>& body, const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    const auto search = [&](explorer& e) {
        e.use_jobs(options.jobs, options.share_after);
        e.on({options.on_progress, options.on_complete, options.state, options.digest});
        return e.explore(body);
    };
    if (options.resume) {
        explorer e(*m, options.limits);
        e.resume_from(*options.resume);
        if (options.part) e.be_a_part();
        exploration_result found = search(e);
        if (!e.must_forget()) return found;
        if (options.part) { // from the beginning it would be the whole search
            found.misfit = true;
            return found;
        }
    }
    explorer e(*m, options.limits);
    return search(e);
}

exploration_result replay(const std::function<void()>& body, const std::vector<step>& steps,
                          const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    explorer e(*m, options.limits);
    return e.replay(body, steps);
}

assumption_ledger whole_ledger(const exploration_result& r) {
    assumption_ledger whole = r.assumptions;
    for (const auto& [site, loop] : r.counting)
        if (loop.endless && loop.left) whole[{assumption::yield, site}] = 1;
    return whole;
}

} // namespace ringproof::verify
