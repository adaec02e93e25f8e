// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets and relations over the events of one execution, as bits. A set is `words` words, a relation
// is a row of that many words for each event. The functions work on bare memory, because a model
// evaluates thousands of them a millisecond and its graph owns the space; nearly every test has at
// most 64 events, so one word a row is the case made fast.

#include <cstddef>
#include <cstdint>

namespace ringproof::litmus {

using word = std::uint64_t;

/// How many events there are, and so how sets and relations are laid out.
struct extent {
    std::size_t events = 0;
    std::size_t words = 1; ///< of a set, and of a row

    explicit extent(std::size_t n = 0) : events(n), words(n <= 64 ? 1 : (n + 63) / 64) {}
    std::size_t relation() const { return events * words; }
};

inline bool test_bit(const word* set, std::size_t i) { return (set[i / 64] >> (i % 64)) & 1; }
inline void set_bit(word* set, std::size_t i) { set[i / 64] |= word{1} << (i % 64); }
inline void clear(word* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = 0;
}
inline void copy(word* to, const word* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i];
}

/// Calls f(index) for each member of a set.
template <class F>
void each_bit(const word* set, std::size_t words, F&& f) {
    for (std::size_t w = 0; w < words; ++w)
        for (word left = set[w]; left; left &= left - 1)
            f(w * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
}

inline bool none(const word* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (from[i]) return false;
    return true;
}

/// to = a ; b. `to` is neither of them.
inline void compose(word* to, const word* a, const word* b, extent e) {
    if (e.words == 1) {
        for (std::size_t i = 0; i < e.events; ++i) {
            word row = 0;
            for (word left = a[i]; left; left &= left - 1) row |= b[__builtin_ctzll(left)];
            to[i] = row;
        }
        return;
    }
    clear(to, e.relation());
    for (std::size_t i = 0; i < e.events; ++i)
        each_bit(a + i * e.words, e.words, [&](std::size_t j) {
            for (std::size_t w = 0; w < e.words; ++w) to[i * e.words + w] |= b[j * e.words + w];
        });
}

/// r = r+, in place (Warshall).
inline void close(word* r, extent e) {
    if (e.words == 1) {
        for (std::size_t k = 0; k < e.events; ++k) {
            const word row = r[k];
            if (!row) continue;
            for (std::size_t i = 0; i < e.events; ++i) r[i] |= row & (word{0} - ((r[i] >> k) & 1));
        }
        return;
    }
    for (std::size_t k = 0; k < e.events; ++k)
        for (std::size_t i = 0; i < e.events; ++i)
            if (test_bit(r + i * e.words, k))
                for (std::size_t w = 0; w < e.words; ++w) r[i * e.words + w] |= r[k * e.words + w];
}

inline void invert(word* to, const word* from, extent e) {
    clear(to, e.relation());
    for (std::size_t i = 0; i < e.events; ++i)
        each_bit(from + i * e.words, e.words, [&](std::size_t j) { set_bit(to + j * e.words, i); });
}

/// Takes away what lies beyond the last event, from a set or a relation of `count` words.
inline void trim(word* to, std::size_t count, extent e) {
    const word full = ~word{0};
    word last = e.events % 64 == 0 ? full : full >> (64 - e.events % 64);
    if (e.events == 0) last = 0;
    for (std::size_t i = e.words - 1; i < count; i += e.words) to[i] &= last;
}

inline void add_identity(word* r, extent e) {
    for (std::size_t i = 0; i < e.events; ++i) set_bit(r + i * e.words, i);
}

/// to = a x b, of two sets
inline void product(word* to, const word* a, const word* b, extent e) {
    for (std::size_t i = 0; i < e.events; ++i)
        if (test_bit(a, i))
            copy(to + i * e.words, b, e.words);
        else
            clear(to + i * e.words, e.words);
}

/// to = [set] ; r
inline void keep_rows(word* to, const word* r, const word* set, extent e) {
    for (std::size_t i = 0; i < e.events; ++i)
        if (test_bit(set, i))
            copy(to + i * e.words, r + i * e.words, e.words);
        else
            clear(to + i * e.words, e.words);
}

/// to = r ; [set]
inline void keep_columns(word* to, const word* r, const word* set, extent e) {
    for (std::size_t i = 0; i < e.relation(); i += e.words)
        for (std::size_t w = 0; w < e.words; ++w) to[i + w] = r[i + w] & set[w];
}

inline void domain(word* to, const word* r, extent e) {
    clear(to, e.words);
    for (std::size_t i = 0; i < e.events; ++i)
        if (!none(r + i * e.words, e.words)) set_bit(to, i);
}

inline void range(word* to, const word* r, extent e) {
    clear(to, e.words);
    for (std::size_t i = 0; i < e.events; ++i)
        for (std::size_t w = 0; w < e.words; ++w) to[w] |= r[i * e.words + w];
}

inline bool reflexive_somewhere(const word* r, extent e) {
    for (std::size_t i = 0; i < e.events; ++i)
        if (test_bit(r + i * e.words, i)) return true;
    return false;
}

/// Has r a cycle? Peels off events without successors that are still there; leaves r alone.
bool cyclic(const word* r, extent e);

} // namespace ringproof::litmus
