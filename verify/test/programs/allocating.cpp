// SPDX-License-Identifier: Apache-2.0
#include "allocating.hpp"
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace programs {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

/// A queue of one place.
template <class T>
class place {
  public:
    bool push(T value) {
        if (full_.load(acquire)) return false;
        value_ = std::move(value);
        full_.store(true, release);
        return true;
    }
    bool pop(T& value) {
        if (!full_.load(acquire)) return false;
        value = std::move(value_);
        full_.store(false, release);
        return true;
    }

  private:
    std::atomic<bool> full_{false};
    T value_{};
};

/// One thread stores, the other does something until it sees that, and something else then: with a copy of its own.
template <class Round, class Behind>
void until_stored(Round round, Behind behind) {
    std::atomic<int> flag{0};
    int data = 0;
    together(
        [&] {
            data = 1;
            flag.store(1, release);
        },
        [&] {
            auto own = round;
            while (flag.load(acquire) == 0) own();
            behind();
            VERIFY_THAT(data == 1);
        });
}
template <class Round>
void until_stored(Round round) {
    until_stored(round, [] {});
}

/// Nothing is known of where it points.
template <class T>
T* opaque(T* p) {
    asm volatile("" : "+r"(p) : : "memory");
    return p;
}

} // namespace

void waits_with_a_temporary() {
    until_stored([] {
        const auto number = std::make_unique<int>(3);
        VERIFY_THAT(*opaque(number.get()) == 3);
    });
}

void pushes_strings() {
    place<std::string> queue;
    together(
        [&] {
            for (int i = 0; i < 2; ++i)
                while (!queue.push(std::string(40, 'x'))) {
                }
        },
        [&] {
            std::string got;
            for (int i = 0; i < 2; ++i) {
                while (!queue.pop(got)) {
                }
                VERIFY_THAT(got.size() == 40);
            }
        });
}

void sends_requests() {
    struct request {
        int id;
        std::unique_ptr<int> body;
    };
    place<int> queue;
    const auto make = [] { return std::make_unique<request>(request{7, std::make_unique<int>(7)}); };
    together(
        [&] {
            for (int i = 0; i < 2; ++i)
                for (;;) {
                    const auto next = make();
                    if (queue.push(*next->body)) break;
                }
        },
        [&] {
            int got = 0;
            for (int i = 0; i < 2; ++i) {
                while (!queue.pop(got)) {
                }
                VERIFY_THAT(got == 7);
            }
        });
}

void copies_a_list() {
    const std::list<int> list{1, 2, 3};
    until_stored([&] {
        const auto copy = list;
        VERIFY_THAT(copy.back() == 3);
    });
}

void looks_through_a_vector() {
    static int protected_one;
    std::atomic<int*> hazards[2] = {};
    hazards[0].store(&protected_one, relaxed);
    together([&] { hazards[0].store(nullptr, release); },
             [&] {
                 for (bool found = true; found;) {
                     std::vector<int*> seen;
                     for (auto& hazard : hazards)
                         if (int* const p = hazard.load(acquire)) seen.push_back(p);
                     found = false;
                     for (const int* const p : seen) found = found || p == &protected_one;
                 }
             });
}

namespace {
/// One thread renews a block until it sees what the other stores, and looks into it then.
template <class Next, class Behind>
void renews_until_stored(Next next, Behind behind) {
    std::atomic<int> flag{0};
    together([&] { flag.store(1, release); },
             [&] {
                 auto kept = std::make_unique<int>(0);
                 while (flag.load(acquire) == 0) kept = std::make_unique<int>(next(*kept));
                 behind(*kept);
             });
}
} // namespace

void renews_what_it_keeps() {
    renews_until_stored([](int now) { return now; }, [](int last) { VERIFY_THAT(last == 0); });
}

void exchanges_blocks_with_a_loop() {
    std::atomic<int> flag{0};
    together([&] { flag.store(2, release); },
             [&] {
                 auto a = std::make_unique<int>(1), b = std::make_unique<int>(2);
                 for (;;) {
                     const int seen = flag.load(acquire);
                     auto c = std::make_unique<int>(*a);
                     a = std::move(b);
                     b = std::move(c);
                     if (seen == *a) break;
                 }
             });
}

void waits_with_a_temporary_for_ever() {
    std::atomic<int> flag{0};
    together([&] { flag.store(1, release); },
             [&] {
                 while (flag.load(acquire) != 2) opaque(std::make_unique<int>(1).get());
             });
}

