// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory> // std::uninitialized_fill_n
#include <new>
#include <utility>

#include "ringproof/capacity.hpp"

namespace ringproof {

/// Where a ring lives: its data area and, for layouts that share their positions, a control page before it.
/// It is handed to the ring, which keeps it. mapped_memory.hpp has the kinds that the system provides.
class ring_memory {
  public:
    using release = void (*)(ring_memory&) noexcept;

    /// Zeroed memory of this process. @throws std::invalid_argument, std::bad_alloc
    [[nodiscard]] static ring_memory heap(std::size_t capacity) {
        ring_memory result;
        result.capacity_ = detail::checked_capacity(capacity, 64, 1, "bytes");
        result.reach_ = capacity;
        result.data_ =
            static_cast<std::byte*>(::operator new (allocated(capacity), std::align_val_t{line_pair}));
        result.release_ = [](ring_memory& self) noexcept {
            ::operator delete (self.data_, std::align_val_t{line_pair});
        };
        // Plain writes, before any other thread knows the ring.
        std::uninitialized_fill_n(reinterpret_cast<std::uint64_t*>(result.data_),
                                  capacity / sizeof(std::uint64_t), std::uint64_t{0});
        return result;
    }

    ring_memory(ring_memory&& other) noexcept { swap(other); }
    ring_memory& operator=(ring_memory&& other) noexcept {
        ring_memory taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~ring_memory() {
        if (release_ != nullptr) release_(*this);
    }

    /// Bytes of data, a power of two.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    /// Bytes that can be addressed from the start of the data on: twice the capacity when it is mapped twice in
    /// a row, so that nothing is ever split.
    [[nodiscard]] std::size_t reach() const noexcept { return reach_; }

    [[nodiscard]] std::byte* data() const noexcept { return data_; }

    /// The page before the data, or nullptr.
    [[nodiscard]] std::byte* control() const noexcept { return control_; }
    [[nodiscard]] std::size_t control_size() const noexcept { return control_size_; }

    /// What another process can map, or -1. It belongs to this object.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    /// Are they pages of the system's pool, or were huge ones asked for and has the system taken the advice? Which
    /// pages are huge then stands in /proc/self/smaps.
    [[nodiscard]] bool huge_pages() const noexcept { return huge_pages_; }

    /// Has somebody else made the ring in this memory? Then positions are taken over as they are.
    [[nodiscard]] bool attached() const noexcept { return attached_; }

  private:
    friend class mapped_memory;

    ring_memory() = default;

    static constexpr std::size_t allocated(std::size_t bytes) noexcept {
        return bytes < line_pair ? line_pair : bytes;
    }

    void swap(ring_memory& other) noexcept {
        std::swap(control_, other.control_);
        std::swap(data_, other.data_);
        std::swap(control_size_, other.control_size_);
        std::swap(capacity_, other.capacity_);
        std::swap(reach_, other.reach_);
        std::swap(descriptor_, other.descriptor_);
        std::swap(attached_, other.attached_);
        std::swap(huge_pages_, other.huge_pages_);
        std::swap(release_, other.release_);
    }

    std::byte* control_ = nullptr;
    std::byte* data_ = nullptr;
    std::size_t control_size_ = 0;
    std::size_t capacity_ = 0;
    std::size_t reach_ = 0;
    int descriptor_ = -1;
    bool attached_ = false;
    bool huge_pages_ = false;
    release release_ = nullptr;
};

} // namespace ringproof
