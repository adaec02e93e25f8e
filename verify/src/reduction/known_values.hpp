// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../graph/graph.hpp"
#include "../program/rmw.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::verify {

/// Which values some locations have had, in any execution that a search has met.
class known_values {
  public:
    struct values {
        std::uintptr_t address = 0;
        std::vector<value_t> all;
        bool repeat = false; ///< two writes of one execution have written the same
        bool too_many =
            false; ///< there are more than are noted, or some that are not known when they are written
    };

    /// The first write of the location that another thread than main can read: of those that main made alone, the last.
    /// @param threads_from the event that created the second thread, or none
    static std::vector<event_id>::const_iterator first_for_all(const location& at, event_id threads_from);

    bool any() const { return !locations_.empty(); }
    /// Grows with all that is noted.
    unsigned changes() const { return changes_; }
    /// @return null where the location's values are not noted
    const values* find(std::uintptr_t address) const;
    /// From now on the values at `address` are noted. @return whether there is room for them
    bool note_from_now_on(std::uintptr_t address);
    /// `at`, whose values may be noted, has at least these. @return whether anything is new
    bool note_first(const location& at, value_t first);
    bool note_write(const graph& g, const location& at, const event& write, event_id threads_from);

  private:
    values* of(const location& at);
    bool note(values& known, value_t value);

    std::vector<values> locations_;
    unsigned changes_ = 0;
};

} // namespace ringproof::verify
