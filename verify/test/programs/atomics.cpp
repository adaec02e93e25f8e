// SPDX-License-Identifier: Apache-2.0
// std::atomic of everything that it can be of.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>
#include <cstdint>

namespace programs {
namespace {

__extension__ using u128 = unsigned __int128;

template <class T>
void count_to_three() {
    static std::atomic<T> x;
    x.store(T(0));
    together([] { x.fetch_add(T(1)); }, [] { x.fetch_add(T(2)); });
    VERIFY_THAT(x.load() == T(3));
}

/// By compare-exchange, which fails where the other came first.
template <class T>
void add_in_loops() {
    static std::atomic<T> x;
    x.store(T(0));
    const auto add = [](T more) {
        T seen = x.load();
        while (!x.compare_exchange_weak(seen, static_cast<T>(seen + more))) {
        }
    };
    together([add] { add(T(1)); }, [add] { add(T(2)); });
    VERIFY_THAT(x.load() == T(3));
}

struct two_words {
    std::uint64_t first, second;
};
struct three_bytes {
    std::array<char, 3> all;
};
struct four_words {
    std::array<std::uint64_t, 4> all;
};

template <class Atomic>
void never_torn(Atomic x) {
    together(
        [=] {
            x().store({1, 1});
        },
        [=] {
            const two_words seen = x().load();
            VERIFY_THAT(seen.first == seen.second);
        });
    two_words last = x().exchange({2, 2});
    VERIFY_THAT(last.first == 1);
    last = {2, 2};
    VERIFY_THAT(x().compare_exchange_strong(last, {3, 3}) && x().load().second == 3);
    last = {7, 7};
    VERIFY_THAT(!x().compare_exchange_strong(last, {4, 4}) && last.first == 3);
}

} // namespace

void atomic_bytes() { count_to_three<std::uint8_t>(); }
void atomic_shorts() { count_to_three<std::int16_t>(); }
void atomic_ints() { count_to_three<int>(); }
void atomic_longs() { count_to_three<std::int64_t>(); }
void atomic_16_bytes() { add_in_loops<u128>(); }
void atomic_double() { add_in_loops<double>(); }
void atomic_float() {
    static std::atomic<float> x;
    x.store(0);
    together([] { x += 1.5f; }, [] { x -= 0.5f; });
    VERIFY_THAT(x.load() == 1.0f);
}

void atomic_pointer() {
    static std::array<int, 4> all;
    static std::atomic<int*> p;
    p.store(all.data());
    together([] { ++p; }, [] { p.fetch_add(2); });
    VERIFY_THAT(p.load() == all.data() + 3);
}

void atomic_bool_and_enum() {
    enum class color : std::uint8_t { none, red, blue };
    static std::atomic<bool> taken;
    static std::atomic<color> winner;
    taken.store(false);
    winner.store(color::none);
    const auto run = [](color mine) {
        if (!taken.exchange(true)) winner.store(mine);
    };
    together([run] { run(color::red); }, [run] { run(color::blue); });
    VERIFY_THAT(taken.load() && winner.load() != color::none);
}

void atomic_bits() {
    static std::atomic<unsigned> x;
    x.store(0b0111);
    together([] { x.fetch_and(0b1101); }, [] { x.fetch_or(0b1000); });
    VERIFY_THAT((x.fetch_xor(0b1111) == 0b1101) && x.load() == 0b0010);
}

void atomic_of_two_words() {
    static std::atomic<two_words> x;
    x.store({0, 0});
    never_torn([]() -> std::atomic<two_words>& { return x; });
}

void atomic_ref_of_two_words() {
    alignas(16) static two_words x;
    x = {0, 0};
    never_torn([] { return std::atomic_ref<two_words>(x); });
}

void atomic_ref_of_int() {
    static int x;
    x = 0;
    together([] { std::atomic_ref(x).fetch_add(1); }, [] { std::atomic_ref(x).fetch_add(2); });
    VERIFY_THAT(x == 3); // plain, as all is joined
}

void atomic_flag_lock() {
    static std::atomic_flag taken;
    static int inside;
    taken.clear();
    inside = 0;
    const auto enter = [] {
        while (taken.test_and_set(std::memory_order_acquire)) {
        }
        ++inside;
        taken.clear(std::memory_order_release);
    };
    together(enter, enter);
    VERIFY_THAT(inside == 2 && !taken.test());
}

void atomic_flag_lock_relaxed() {
    static std::atomic_flag taken;
    static int inside;
    taken.clear();
    inside = 0;
    const auto enter = [] {
        while (taken.test_and_set(std::memory_order_relaxed)) {
        }
        ++inside;
        taken.clear(std::memory_order_release);
    };
    together(enter, enter);
}

void atomic_of_three_bytes() {
    static std::atomic<three_bytes> x;
    x.store({});
}

void atomic_of_four_words() {
    static std::atomic<four_words> x;
    static_cast<void>(x.load());
}

} // namespace programs
