// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets of events and binary relations over events, as bit masks and bit matrices, with the operators
// that the memory-model papers use, so that an axiom in code reads like the axiom on paper.

#include <array>
#include <bit>
#include <cstdint>

namespace ringproof::verify::oracle {

inline constexpr int max_events = 48;

using event_set = std::uint64_t;
constexpr event_set only(int event) { return event_set{1} << event; }

class relation {
  public:
    explicit relation(int size) : size_(size) {}

    int size() const { return size_; }
    void add(int from, int to) { row(from) |= only(to); }
    bool has(int from, int to) const { return (row(from) & only(to)) != 0; }
    event_set after(int from) const { return row(from); }

    friend relation operator|(relation a, const relation& b) {
        for (int i = 0; i < a.size_; ++i) a.row(i) |= b.row(i);
        return a;
    }
    friend relation operator&(relation a, const relation& b) {
        for (int i = 0; i < a.size_; ++i) a.row(i) &= b.row(i);
        return a;
    }
    friend relation operator-(relation a, const relation& b) {
        for (int i = 0; i < a.size_; ++i) a.row(i) &= ~b.row(i);
        return a;
    }
    /// Composition, the papers' `a ; b`.
    friend relation operator*(const relation& a, const relation& b) {
        relation result(a.size_);
        for (int i = 0; i < a.size_; ++i)
            for (event_set middle = a.row(i); middle != 0; middle &= middle - 1)
                result.row(i) |= b.row(std::countr_zero(middle));
        return result;
    }

    relation inverse() const {
        relation result(size_);
        for (int i = 0; i < size_; ++i)
            for (int j = 0; j < size_; ++j)
                if (has(i, j)) result.add(j, i);
        return result;
    }
    /// The papers' `r?`.
    relation maybe() const {
        relation result = *this;
        for (int i = 0; i < size_; ++i) result.add(i, i);
        return result;
    }
    /// The papers' `r+`, by Warshall's algorithm.
    relation closure() const {
        relation result = *this;
        for (int middle = 0; middle < size_; ++middle)
            for (int i = 0; i < size_; ++i)
                if (result.has(i, middle)) result.row(i) |= result.row(middle);
        return result;
    }
    bool empty() const {
        for (int i = 0; i < size_; ++i)
            if (row(i) != 0) return false;
        return true;
    }
    bool irreflexive() const {
        for (int i = 0; i < size_; ++i)
            if (has(i, i)) return false;
        return true;
    }
    bool acyclic() const { return closure().irreflexive(); }

  private:
    event_set& row(int i) { return rows_[static_cast<std::size_t>(i)]; }
    const event_set& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }

    std::array<event_set, max_events> rows_{};
    int size_;
};

/// The papers' `[s]`: the identity on a set.
inline relation identity(event_set set, int size) {
    relation result(size);
    for (int i = 0; i < size; ++i)
        if ((set & only(i)) != 0) result.add(i, i);
    return result;
}

} // namespace ringproof::verify::oracle
