// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../graph/graph.hpp"
#include "../program/rmw.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringproof::verify {

/// Which values some locations have had, in any execution that a search has met, and what threads knew that wrote them.
class known_values {
  public:
    static constexpr std::size_t most_locations = 32;
    static constexpr unsigned unknown = 31;             ///< no number of a value
    static constexpr std::size_t most_values = unknown; ///< of a location

    /// Writes of one value, of which each knows (porf) of as many of the location's writes: itself among them, not the first.
    struct value {
        value_t seen = 0;
        unsigned rank = 0;
        bool operator==(const value&) const = default;
    };
    struct values {
        std::uintptr_t address = 0;
        std::vector<value> all; ///< by number
        bool twins = false;     ///< two writes of one execution were of the same value and rank
        bool too_many =
            false; ///< there are more than are noted, or some that are not known when they are written

        /// By number: which values came behind this one in coherence order, as bits.
        std::array<std::uint32_t, most_values> behind{};
        /// By number and location: the last value there of which a thread knows that acquires this one, as bits; unknown
        /// where it need not know of any.
        std::array<std::array<std::uint32_t, most_locations>, most_values> released{};

        unsigned number_of(const value& one) const;
    };
    /// A value of a location, by their numbers.
    struct value_number {
        std::size_t location;
        unsigned value;
    };

    /// The first write of the location that another thread than main can read: of those that main made alone, the last.
    /// @param threads_from the event that created the second thread, or none
    static std::vector<event_id>::const_iterator first_for_all(const location& at, event_id threads_from);
    static value value_of(const graph& g, const location& at, const event& write);
    /// How many writes of the location are porf-before `e`, or are it.
    static unsigned known_to(const graph& g, const location& at, const event& e);

    bool any() const { return !locations_.empty(); }
    std::size_t size() const { return locations_.size(); }
    /// Grows with all that is noted.
    unsigned changes() const { return changes_; }
    /// @return null where the location's values are not noted
    const values* find(std::uintptr_t address) const;
    const values& at(std::size_t number) const { return locations_[number]; }
    std::size_t number_of(const values& known) const {
        return static_cast<std::size_t>(&known - locations_.data());
    }
    /// Whether a thread that has read `seen` may read `next` after it, if they are of one location.
    bool are_coherent(value_number seen, value_number next) const;
    /// Whether a thread that has acquired `acquired` may read `next`, of another location.
    bool may_be_read(value_number next, value_number acquired) const;

    /// From now on the values at `address` are noted. @return whether there is room for them
    bool note_from_now_on(std::uintptr_t address);
    /// `at`, whose values may be noted, was accessed, by `write` if that is not null. What main does alone is not noted.
    /// @param threads_from as above @return whether anything is new
    bool note_access(const graph& g, const location& at, const event* write, event_id threads_from);

  private:
    values* of(const location& at);
    bool note(values& known, const value& one);
    bool note_write(const graph& g, const location& at, const event& write, values& known,
                    event_id threads_from);
    bool note_bits(std::uint32_t& all, std::uint32_t more);
    bool note_place(const graph& g, const location& at, const event& write, values& known, unsigned number);
    bool note_released(const graph& g, const event& write, values& known, unsigned number);

    std::vector<values> locations_;
    unsigned changes_ = 0;
};

} // namespace ringproof::verify