void uses_the_block_of_the_last_round() {
    until_stored([last = static_cast<int*>(nullptr)]() mutable {
        const auto now = std::make_unique<int>(1);
        if (last) *opaque(last) = 2;
        last = now.get();
    });
}

/// In the second round it sees 1 for the first time.
void uses_it_when_it_sees_something_else() {
    std::atomic<int> flag{0};
    together(
        [&] {
            flag.store(1, relaxed);
            flag.store(2, relaxed);
        },
        [&] {
            int* last = nullptr;
            for (int seen = 0; seen != 2;) {
                seen = flag.load(relaxed);
                const auto now = std::make_unique<int>(1);
                if (seen == 1 && last) *opaque(last) = 2;
                last = now.get();
            }
        });
}

void uses_a_hidden_block_of_the_last_round() {
    until_stored([last = std::uintptr_t{0}]() mutable {
        const auto now = std::make_unique<int>(1);
        if (last) *reinterpret_cast<int*>(~*opaque(&last)) = 2;
        last = ~reinterpret_cast<std::uintptr_t>(now.get());
    });
}

void frees_the_block_of_the_last_round_again() {
    until_stored([last = static_cast<void*>(nullptr)]() mutable {
        void* const now = std::malloc(24);
        std::free(opaque(last));
        if (!last) std::free(now);
        last = now;
    });
}

/// Another thread has the address of a block that is freed.
void shows_its_block() {
    std::atomic<int> flag{0}, turn{0};
    int* shown = nullptr;
    together(
        [&] {
            if (turn.load(acquire) == 1) *opaque(shown) = 1;
            flag.store(1, release);
        },
        [&] {
            while (flag.load(acquire) == 0) {
                const auto block = std::make_unique<int>(0);
                if (turn.load(relaxed) == 0) {
                    shown = block.get();
                    turn.store(1, release);
                }
            }
        });
}

/// The same, each round puts back what it was: the address is there for a while.
void shows_its_block_and_takes_it_back() {
    std::atomic<int> flag{0};
    int* shown = nullptr;
    together(
        [&] {
            if (int* const p = opaque(shown)) *p = 1;
            flag.store(1, release);
        },
        [&] {
            while (flag.load(acquire) == 0) {
                const auto block = std::make_unique<int>(0);
                shown = opaque(block.get());
                opaque(&shown);
                shown = nullptr;
            }
        });
}

void shows_its_block_by_an_atomic() {
    std::atomic<int> flag{0};
    std::atomic<int*> shown{nullptr};
    together(
        [&] {
            if (int* const p = shown.load(acquire)) *p = 1;
            flag.store(1, release);
        },
        [&] {
            for (int rounds = 0; rounds < 3 && flag.load(acquire) == 0; ++rounds) {
                const auto block = std::make_unique<int>(0);
                shown.store(block.get(), release);
                shown.store(nullptr, release);
            }
        });
}

void loses_a_block_in_each_round() {
    until_stored([] { opaque(new int(1)); });
}

/// A pointer to a freed block equals one to the new block, where that has its address.
void takes_a_new_block_for_the_last_one() {
    until_stored([last = static_cast<int*>(nullptr)]() mutable {
        auto* const now = opaque(new int(1));
        VERIFY_THAT(now != last);
        last = now;
        delete now;
    });
}

/// Rounds differ in what the block holds.
void keeps_a_number_in_its_block() {
    renews_until_stored([](int now) { return now < 2 ? now + 1 : 2; },
                        [](int last) { VERIFY_THAT(last != 2); });
}

void gives_up_by_a_number_in_its_block() {
    std::atomic<int> flag{0};
    together([&] { flag.store(1, release); },
             [&] {
                 auto kept = std::make_unique<int>(0);
                 while (flag.load(acquire) == 0 && *kept < 3) kept = std::make_unique<int>(*kept + 1);
                 VERIFY_THAT(*kept != 3);
             });
}

/// A number grows as the heap does, and is no address of a block. It ends after the fourth round.
void counts_as_far_as_the_heap_grows() {
    std::atomic<int> flag{0};
    together([&] { flag.store(1, release); },
             [&] {
                 std::uintptr_t first = 0, number = 0;
                 while (flag.load(acquire) == 0) {
                     const auto block = std::make_unique<int>(0);
                     const auto address = reinterpret_cast<std::uintptr_t>(opaque(block.get()));
                     if (!first) number = first = address;
                     number += 48; // as a block of that size takes, with what the heap knows of it
                     VERIFY_THAT(number != first + std::uintptr_t{4} * 48);
                 }
             });
}

} // namespace programs
