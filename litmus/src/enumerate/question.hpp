// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a test asks about its final states, with names resolved to places once.

#include "../frontend/program.hpp"

namespace ringproof::litmus {

struct question {
    question(const test& t, const program& p);

    bool satisfied_by(const std::vector<value>& values) const { return holds(final, values); }
    bool filtered_in(const std::vector<value>& values) const { return holds(*filter, values); }

    /// What a proposition can be when only some of the values are known.
    struct outlook {
        bool can_hold = false;
        bool can_fail = false;
    };
    outlook outlook_of(const proposition& what, const std::vector<value>& values,
                       const std::vector<bool>& known) const;

    std::vector<location> shown;
    std::vector<std::string> register_names;  ///< as the program knows them
    std::vector<std::int32_t> location_index; ///< of shown memory, -1 if the test never names it
    const proposition& final;
    const proposition* filter;

  private:
    bool holds(const proposition& what, const std::vector<value>& values) const;
    bool same(const location& l, const value& a, const value& b) const;
    std::size_t index_of(const location& l) const;
    const program& program_;
};

} // namespace ringproof::litmus
