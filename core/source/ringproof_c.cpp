// SPDX-License-Identifier: Apache-2.0
// The record ring behind ringproof.h.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "ringproof/contract.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/ringproof.h"

namespace {

template <class Producer>
using ring_of = ringproof::record_ring<Producer, ringproof::acquire_release, ringproof::keep_oldest>;

[[nodiscard]] constexpr ringproof_refusal as_c(ringproof::refusal why) noexcept {
    switch (why) {
    case ringproof::refusal::none:
        return RINGPROOF_OK;
    case ringproof::refusal::full:
        return RINGPROOF_FULL;
    case ringproof::refusal::too_large:
        return RINGPROOF_TOO_LARGE;
    case ringproof::refusal::paused:
        return RINGPROOF_PAUSED;
    case ringproof::refusal::reservation_open:
        return RINGPROOF_RESERVATION_OPEN;
    case ringproof::refusal::elsewhere: // of no ring that C has
    case ringproof::refusal::reserved_misc:
        break;
    }
    return RINGPROOF_RESERVED_TYPE;
}

template <class Byte>
[[nodiscard]] ringproof_bytes as_c(const ringproof::ring_bytes<Byte>& bytes) noexcept {
    // C has no span of const; what must not be written to says so.
    return {const_cast<std::byte*>(bytes.first.data()), bytes.first.size(),
            const_cast<std::byte*>(bytes.second.data()), bytes.second.size()};
}

} // namespace

struct ringproof_ring {
    std::variant<std::monostate, ring_of<ringproof::single>, ring_of<ringproof::nested>,
                 ring_of<ringproof::shared>>
        ring;

    template <class Use>
    decltype(auto) with(Use&& use) {
        if (auto* const one = std::get_if<1>(&ring)) return use(*one);
        if (auto* const one = std::get_if<2>(&ring)) return use(*one);
        return use(*std::get_if<3>(&ring));
    }
    template <class Use>
    decltype(auto) with(Use&& use) const {
        if (const auto* const one = std::get_if<1>(&ring)) return use(*one);
        if (const auto* const one = std::get_if<2>(&ring)) return use(*one);
        return use(*std::get_if<3>(&ring));
    }
};

namespace {

/// Which of a room's words says whose it is; 0: nobody's.
constexpr std::size_t owner_at = 5;

template <class Ring>
Ring* checked(Ring* ring) noexcept {
    RINGPROOF_CONTRACT(ring != nullptr, "there is a ring");
    return ring;
}

template <class How>
void end(ringproof_ring* ring, ringproof_room* room, How how) noexcept {
    RINGPROOF_CONTRACT(room != nullptr, "a reservation is in a room");
    const uint64_t owner = room->private_words[owner_at];
    RINGPROOF_CONTRACT(owner == 0 || owner == reinterpret_cast<std::uintptr_t>(ring),
                       "a reservation ends in the ring it came from");
    if (owner == 0 || owner != reinterpret_cast<std::uintptr_t>(ring)) return;
    ring->with([&](auto& one) {
        using reservation = typename std::remove_reference_t<decltype(one)>::reservation;
        auto* const made = std::launder(reinterpret_cast<reservation*>(room->private_words));
        how(*made);
        made->~reservation();
    });
    *room = {};
}

} // namespace

