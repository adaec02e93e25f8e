// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sequence that grows and shrinks at its end and never moves: address space for all it may ever hold is
// reserved at once, memory comes as it is touched. Unlike a vector's, appending is a store and an addition.

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <type_traits>

namespace ringproof::verify {

template <class T>
class growing {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static constexpr std::size_t bytes = std::size_t{1} << 38; // address space, not memory

  public:
    /// @throws std::runtime_error when the system refuses the address space
    growing() {
        void* mapped =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED)
            throw std::runtime_error(std::string("cannot reserve address space: ") + std::strerror(errno));
        first_ = end_ = static_cast<T*>(mapped);
    }
    ~growing() { munmap(first_, bytes); }
    growing(const growing&) = delete;
    growing& operator=(const growing&) = delete;

    std::size_t size() const { return static_cast<std::size_t>(end_ - first_); }
    T& operator[](std::size_t i) { return first_[i]; }
    const T& operator[](std::size_t i) const { return first_[i]; }
    T& back() { return end_[-1]; }
    T* begin() { return first_; }
    T* end() { return end_; }

    T& emplace_back() { return *new (end_++) T{}; }
    void push_back(const T& value) { *end_++ = value; }
    void append(const T* from, std::size_t count) {
        std::memcpy(static_cast<void*>(end_), from, count * sizeof(T));
        end_ += count;
    }
    void pop_back() { --end_; }
    /// Takes off all but the first `size`.
    void shrink(std::size_t size) { end_ = first_ + size; }

  private:
    T *first_, *end_;
};

} // namespace ringproof::verify
