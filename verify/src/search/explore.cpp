// SPDX-License-Identifier: Apache-2.0
#include "../hooks/signals.hpp"
#include "explorer.hpp"

#include <ringproof/verify/verify.hpp>

#include <utility>

namespace ringproof::verify {

namespace {

/// Searches with an explorer of its own: there is room for one at a time.
exploration_result search(explorer& e, const std::function<void()>& body,
                          const exploration_options& options) {
    e.use_jobs(options.jobs, options.share_after);
    e.on({options.on_progress, options.on_complete, options.state, options.digest, options.on_end});
    return e.explore(body);
}

/// A part that cannot learn what the others know is refused: then better no parts, and the search from its beginning.
exploration_result divisible(exploration_result found, const model& m, const std::function<void()>& body,
                             const exploration_options& options) {
    if (options.limits.divide == 0 || found.positions.empty()) return found;
    explorer other(m, options.limits);
    other.resume_from(found);
    if (other.can_learn_again(body)) return found;
    exploration_result none;
    none.stopped = true;
    none.stopped_by = found.stopped_by + " (it cannot be divided, and is to be searched whole)";
    none.seconds = found.seconds;
    return none;
}

} // namespace

exploration_result explore(const std::function<void()>& body, const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    exploration_result found;
    bool forgot = true;
    if (options.resume) {
        explorer e(*m, options.limits);
        e.resume_from(*options.resume);
        if (options.part) e.be_a_part();
        found = search(e, body, options);
        forgot = e.must_forget();
    }
    if (forgot && options.part) { // from the beginning it would be the whole search
        found.misfit = true;
        return found;
    }
    if (forgot) {
        explorer e(*m, options.limits);
        found = search(e, body, options);
    }
    return divisible(std::move(found), *m, body, options);
}

exploration_result replay(const std::function<void()>& body, const std::vector<step>& steps,
                          const exploration_options& options) {
    const fault_handlers guard;
    const auto m = make_model(options.model);
    explorer e(*m, options.limits);
    e.know_raced(options.raced);
    return e.replay(body, steps);
}

assumption_ledger whole_ledger(const exploration_result& r) {
    assumption_ledger whole = r.assumptions;
    for (const auto& [site, loop] : r.counting)
        if (loop.endless && loop.left) whole[{assumption::yield, site}] = 1;
    return whole;
}

} // namespace ringproof::verify
