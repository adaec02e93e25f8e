// SPDX-License-Identifier: Apache-2.0
#pragma once
// The order that program order and reads-from force on the stores of a location, kept closed, one
// level for each load whose store has been chosen: going back is going down a level.

#include "structure.hpp"

namespace ringproof::litmus {

class coherence_order {
  public:
    static constexpr std::size_t none_yet = static_cast<std::size_t>(-1);

    coherence_order(const structure& s, watch& time) : structure_(s), size_(s.size()), time_(time) {}

    /// Empty at the lowest level.
    void start() { levels_.assign((structure_.reads().size() + 1) * size_.relation(), 0); }

    /// Stores and loads of these locations in program order, initial stores first. With `atomicity` no store of
    /// another thread comes between the two halves of a read-modify-write.
    void prepare(const std::vector<bool>& locations, bool atomicity) {
        find_halves(atomicity);
        word* c = at(0);
        const auto& events = structure_.events();
        for (std::size_t i = 0; i < size_.events; ++i)
            for (std::size_t j = 0; j < size_.events; ++j)
                if (events[i].location >= 0 && events[i].location == events[j].location &&
                    locations[static_cast<std::size_t>(events[i].location)])
                    if (structure_.po(i, j) || (!events[i].what && events[j].what))
                        set_bit(c + i * size_.words, j);
    }

    /// The level above, with `read` reading from `write`; `writer` is whom each load reads from. False if no
    /// coherence order fits.
    bool extend(std::size_t level, std::size_t read, std::size_t write,
                const std::vector<std::size_t>& writer) {
        carry(level);
        return add_edge(at(level + 1), write, read) &&
               saturate(at(level + 1), structure_.events()[read].location, writer);
    }
    /// The level above, as this one.
    void carry(std::size_t level) { copy(at(level + 1), at(level), size_.relation()); }

    /// What is ordered by now, of the stores in a set.
    void stores_at(std::size_t level, const word* set, word* to) {
        const word* c = at(level);
        clear(to, size_.relation());
        each_bit(set, size_.words, [&](std::size_t i) {
            for (std::size_t w = 0; w < size_.words; ++w)
                to[i * size_.words + w] = c[i * size_.words + w] & set[w];
        });
    }

    /// When every load has its store: must a come before b?
    bool ordered_in_the_end(std::size_t a, std::size_t b) {
        return ordered(at(structure_.reads().size()), a, b);
    }

  private:
    word* at(std::size_t level) { return levels_.data() + level * size_.relation(); }

    bool ordered(const word* c, std::size_t a, std::size_t b) const {
        return test_bit(c + a * size_.words, b);
    }

    /// Adds a -> b to a closed relation and closes it again. False if that makes a cycle.
    bool add_edge(word* c, std::size_t a, std::size_t b) {
        if (a == b || ordered(c, b, a)) return false;
        if (ordered(c, a, b)) return true;
        time_.spend(size_.events);
        const word* below = c + b * size_.words;
        for (std::size_t i = 0; i < size_.events; ++i) {
            if (i != a && !ordered(c, i, a)) continue;
            word* row = c + i * size_.words;
            for (std::size_t w = 0; w < size_.words; ++w) row[w] |= below[w];
            set_bit(row, b);
        }
        return true;
    }

    /// The same, and sets `more` where the edge is new.
    bool force(word* c, std::size_t a, std::size_t b, bool& more) {
        if (ordered(c, a, b)) return true;
        more = true;
        return add_edge(c, a, b);
    }

    /// What the reads-from of one location forces on its stores, and they on each other.
    bool saturate(word* c, std::int32_t l, const std::vector<std::size_t>& writer) {
        const auto& writes = structure_.writes()[static_cast<std::size_t>(l)];
        for (bool more = true; more;) {
            more = false;
            time_.spend(4 * writes.size() * structure_.reads().size());
            for (const std::size_t r : structure_.reads()) {
                if (structure_.events()[r].location != l || writer[r] == none_yet) continue;
                const std::size_t w = writer[r];
                for (const std::size_t other : writes) {
                    if (other == w || other == r) continue;
                    if (ordered(c, other, r) && !force(c, other, w, more)) return false;
                    if (ordered(c, w, other) && !force(c, r, other, more)) return false;
                    if (!keep_whole(c, r, w, other, more)) return false;
                }
            }
        }
        return true;
    }

    void find_halves(bool atomicity) {
        other_half_.assign(size_.events, none_yet);
        const auto& events = structure_.events();
        for (std::size_t i = 0; atomicity && i < size_.events; ++i) {
            if (!events[i].what || events[i].what->rmw_read < 0) continue;
            const std::size_t read = structure_.index(static_cast<std::size_t>(events[i].thread),
                                                      static_cast<std::size_t>(events[i].what->rmw_read));
            if (events[read].location == events[i].location) other_half_[read] = i;
        }
    }

    /// The read-modify-write whose read `r` reads from `w` stores right behind `w`, as far as other threads are
    /// concerned: a store of theirs that comes behind `w` comes behind its store too, and one that comes before its
    /// store comes before `w`. Otherwise the store would be between its halves, rmw & (fre;coe), and the model
    /// rejects the execution. So two critical sections never read from the same unlock, and of N on a lock
    /// only their N! orders are tried.
    bool keep_whole(word* c, std::size_t r, std::size_t w, std::size_t other, bool& more) {
        const std::size_t own = other_half_[r];
        if (own == none_yet || other == own ||
            structure_.events()[other].thread == structure_.events()[r].thread)
            return true;
        return (!ordered(c, w, other) || force(c, own, other, more)) &&
               (!ordered(c, other, own) || force(c, other, w, more));
    }

    const structure& structure_;
    std::vector<std::size_t> other_half_; ///< of the read of a read-modify-write: its write
    extent size_;
    watch& time_;
    std::vector<word> levels_;
};

} // namespace ringproof::litmus
