// SPDX-License-Identifier: Apache-2.0
#pragma once
// thread_local variables. All threads of the program run on one thread of the system, so their storage
// is the same memory: what a thread has there is put in place while it runs, and kept at the top of its
// stack otherwise, where saved states find it. This holds for the executable and for libstdc++, whose
// exception handling and call_once keep their state so.

#include "memory.hpp"

#include <cstring>
#include <vector>

struct dl_phdr_info;

namespace ringproof::verify {

class thread_storage {
  public:
    thread_storage();
    ~thread_storage();
    thread_storage(const thread_storage&) = delete;
    thread_storage& operator=(const thread_storage&) = delete;

    bool contains(std::uintptr_t a) const {
        for (const memory_range& r : private_)
            if (r.contains(a)) return true;
        return false;
    }
    /// Bytes to keep free at the top of a stack.
    std::size_t size() const { return size_; }
    /// Fills the storage that a thread keeps at `kept`: the first has what was there before.
    void begin(std::uintptr_t kept, bool first) const;

    void enter(std::uintptr_t kept) {
        copy_out(reinterpret_cast<std::uintptr_t>(engine_.data()));
        copy_in(kept);
    }
    void leave(std::uintptr_t kept) {
        copy_out(kept);
        copy_in(reinterpret_cast<std::uintptr_t>(engine_.data()));
    }

  private:
    struct block {
        memory_range range;
        const void* image;
        std::size_t image_size;
        bool executable;
    };
    static int collect(::dl_phdr_info* info, std::size_t, void* to);
    static void copy(std::uintptr_t to, std::uintptr_t from, std::size_t size) {
        constexpr std::size_t libstdcxx = 32; // what there mostly is: then a few moves instead of a call
        auto* const target = reinterpret_cast<void*>(to);
        const auto* const source = reinterpret_cast<const void*>(from);
        if (size == libstdcxx)
            std::memcpy(target, source, libstdcxx);
        else
            std::memcpy(target, source, size);
    }
    void copy_out(std::uintptr_t to) const {
        for (const block& b : blocks_) {
            copy(to, b.range.begin, b.range.size());
            to += b.range.size();
        }
    }
    void copy_in(std::uintptr_t from) const {
        for (const block& b : blocks_) {
            copy(b.range.begin, from, b.range.size());
            from += b.range.size();
        }
    }

    std::vector<block> blocks_;
    std::vector<memory_range>
        private_; ///< also those of other libraries: errno, say, see explorer::visible()
    std::size_t size_ = 0;
    std::vector<char> engine_;
};

} // namespace ringproof::verify
