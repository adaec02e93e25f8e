// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "ringproof/barriers.hpp"
#include "ringproof/concepts/refused.hpp"

namespace ringproof {

namespace detail {

using shared_position = std::atomic<std::uint64_t>;

/// Stands for restartable.hpp's.
struct any_sequence {
    static unsigned cpu() noexcept;
    static local_change compare_and_store(unsigned, std::uint64_t&, std::uint64_t, std::uint64_t) noexcept;
};

/// The letters, on a position and in band.
template <class Barriers>
concept loads_tail = requires(const shared_position& seen) {
    { Barriers::load_tail(seen) } -> std::same_as<std::uint64_t>;
};
template <class Barriers>
concept publishes_head = requires(shared_position& at, std::uint64_t value) {
    Barriers::publish_head(at, value);
};
template <class Barriers>
concept loads_head = requires(const shared_position& seen) {
    { Barriers::load_head(seen) } -> std::same_as<std::uint64_t>;
};
template <class Barriers>
concept releases_tail = requires(shared_position& at, std::uint64_t value) {
    Barriers::release_tail(at, value);
};
template <class Barriers>
concept loads_vacancy = requires(std::uint64_t& word) {
    { Barriers::load_vacancy(word) } -> std::same_as<std::uint64_t>;
};
template <class Barriers>
concept commits_words = requires(std::uint64_t& word) {
    Barriers::commit(word, word);
};
template <class Barriers>
concept loads_commit = requires(std::uint64_t& word) {
    { Barriers::load_commit(word) } -> std::same_as<std::uint64_t>;
};
template <class Barriers>
concept vacates_words = requires(std::uint64_t& word) {
    Barriers::vacate(word, word);
};

// Doxygen takes the calls in these concepts for definitions of functions.
/// @cond
/// `without_letter`, in groups; a policy derives from it and hides what it has otherwise.
template <class Barriers>
concept reserves = requires(const shared_position& seen, shared_position& word, std::uint64_t& value) {
    { Barriers::claimed(seen) } -> std::same_as<std::uint64_t>;
    { Barriers::claim(word, value, value) } -> std::same_as<bool>;
};
template <class Barriers>
concept accesses_unordered = requires(const shared_position& seen, shared_position& word,
                                      std::uint64_t& value) {
    { Barriers::own(seen) } -> std::same_as<std::uint64_t>;
    { Barriers::stat(seen) } -> std::same_as<std::uint64_t>;
    Barriers::count_own(word, value);
    Barriers::count_shared(word, value);
    Barriers::set_own(word, value);
    Barriers::init(&value, value);
};
template <class Barriers>
concept proves_death = requires(const shared_position& seen, shared_position& word, std::uint64_t& value) {
    { Barriers::claim_announced(word, value, value) } -> std::same_as<bool>;
    Barriers::announce(word, value);
    { Barriers::announced(seen) } -> std::same_as<std::uint64_t>;
    { Barriers::take_place(word, value, value) } -> std::same_as<bool>;
    { Barriers::account(word, value, value) } -> std::same_as<bool>;
};
template <class Barriers>
concept stays_on_its_cpu = requires(shared_position& word, std::uint64_t& value, unsigned number) {
    Barriers::interrupt_barrier();
    { Barriers::local_cmpxchg(word, value, value) } -> std::same_as<bool>;
    { Barriers::local_add(word, value) } -> std::same_as<std::uint64_t>;
    { Barriers::template cpu<any_sequence>() } -> std::same_as<unsigned>;
    { Barriers::template claim_on<any_sequence>(number, word, value, value) } -> std::same_as<local_change>;
};
template <class Barriers>
concept overwrites = requires(const shared_position& seen, shared_position& word, std::uint64_t& value) {
    Barriers::intend(word, value);
    Barriers::intended();
    { Barriers::load_intent(seen) } -> std::same_as<std::uint64_t>;
    Barriers::mark(word, value);
    { Barriers::load_mark(seen) } -> std::same_as<std::uint64_t>;
    { Barriers::claim_over(word, value, value) } -> std::same_as<bool>;
};
template <class Barriers>
concept copies_words = requires(std::uint64_t& word, const std::byte* from, std::size_t count) {
    Barriers::put_word(word, word);
    { Barriers::get_word(word) } -> std::same_as<std::uint64_t>;
    Barriers::put_words(&word, from, count);
    Barriers::get_words(&word, &word, count);
};
template <class Barriers>
concept wakes_up = requires(const std::atomic<std::uint32_t>& seen, std::atomic<std::uint32_t>& flag,
                            std::uint32_t value) {
    { Barriers::raise(flag, value) } -> std::same_as<std::uint32_t>;
    { Barriers::lower(flag, value) } -> std::same_as<std::uint32_t>;
    { Barriers::raised(seen) } -> std::same_as<std::uint32_t>;
    Barriers::settle();
    Barriers::sleep_while(seen, value);
};
/// @endcond

} // namespace detail

/// How the accesses that threads meet in are made: `acquire_release`, `fences`, `control_dependency`, or a type that
/// derives from one of them and hides what it wants to have otherwise. All members are static functions. Which letter
/// licenses what, and what happens without it, stands at the head of barriers.hpp.
///
/// A model has the letters A to D, on a position and in band, and what has no letter: all of `without_letter`.
template <class Barriers>
concept barriers_policy = detail::loads_tail<Barriers> && detail::publishes_head<Barriers> &&
    detail::loads_head<Barriers> && detail::releases_tail<Barriers> && detail::loads_vacancy<Barriers> &&
    detail::commits_words<Barriers> && detail::loads_commit<Barriers> && detail::vacates_words<Barriers> &&
    detail::reserves<Barriers> && detail::accesses_unordered<Barriers> && detail::proves_death<Barriers> &&
    detail::stays_on_its_cpu<Barriers> && detail::overwrites<Barriers> && detail::copies_words<Barriers> &&
    detail::wakes_up<Barriers>;

namespace detail {

/// Fails with the reason why these are no `barriers_policy`. @return whether there is one
template <class Barriers>
constexpr bool explain_barriers() {
    if constexpr (!loads_tail<Barriers>)
        static_assert(loads_tail<Barriers>, "Barriers lacks load_tail(tail): letter A");
    else if constexpr (!publishes_head<Barriers>)
        static_assert(publishes_head<Barriers>, "Barriers lacks publish_head(head, value): letter B");
    else if constexpr (!loads_head<Barriers>)
        static_assert(loads_head<Barriers>, "Barriers lacks load_head(head): letter C");
    else if constexpr (!releases_tail<Barriers>)
        static_assert(releases_tail<Barriers>, "Barriers lacks release_tail(tail, value): letter D");
    else if constexpr (!loads_vacancy<Barriers>)
        static_assert(loads_vacancy<Barriers>, "Barriers lacks load_vacancy(word): letter A in band");
    else if constexpr (!commits_words<Barriers>)
        static_assert(commits_words<Barriers>, "Barriers lacks commit(word, value): letter B in band");
    else if constexpr (!loads_commit<Barriers>)
        static_assert(loads_commit<Barriers>, "Barriers lacks load_commit(word): letter C in band");
    else if constexpr (!vacates_words<Barriers>)
        static_assert(vacates_words<Barriers>, "Barriers lacks vacate(word, value): letter D in band");
    else if constexpr (!reserves<Barriers>)
        static_assert(reserves<Barriers>,
                      "Barriers lacks claimed or claim, of without_letter: derive from it");
    else if constexpr (!accesses_unordered<Barriers>)
        static_assert(accesses_unordered<Barriers>, "Barriers lacks own, stat, count_own, count_shared, "
                                                    "set_own or init, of without_letter: derive from it");
    else if constexpr (!proves_death<Barriers>)
        static_assert(proves_death<Barriers>, "Barriers lacks claim_announced, announce, announced, "
                                              "take_place or account, of without_letter: derive from it");
    else if constexpr (!stays_on_its_cpu<Barriers>)
        static_assert(stays_on_its_cpu<Barriers>,
                      "Barriers lacks interrupt_barrier, local_cmpxchg, local_add, cpu or claim_on, of "
                      "without_letter: derive from it");
    else if constexpr (!overwrites<Barriers>)
        static_assert(overwrites<Barriers>,
                      "Barriers lacks intend, intended or load_intent (I, J), mark, load_mark or claim_over "
                      "(K, L, M), of without_letter: derive from it");
    else if constexpr (!copies_words<Barriers>)
        static_assert(
            copies_words<Barriers>,
            "Barriers lacks put_word, get_word, put_words or get_words, of without_letter: derive from it");
    else if constexpr (!wakes_up<Barriers>)
        static_assert(
            wakes_up<Barriers>,
            "Barriers lacks raise, lower, raised, settle or sleep_while, of without_letter: derive from it");
    else
        return false;
    return true;
}

} // namespace detail

} // namespace ringproof
