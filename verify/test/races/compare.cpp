// SPDX-License-Identifier: Apache-2.0
// --races=continue on generated programs whose threads access 16 bytes in pieces of any size, copy them, and now and then
// order themselves by a flag. What is learnt of a program says which bytes race, and in which units. A second program
// makes these accesses as relaxed atomic ones of that unit: it must have no race, as many executions, and the same
// final states as often, under every model.
//
//   ringproof_verify_races [SEEDS] [FIRST]
//
// Exit code: 0, 1 where the two differ.

#include <ringproof/verify/explore.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <pthread.h>
#include <random>
#include <string>
#include <vector>

namespace {

namespace rv = ringproof::verify;

constexpr rv::memory_model models[] = {rv::memory_model::rc11, rv::memory_model::tso, rv::memory_model::sc};
constexpr double most_executions = 30'000;
constexpr std::size_t bytes = 16, most_threads = 3, most_operations = 4;

struct operation {
    enum class kind { read, write, add, copy, compare, raise, look } what = kind::read;
    unsigned at = 0, size = 1, to = 0; ///< in bytes
    unsigned char value = 0;
};
struct subject {
    std::vector<std::vector<operation>> threads;
    bool pieces = false;            ///< races are made as relaxed atomic accesses
    std::array<unsigned, 2> unit{}; ///< of each 8 bytes that race
};
const subject* at_hand = nullptr;

// At a fixed place, as the program's memory is restored.
alignas(8) unsigned char memory[bytes];
std::atomic<int> flag;
struct {
    unsigned char seen[most_threads][most_operations][bytes];
    unsigned char end[bytes];
} left;

template <class T>
using aliased [[gnu::may_alias]] = T;

template <class T>
void read_whole(const unsigned char* from, unsigned char* to) {
    const T value = *reinterpret_cast<const aliased<T>*>(from);
    std::memcpy(to, &value, sizeof value);
}
template <class T>
void write_whole(unsigned char* to, const unsigned char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    *reinterpret_cast<aliased<T>*>(to) = value;
}
template <class T>
void load(const unsigned char* from, unsigned char* to) {
    const T value = __atomic_load_n(reinterpret_cast<const aliased<T>*>(from), __ATOMIC_RELAXED);
    std::memcpy(to, &value, sizeof value);
}
template <class T>
void store(unsigned char* to, const unsigned char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    __atomic_store_n(reinterpret_cast<aliased<T>*>(to), value, __ATOMIC_RELAXED);
}

/// Calls one of four functions by the size.
template <class F1, class F2, class F4, class F8>
void by_size(unsigned size, F1 f1, F2 f2, F4 f4, F8 f8) {
    if (size == 1) return f1();
    if (size == 2) return f2();
    if (size == 4) return f4();
    f8();
}

bool is_a_word(unsigned at, unsigned size) {
    return (size == 1 || size == 2 || size == 4 || size == 8) && at % size == 0;
}
void plain_read(unsigned at, unsigned size, unsigned char* to) {
    if (!is_a_word(at, size)) {
        std::memcpy(to, memory + at, size);
        return;
    }
    by_size(
        size, [&] { read_whole<std::uint8_t>(memory + at, to); },
        [&] { read_whole<std::uint16_t>(memory + at, to); },
        [&] { read_whole<std::uint32_t>(memory + at, to); },
        [&] { read_whole<std::uint64_t>(memory + at, to); });
}
void plain_write(unsigned at, unsigned size, const unsigned char* from) {
    if (!is_a_word(at, size)) {
        std::memcpy(memory + at, from, size);
        return;
    }
    by_size(
        size, [&] { write_whole<std::uint8_t>(memory + at, from); },
        [&] { write_whole<std::uint16_t>(memory + at, from); },
        [&] { write_whole<std::uint32_t>(memory + at, from); },
        [&] { write_whole<std::uint64_t>(memory + at, from); });
}

/// Calls f(begin, size, raced) for the parts of an access.
template <class Function>
void each_piece(unsigned at, unsigned size, Function f) {
    for (unsigned begin = at; begin < at + size;) {
        const unsigned end = std::min(at + size, (begin / 8 + 1) * 8), unit = at_hand->unit[begin / 8];
        const unsigned step = unit == 0 ? end - begin : unit;
        for (; begin < end; begin += step) f(begin, step, unit != 0);
    }
}
void read(unsigned at, unsigned size, unsigned char* to) {
    if (!at_hand->pieces) return plain_read(at, size, to);
    each_piece(at, size, [&](unsigned begin, unsigned part, bool raced) {
        unsigned char* const out = to + (begin - at);
        if (!raced)
            for (unsigned i = 0; i < part; ++i) plain_read(begin + i, 1, out + i);
        else
            by_size(
                part, [&] { load<std::uint8_t>(memory + begin, out); },
                [&] { load<std::uint16_t>(memory + begin, out); },
                [&] { load<std::uint32_t>(memory + begin, out); },
                [&] { load<std::uint64_t>(memory + begin, out); });
    });
}
void write(unsigned at, unsigned size, const unsigned char* from) {
    if (!at_hand->pieces) return plain_write(at, size, from);
    each_piece(at, size, [&](unsigned begin, unsigned part, bool raced) {
        const unsigned char* const in = from + (begin - at);
        if (!raced)
            for (unsigned i = 0; i < part; ++i) plain_write(begin + i, 1, in + i);
        else
            by_size(
                part, [&] { store<std::uint8_t>(memory + begin, in); },
                [&] { store<std::uint16_t>(memory + begin, in); },
                [&] { store<std::uint32_t>(memory + begin, in); },
                [&] { store<std::uint64_t>(memory + begin, in); });
    });
}
/// The read and the write have their hooks before either is made.
void copy(unsigned to, unsigned at, unsigned size) {
    if (!at_hand->pieces) {
        std::memmove(memory + to, memory + at, size);
        return;
    }
    unsigned char value[bytes];
    read(at, size, value);
    write(to, size, value);
}

/// Two reads have their hooks before memory is touched.
bool compare(unsigned to, unsigned at, unsigned size) {
    if (!at_hand->pieces) return std::memcmp(memory + at, memory + to, size) == 0;
    unsigned char one[bytes], other[bytes];
    read(at, size, one);
    read(to, size, other);
    for (unsigned i = 0; i < size; ++i)
        if (one[i] != other[i]) return false;
    return true;
}

void perform(const operation& o, unsigned char* seen) {
    using kind = operation::kind;
    unsigned char value[bytes];
    std::memset(value, o.value, sizeof value);
    switch (o.what) {
    case kind::read:
        return read(o.at, o.size, seen);
    case kind::write:
        return write(o.at, o.size, value);
    case kind::add:
        read(o.at, o.size, value);
        for (unsigned i = 0; i < o.size; ++i) value[i] = static_cast<unsigned char>(value[i] + o.value);
        return write(o.at, o.size, value);
    case kind::copy:
        return copy(o.to, o.at, o.size);
    case kind::compare:
        seen[0] = compare(o.to, o.at, o.size) ? 1 : 2;
        return;
    case kind::raise:
        return flag.store(1, std::memory_order_release);
    case kind::look:
        seen[0] = static_cast<unsigned char>(flag.load(std::memory_order_acquire));
    }
}

void* run_thread(void* number) {
    const auto n = reinterpret_cast<std::size_t>(number);
    const std::vector<operation>& all = at_hand->threads[n];
    for (std::size_t i = 0; i < all.size(); ++i) {
        perform(all[i], left.seen[n][i]);
        // What is behind a look is done only where the flag was up: then it is ordered.
        if (all[i].what == operation::kind::look && left.seen[n][i][0] == 0) break;
    }
    return nullptr;
}

void run() {
    pthread_t threads[most_threads];
    const std::size_t count = at_hand->threads.size();
    for (std::size_t i = 0; i < count; ++i)
        pthread_create(&threads[i], nullptr, run_thread, reinterpret_cast<void*>(i));
    for (std::size_t i = 0; i < count; ++i) pthread_join(threads[i], nullptr);
    read(0, 8, left.end); // which fits each unit
    read(8, 8, left.end + 8);
}

/// Draws numbers.
struct dice {
    std::mt19937_64 random;
    unsigned below(unsigned n) { return static_cast<unsigned>(random() % n); }
};

operation draw(dice& by, const unsigned (&sizes)[2]) {
    using kind = operation::kind;
    constexpr kind kinds[] = {kind::read,  kind::read,  kind::read,    kind::read,  kind::read,
                              kind::read,  kind::read,  kind::write,   kind::write, kind::write,
                              kind::write, kind::write, kind::write,   kind::write, kind::add,
                              kind::add,   kind::copy,  kind::compare, kind::raise, kind::look};
    operation o;
    o.what = kinds[by.below(std::size(kinds))];
    o.size = sizes[by.below(2)];
    o.at = by.below(static_cast<unsigned>(bytes) / o.size) * o.size;
    if (o.what == kind::copy || o.what == kind::compare) o.size = std::min(o.size, 8u), o.at = 0, o.to = 8;
    if (o.what == kind::write && by.below(8) == 0) // of an odd size, at any place
        o.size = 3 + by.below(6), o.at = by.below(static_cast<unsigned>(bytes) - o.size);
    o.value = static_cast<unsigned char>(1 + by.below(3));
    return o;
}

subject generate(std::uint64_t seed) {
    dice by{std::mt19937_64(seed)};
    // Most programs have one or two sizes, so that not all end in bytes.
    const unsigned sizes[2] = {1u << by.below(4), 1u << by.below(4)};
    subject s;
    s.threads.resize(2 + by.below(2));
    unsigned left_over = s.threads.size() == 2 ? 6 : 7;
    for (auto& thread : s.threads) {
        const unsigned count = std::min(1 + by.below(most_operations), left_over);
        for (unsigned i = 0; i < count; ++i) thread.push_back(draw(by, sizes));
        left_over -= count;
    }
    return s;
}

std::string state() { return {reinterpret_cast<const char*>(&left), sizeof left}; }

rv::exploration_result explore(const subject& s, rv::memory_model model) {
    at_hand = &s;
    rv::exploration_options o;
    o.model = model;
    o.limits.races_go_on = !s.pieces;
    o.limits.executions = static_cast<std::uint64_t>(most_executions);
    o.state = state;
    return rv::explore(run, o);
}

std::string text(const subject& s) {
    std::string all;
    constexpr const char* names[] = {"read", "write", "add", "copy", "compare", "raise", "look"};
    for (const auto& thread : s.threads) {
        for (const operation& o : thread)
            all += std::string(names[static_cast<int>(o.what)]) + " " + std::to_string(o.at) + "+" +
                   std::to_string(o.size) + "; ";
        all += "| ";
    }
    return all + "units " + std::to_string(s.unit[0]) + " " + std::to_string(s.unit[1]);
}

struct totals {
    unsigned compared = 0, large = 0, racing = 0, differ = 0;
    std::array<unsigned, 9> units{};
};

void compare(std::uint64_t seed, totals& sum) {
    subject s = generate(seed);
    for (const rv::memory_model model : models) {
        s.pieces = false;
        const rv::exploration_result plain = explore(s, model);
        if (plain.stopped) {
            ++sum.large;
            continue;
        }
        s.pieces = true;
        s.unit = {};
        for (const rv::raced_granule& g : plain.raced) {
            const std::uintptr_t at = g.address - reinterpret_cast<std::uintptr_t>(memory);
            if (at < bytes) s.unit[at / 8] = g.unit, ++sum.units[g.unit];
        }
        const rv::exploration_result atomic = explore(s, model);
        ++sum.compared;
        sum.racing += !plain.raced.empty();
        if (plain.error.kind == atomic.error.kind && plain.error.kind == rv::failure_kind::nothing &&
            plain.executions == atomic.executions && plain.states == atomic.states)
            continue;
        ++sum.differ;
        std::printf("seed %llu under %d: %llu executions, %zu states%s; as atomics %llu, %zu%s\n    %s\n",
                    static_cast<unsigned long long>(seed), static_cast<int>(model),
                    static_cast<unsigned long long>(plain.executions), plain.states.size(),
                    plain.error.message.c_str(), static_cast<unsigned long long>(atomic.executions),
                    atomic.states.size(), atomic.error.message.c_str(), text(s).c_str());
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    totals sum;
    for (std::uint64_t seed = first; seed < first + seeds && sum.differ < 10; ++seed) compare(seed, sum);
    std::printf("%u searches compared with those of atomics, %u too large: %u race, %u differ; words in "
                "units of 1: %u, 2: "
                "%u, 4: %u, 8: %u\n",
                sum.compared, sum.large, sum.racing, sum.differ, sum.units[1], sum.units[2], sum.units[4],
                sum.units[8]);
    return sum.differ != 0 || sum.racing == 0 ? 1 : 0;
}
