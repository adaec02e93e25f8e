// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program.hpp"

#include <algorithm>

namespace ringproof::verify::oracle {

/// The program without operation `at` of a thread; what skips over it skips over one less.
inline program without(const program& what, int thread, int at) {
    program made = what;
    thread_code code;
    for (int i = 0; i < what[thread].size; ++i) {
        operation step = what[thread][i];
        if (i == at) continue;
        if (step.kind == operation_kind::skip_if && i < at && at <= i + step.skip) --step.skip;
        code.append(step);
    }
    made.threads[static_cast<std::size_t>(thread)] = code;
    return made;
}

/// The program without what can be left out while `still_wrong` holds. Locks stay, as a mutex needs both sides.
template <class Predicate>
program shrink(program what, Predicate still_wrong) {
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (int thread = 0; thread < what.size; ++thread)
            for (int at = what[thread].size; at-- > 0;) {
                const operation_kind kind = what[thread][at].kind;
                if (kind == operation_kind::lock || kind == operation_kind::unlock) continue;
                const program candidate = without(what, thread, at);
                if (!still_wrong(candidate)) continue;
                what = candidate;
                smaller = true;
            }
    }
    return what;
}

} // namespace ringproof::verify::oracle