extern "C" {

ringproof_ring* ringproof_create(ringproof_producer producer, size_t capacity, char* why,
                                 size_t why_size) try {
    auto* const made = new ringproof_ring;
    try {
        switch (producer) {
        case RINGPROOF_SINGLE:
            made->ring.emplace<1>(capacity);
            return made;
        case RINGPROOF_NESTED:
            made->ring.emplace<2>(capacity);
            return made;
        case RINGPROOF_SHARED:
            made->ring.emplace<3>(capacity);
            return made;
        }
        throw std::invalid_argument("there is no such producer");
    } catch (...) {
        delete made;
        throw;
    }
} catch (const std::bad_alloc&) {
    if (why != nullptr && why_size != 0)
        std::snprintf(why, why_size, "no memory for a ring of %zu bytes", capacity);
    return nullptr;
} catch (const std::exception& reason) {
    if (why != nullptr && why_size != 0) std::snprintf(why, why_size, "%s", reason.what());
    return nullptr;
}

void ringproof_destroy(ringproof_ring* ring) { delete ring; }

ringproof_refusal ringproof_begin(ringproof_ring* ring, size_t size, uint32_t type, ringproof_room* room) {
    RINGPROOF_CONTRACT(room != nullptr, "a reservation goes into a room");
    *room = {};
    return checked(ring)->with([&](auto& one) {
        using reservation = typename std::remove_reference_t<decltype(one)>::reservation;
        static_assert(sizeof(reservation) <= owner_at * sizeof(uint64_t) &&
                      alignof(reservation) <= alignof(uint64_t));
        auto made = one.begin(size, {type, 0});
        if (!made) return as_c(made.why());
        room->bytes = as_c(made.bytes());
        new (room->private_words) reservation(std::move(made));
        room->private_words[owner_at] = reinterpret_cast<std::uintptr_t>(ring);
        return RINGPROOF_OK;
    });
}

void ringproof_commit(ringproof_ring* ring, ringproof_room* room) {
    end(ring, room, [](auto& made) { made.commit(); });
}

void ringproof_discard(ringproof_ring* ring, ringproof_room* room) {
    end(ring, room, [](auto& made) { made.discard(); });
}

ringproof_refusal ringproof_write(ringproof_ring* ring, const void* bytes, size_t size, uint32_t type) {
    RINGPROOF_CONTRACT(bytes != nullptr || size == 0, "what is written is somewhere");
    return checked(ring)->with([&](auto& one) {
        auto made = one.begin(size, {type, 0});
        if (!made) return as_c(made.why());
        made.copy_from({static_cast<const std::byte*>(bytes), size});
        return RINGPROOF_OK;
    });
}

size_t ringproof_read(ringproof_ring* ring, size_t most, int (*use)(const ringproof_record*, void*),
                      void* context) {
    RINGPROOF_CONTRACT(use != nullptr, "records are read by a function");
    return checked(ring)->with([&](auto& one) {
        size_t count = 0;
        if (most == 0) return count;
        for (auto record : one.read()) {
            const ringproof_record seen{record.type(), record.misc(), as_c(record.bytes())};
            ++count;
            if (use(&seen, context) != 0 || count == most) break;
        }
        return count;
    });
}

const char* ringproof_error(const ringproof_ring* ring) {
    switch (checked(ring)->with([](const auto& one) { return one.error(); })) {
    case ringproof::read_error::none:
        break;
    case ringproof::read_error::head_out_of_range:
        return "head is before tail, or more than the capacity ahead of it";
    case ringproof::read_error::size_too_small:
        return "a record's size is less than its own header and filling";
    case ringproof::read_error::size_unaligned:
        return "a record's size is not a multiple of 8";
    case ringproof::read_error::size_too_large:
        return "a record reaches past what has been written";
    }
    return nullptr;
}

size_t ringproof_capacity(const ringproof_ring* ring) {
    return checked(ring)->with([](const auto& one) { return one.capacity(); });
}
size_t ringproof_max_payload(const ringproof_ring* ring) {
    return checked(ring)->with([](const auto& one) { return one.max_payload(); });
}
uint64_t ringproof_lost(const ringproof_ring* ring) {
    return checked(ring)->with([](const auto& one) { return one.lost(); });
}
void ringproof_pause(ringproof_ring* ring) {
    checked(ring)->with([](auto& one) { one.pause(); });
}
void ringproof_resume(ringproof_ring* ring) {
    checked(ring)->with([](auto& one) { one.resume(); });
}

} // extern "C"
