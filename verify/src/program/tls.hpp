// SPDX-License-Identifier: Apache-2.0
#pragma once
// thread_local variables. All threads of the program run on one thread of the system, whose storage is the first
// thread's: its thread_local variables are data of the executable like any other.
//
// Where the executable has any, each further thread has a block of its own, at the top of its stack, where saved
// states find it and where it has an address that it can hand to others. The block is a copy of the system thread's,
// libraries' variables and the C library's record of the thread included, with the executable's as they begin; the
// register that says where they are is changed when the thread runs. That is known for x86-64 with glibc. Elsewhere,
// and for the state that libstdc++'s exception handling and call_once keep, threads use the same memory: what a
// thread has there is put in place while it runs, and kept at the top of its stack otherwise.

#include "memory.hpp"

#include <cstring>
#include <vector>

struct dl_phdr_info;

namespace ringproof::verify {

class thread_storage {
  public:
    /// @param memory is told which data of the executable the first thread's variables are
    explicit thread_storage(program_memory& memory);
    ~thread_storage();
    thread_storage(const thread_storage&) = delete;
    thread_storage& operator=(const thread_storage&) = delete;

    /// Whether `a` is in storage of which each thread has its own at the same address.
    bool is_shared(std::uintptr_t a) const {
        for (const memory_range& r : shared_)
            if (r.contains(a)) return true;
        return false;
    }
    /// Bytes to keep free at the top of the stack of thread `t`.
    std::size_t size(unsigned t) const { return has_block(t) ? block_size_ : swapped_size_; }
    /// Fills what thread `t` keeps at `kept`, which is so far below the top of its stack.
    void begin(unsigned t, std::uintptr_t kept) const;

    void enter(unsigned t, std::uintptr_t kept) {
        if (has_block(t)) return use(kept + below_);
        copy_out(reinterpret_cast<std::uintptr_t>(engine_.data()));
        copy_in(kept);
    }
    void leave(unsigned t, std::uintptr_t kept) {
        if (has_block(t)) return use(pointer_);
        copy_out(kept);
        copy_in(reinterpret_cast<std::uintptr_t>(engine_.data()));
    }
    /// Where in the first thread's storage that is which stands at `address` in what thread `t` keeps at `kept`;
    /// 0 when that isn't thread-local.
    std::uintptr_t in_first(unsigned t, std::uintptr_t address, std::uintptr_t kept) const {
        if (!has_block(t) || address < kept) return 0;
        return address - (kept + below_) + pointer_;
    }

  private:
    struct segment {
        memory_range range; ///< in the system thread's storage
        const void* image;
        std::size_t image_size;
        bool executable;
    };
    static int collect(::dl_phdr_info* info, std::size_t, void* to);
    bool has_block(unsigned t) const { return block_size_ != 0 && t != 0; }
    void measure_block();
    void make_block(std::uintptr_t kept) const;
    void use(std::uintptr_t pointer) const;
    static void write_initial(const segment& s, char* to);
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
        for (const segment& s : swapped_) {
            copy(to, s.range.begin, s.range.size());
            to += s.range.size();
        }
    }
    void copy_in(std::uintptr_t from) const {
        for (const segment& s : swapped_) {
            copy(s.range.begin, from, s.range.size());
            from += s.range.size();
        }
    }

    std::vector<segment> all_;
    std::vector<segment> own_;         ///< with which each thread begins anew: the executable's, libstdc++'s
    std::vector<segment> swapped_;     ///< of those, what all threads have at one address
    std::vector<memory_range> shared_; ///< also of other libraries: errno, say, see runtime::visible()
    std::size_t swapped_size_ = 0;
    std::vector<char> engine_;

    // A thread's block: the segments, `below_` bytes in all; there the register points, at the C library's record;
    // then the table of where each library's segment is.
    std::size_t block_size_ = 0; ///< 0: threads have none
    std::size_t below_ = 0, record_ = 0, table_ = 0;
    std::uintptr_t pointer_ = 0; ///< the system thread's
    bool by_instruction_ = false;
};

} // namespace ringproof::verify
