// SPDX-License-Identifier: Apache-2.0
#pragma once
// What loads return, as far as it is known while reads-from is chosen.

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
        return evaluate(e.what->stored, v);
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
