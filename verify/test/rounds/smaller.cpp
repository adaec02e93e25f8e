// SPDX-License-Identifier: Apache-2.0
#include "smaller.hpp"

#include <utility>

namespace ringproof::verify::rounds {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

/// Calls `f` with steps that have a little less.
bool each_smaller_step(const step& all, const std::function<bool(const step&)>& f) {
    const auto with = [&](auto change) {
        step less = all;
        return change(less) && f(less);
    };
    for (std::size_t v = 0; v < all.fates.size(); ++v)
        if (with([&](step& s) { return std::exchange(s.fates[v], fate::anew) > fate::anew; })) return true;
    return with([](step& s) { return std::exchange(s.indexed, false); }) ||
           with([](step& s) { return std::exchange(s.weak, false); }) ||
           with([](step& s) { return std::exchange(s.links, false); }) ||
           with([](step& s) { return std::exchange(s.relative, false); }) ||
           with([](step& s) { return std::exchange(s.fails, relaxed) != relaxed; }) || with([](step& s) {
               return s.what != step_kind::fence && std::exchange(s.mo, relaxed) != relaxed;
           });
}

/// The same with statements.
bool each_smaller_statement(const statement& all, const std::function<bool(const statement&)>& f) {
    const auto with = [&](auto change) {
        statement less = all;
        return change(less) && f(less);
    };
    for (std::size_t k = 0; k < all.steps.size(); ++k) {
        const auto without = [&](statement& s) {
            s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(k));
            return !s.steps.empty();
        };
        const auto smaller = [&](const step& one) {
            return with([&](statement& s) { return s.steps[k] = one, true; });
        };
        if (with(without) || each_smaller_step(all.steps[k], smaller)) return true;
    }
    return with([](statement& s) { return std::exchange(s.locked, false); }) ||
           with([](statement& s) { return std::exchange(s.yields, false); }) ||
           with([](statement& s) { return std::exchange(s.stored, -1) != -1; }) ||
           with([](statement& s) { return std::exchange(s.load, relaxed) != relaxed; }) ||
           with([](statement& s) { return std::exchange(s.store, relaxed) != relaxed; });
}

} // namespace

bool each_smaller(const program& all, const std::function<bool(const program&)>& f) {
    for (std::size_t t = 0; t < all.threads.size(); ++t) {
        program less = all;
        less.threads.erase(less.threads.begin() + static_cast<std::ptrdiff_t>(t));
        if (!less.threads.empty() && f(less)) return true;
        for (std::size_t n = 0; n < all.threads[t].size(); ++n) {
            less = all;
            less.threads[t].erase(less.threads[t].begin() + static_cast<std::ptrdiff_t>(n));
            if (f(less)) return true;
            const auto smaller = [&](const statement& one) {
                less = all;
                less.threads[t][n] = one;
                return f(less);
            };
            if (each_smaller_statement(all.threads[t][n], smaller)) return true;
        }
    }
    return false;
}

} // namespace ringproof::verify::rounds
