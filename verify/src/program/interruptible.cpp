// SPDX-License-Identifier: Apache-2.0
#include "interruptible.hpp"

#include "request_kinds.hpp"

#include <ringproof/verify/interrupt.hpp>

namespace ringproof::verify {

namespace {

bool may_come(const attached_handler& h, const context& into, unsigned masked) {
    if (h.left == 0 || h.active >= h.options.depth || h.options.level <= masked) return false;
    return h.options.level > into.level || (h.options.level == into.level && h.active > 0);
}

} // namespace

/// The `n`-th handler that may come in now, from 1, or null.
attached_handler* coming(const thread_state& t, unsigned n) {
    if (t.contexts.depth + 1u >= max_contexts) return nullptr;
    for (auto* h = static_cast<attached_handler*>(t.handlers); h; h = h->next)
        if (may_come(*h, t.contexts.now(), t.masked_level) && --n == 0) return h;
    return nullptr;
}

bool may_be_interrupted(const thread_state& t) {
    if (!t.handlers) return false;
    // Into a handler that has done nothing yet: the same as just before it, unless what comes in was not there then.
    const context& now = t.contexts.now();
    const bool begins = t.contexts.depth > 0 && !now.touched && !now.attached && t.next_index == now.first;
    return !begins && coming(t, 1);
}

unsigned count_due(const thread_state& t) {
    if (t.asked || !kind_of(t.what.act).place || !may_be_interrupted(t)) return 0;
    unsigned n = 0;
    while (coming(t, n + 1)) ++n;
    return n;
}

} // namespace ringproof::verify
