// SPDX-License-Identifier: Apache-2.0
#pragma once
// What loads return, as far as it is known while reads-from is chosen.

#include "../cat/evaluator.hpp"
#include "structure.hpp"

namespace ringproof::litmus {

class known_values {
  public:
    known_values(const program& p, const structure& s)
        : program_(p), structure_(s), variable_(p.values->variables()), known_(p.values->variables(), false) {
    }

    bool knows(std::size_t read) const { return known_[variable_of(read)]; }
    void learn(std::size_t read, const value& v) {
        variable_[variable_of(read)] = v;
        known_[variable_of(read)] = true;
    }
    void forget(std::size_t read) { known_[variable_of(read)] = false; }

    /// False if it depends on a load of which nothing is known yet.
    bool evaluate(expr e, value& v) const {
        return program_.values->evaluate(
            e, [&](std::size_t i) { return known_[i] ? &variable_[i] : nullptr; }, v);
    }

    /// What a store of the program, or the initial one, stores.
    bool stored(std::size_t write, value& v) const {
        const placed_event& e = structure_.events()[write];
        if (!e.what) {
            v = program_.initial[static_cast<std::size_t>(e.location)];
            return true;
        }
        if (e.what->whole != no_expr && evaluate(e.what->whole, v) && v.is_address())
            throw cat::cannot_evaluate(
                "a store of an address to bytes that are accessed in several sizes: not supported");
        return evaluate(e.what->stored, v);
    }

    /// What a location holds in the end, by the last store to each: put together if it is in pieces.
    bool final_value(std::int32_t location, const std::vector<std::size_t>& last, value& v) const {
        const program::whole* w = program_.whole_of(location);
        if (!w) return stored(last[static_cast<std::size_t>(location)], v);
        std::uint64_t bits = 0;
        for (const auto& [part, shift] : w->parts) {
            value one;
            if (!stored(last[static_cast<std::size_t>(part)], one)) return false;
            bits |= static_cast<std::uint64_t>(one.number) << shift;
        }
        const bool keeps_sign = w->bytes == 4; // as loads of four bytes do
        v = {keeps_sign ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits), -1};
        return true;
    }

  private:
    std::size_t variable_of(std::size_t read) const {
        return program_.values->variable_of(structure_.events()[read].what->loaded);
    }

    const program& program_;
    const structure& structure_;
    std::vector<value> variable_;
    std::vector<bool> known_;
};

} // namespace ringproof::litmus
