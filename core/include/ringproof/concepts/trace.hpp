// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an AUX area and its sources ask of what they are given.
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ringproof/concepts/refused.hpp"
#include "ringproof/record.hpp"
#include "ringproof/ring_memory.hpp"

namespace ringproof {

namespace detail {

template <class Ring>
concept says_its_policies = requires {
    typename Ring::barriers;
    typename Ring::layout;
};
template <class Ring>
concept says_wakes = requires {
    typename std::bool_constant<Ring::wakes>;
};
template <class Ring>
concept can_be_raised = requires(Ring& ring) {
    ring.wake();
};
template <class Ring>
concept takes_records = requires(Ring& ring, const Ring& seen, std::span<const std::byte> bytes,
                                 record_tag tag) {
    { ring.write(bytes, tag) } -> std::same_as<bool>;
    { seen.memory() } -> std::same_as<const ring_memory&>;
};

template <class Transaction>
concept says_bounded = requires {
    typename std::bool_constant<Transaction::bounded>;
};
template <class Transaction>
concept tells_room = requires(const Transaction& room) {
    { room.room() } -> std::same_as<std::uint64_t>;
};
template <class Transaction>
concept takes_trace = requires(Transaction& room, std::span<const std::byte> bytes, std::uint64_t flags) {
    room.append(bytes);
    room.flag(flags);
    room.commit();
};

} // namespace detail

/// The ring beside an AUX area or window: a `record_ring`, which takes its AUX records, and whose `barriers` and `layout`
/// it shares.
///
/// | capability | means                       | promises |
/// |------------|-----------------------------|----------|
/// | `wakes`    | a consumer sleeps beside it | `wake()` |
template <class Ring>
concept ring_beside_trace = detail::says_its_policies<Ring> && detail::says_wakes<Ring> &&
    detail::takes_records<Ring> &&(!Ring::wakes || detail::can_be_raised<Ring>)&&Ring::layout::has_aux;

/// Room for trace: the transaction of an AUX area or window.
///
/// | capability | means                                  | promises                                    |
/// |------------|----------------------------------------|---------------------------------------------|
/// | `bounded`  | there may be less room than trace      | `room()`: how many bytes can be appended    |
template <class Transaction>
concept trace_transaction = detail::says_bounded<Transaction> && detail::takes_trace<Transaction> &&
    (!Transaction::bounded || detail::tells_room<Transaction>);

namespace detail {

/// Each fails with the reason why this is no model, or one of no use here. @return whether there is one
template <class Ring>
constexpr bool explain_ring_beside_trace() {
    if constexpr (!says_its_policies<Ring>)
        static_assert(says_its_policies<Ring>,
                      "Ring lacks the types barriers or layout: it is a record_ring");
    else if constexpr (!says_wakes<Ring>)
        static_assert(says_wakes<Ring>, "Ring lacks `static constexpr bool wakes`");
    else if constexpr (!takes_records<Ring>)
        static_assert(takes_records<Ring>, "Ring lacks write(bytes, tag) or memory()");
    else if constexpr (Ring::wakes && !can_be_raised<Ring>)
        static_assert(can_be_raised<Ring>, "Ring says `wakes`, but lacks wake()");
    else if constexpr (!ring_beside_trace<Ring>)
        static_assert(never<Ring>, "an AUX area has one source, the writer of the ring beside it; a ring "
                                   "between many processes has no such writer");
    else
        return false;
    return true;
}
template <class Transaction>
constexpr bool explain_trace_transaction() {
    if constexpr (!says_bounded<Transaction>)
        static_assert(says_bounded<Transaction>, "Transaction lacks `static constexpr bool bounded`");
    else if constexpr (Transaction::bounded && !tells_room<Transaction>)
        static_assert(tells_room<Transaction>, "Transaction says `bounded`, but lacks room()");
    else if constexpr (!trace_transaction<Transaction>)
        static_assert(takes_trace<Transaction>, "Transaction lacks append(bytes), flag(flags) or commit()");
    else
        return false;
    return true;
}

/// May there be less room than trace? Fails with the reason when it is no `trace_transaction`.
template <class Transaction>
constexpr bool is_bounded() {
    if constexpr (trace_transaction<Transaction>)
        return Transaction::bounded;
    else
        return !explain_trace_transaction<Transaction>();
}

} // namespace detail

} // namespace ringproof
