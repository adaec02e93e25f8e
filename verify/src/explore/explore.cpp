// SPDX-License-Identifier: Apache-2.0
#include "../runtime/signals.hpp"
#include "explorer.hpp"

#include <ringproof/verify/verify.hpp>

#include <cstdio>
#include <cstdlib>

namespace ringproof::verify {
std::unique_ptr<model> model_of(memory_model m) { return make_model(m); }

exploration_result explore(const std::function<void()>& body, const exploration_options& options) {
    const fault_handlers guard;
    const auto m = model_of(options.model);
    explorer e(*m, options.limits);
    e.use_jobs(options.jobs, options.share_after);
    if (options.resume) e.resume_from(*options.resume);
    if (options.on_progress) e.on_progress(options.on_progress);
    if (options.on_complete) e.on_complete([&](const explorer&) { options.on_complete(); });
    if (options.state) e.on_state(options.state);
    if (options.digest) e.want_digest();
    return e.explore(body);
}

exploration_result replay(const std::function<void()>& body, const std::vector<step>& steps,
                          const exploration_options& options) {
    const fault_handlers guard;
    const auto m = model_of(options.model);
    explorer e(*m, options.limits);
    return e.replay(body, steps);
}

void pause() {
    if (explorer::running()) explorer::active()->yield();
}

void assume(bool condition) {
    if (condition || !explorer::running()) return;
    request r;
    r.act = action::block;
    explorer::active()->visible(r);
    std::abort(); // a blocked thread is never resumed
}

void cover(const char* situation) {
    if (explorer::running()) explorer::active()->cover(situation);
}

assumption_ledger whole_ledger(const exploration_result& r) {
    assumption_ledger whole = r.assumptions;
    for (const auto& [site, loop] : r.counting)
        if (loop.endless && loop.left) whole[{assumption::yield, site}] = 1;
    return whole;
}

void evaluated() noexcept {
    if (explorer::running()) explorer::active()->note_evaluated();
}

void fail(const char* expression, const char* file, int line) {
    if (explorer::running())
        explorer::active()->fail_here(failure_kind::assertion,
                                      std::string("VERIFY_THAT failed: ") + expression,
                                      reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), 0);
    std::fprintf(stderr, "%s:%d: VERIFY_THAT failed: %s\n", file, line, expression);
    std::abort();
}

} // namespace ringproof::verify
