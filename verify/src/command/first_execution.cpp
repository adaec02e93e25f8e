// SPDX-License-Identifier: Apache-2.0
// The first execution of a scenario, for adapters that have to know something of it before the search.

#include "../parallel/apart.hpp"
#include "../program/early_heap.hpp"

#include <ringproof/verify/check.hpp>
#include <ringproof/verify/explore.hpp>

namespace ringproof::verify {

std::string look_at_first_execution(const std::function<void()>& body,
                                    const std::function<std::string()>& state) {
    constexpr unsigned seconds = 5;
    const auto look = [&] {
        early_heap::close(); // as before any search
        exploration_options options;
        options.limits.executions = 1;
        options.state = state;
        const exploration_result r = explore(body, options);
        return r.states.empty() ? std::string() : r.states.begin()->first;
    };
    const told_apart told = run_apart(look, seconds);
    return told.good() ? told.text : std::string();
}

} // namespace ringproof::verify
