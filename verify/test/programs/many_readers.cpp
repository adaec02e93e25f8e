// SPDX-License-Identifier: Apache-2.0
// More accesses of one granule than any table would hold that does not grow; and much memory allocated since.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

namespace programs {
namespace {

alignas(8) unsigned char bytes[8];
alignas(8) unsigned short halves[4];
std::atomic<char*> handed_on;

/// Threads that each read all elements one by one; main joins all but the first, and writes.
template <std::size_t Count, class Array>
void read_by(Array& array) {
    std::array<std::thread, Count> readers;
    for (std::thread& t : readers)
        t = std::thread([&array] {
            for (auto& element : array)
                static_cast<void>(
                    *const_cast<volatile std::remove_reference_t<decltype(element)>*>(&element));
        });
    for (std::size_t i = 1; i < Count; ++i) readers[i].join();
    array[0] = 1;
    readers[0].join();
}

} // namespace

void nine_read_bytes() { read_by<9>(bytes); }
void seventeen_read_halves() { read_by<17>(halves); }

// The memory is handed on without an order; its maker has allocated much since.
void hands_on_old_memory() {
    handed_on = nullptr;
    std::thread reader([] {
        if (char* p = handed_on.load(std::memory_order_relaxed))
            static_cast<void>(*const_cast<volatile char*>(p));
    });
    auto* handed = static_cast<char*>(std::calloc(1, 8));
    void* newer[40];
    for (void*& p : newer) p = std::malloc(8);
    handed_on.store(handed, std::memory_order_relaxed);
    reader.join();
    for (void* p : newer) std::free(p);
    std::free(handed);
}

} // namespace programs
