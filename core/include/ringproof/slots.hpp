// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory> // std::construct_at, std::destroy_at
#include <new>
#include <type_traits>
#include <utility>

#include "ringproof/capacity.hpp"

namespace ringproof::detail {

/// Memory for one T that may or may not hold one; who uses it knows.
template <class T>
class storage {
  public:
    template <class... Args>
    void construct(Args&&... args) {
        std::construct_at(address(), std::forward<Args>(args)...);
    }

    void destroy() noexcept { std::destroy_at(address()); }

    [[nodiscard]] T& value() noexcept { return *std::launder(address()); }

  private:
    [[nodiscard]] T* address() noexcept { return reinterpret_cast<T*>(bytes_); }

    alignas(T) std::byte bytes_[sizeof(T)];
};

/// A power-of-two array of Slot, indexed by free-running positions, that shares no line with a neighbour.
/// The slots are default-initialised: nothing is written.
template <class Slot>
class slots {
  public:
    explicit slots(std::size_t capacity)
        : mask_(capacity - 1), slots_(static_cast<Slot*>(::operator new(bytes(capacity), alignment()))) {
        std::uninitialized_default_construct_n(slots_, capacity);
    }

    slots(const slots&) = delete;
    slots& operator=(const slots&) = delete;

    ~slots() {
        static_assert(std::is_trivially_destructible_v<Slot>,
                      "a slot is raw memory; its queue destroys items");
        ::operator delete(slots_, alignment());
    }

    [[nodiscard]] Slot& operator[](std::uint64_t position) noexcept {
        return slots_[static_cast<std::size_t>(position) & mask_];
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  private:
    static constexpr std::align_val_t alignment() noexcept {
        return std::align_val_t{std::max(line_pair, alignof(Slot))};
    }

    static constexpr std::size_t bytes(std::size_t capacity) noexcept {
        return (capacity * sizeof(Slot) + line_pair - 1) / line_pair * line_pair;
    }

    std::size_t mask_;
    Slot* slots_;
};

} // namespace ringproof::detail
