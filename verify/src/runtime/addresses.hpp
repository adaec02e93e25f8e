// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether there is anything at an address that a thread may access: live stack, heap, mapped memory with rights for it.
// What is not there is the thread's error, reported on its stack before the access is made.

#include "../program/views.hpp"
#include "../race/race_detector.hpp"

#include <array>

namespace ringproof::verify {

class runtime;

class address_checks {
  public:
    address_checks(runtime& r, program& p, race_detector& d, const search_facts& f)
        : runtime_(r), program_(p), races_(d), facts_(f) {}

    void check_address(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                       std::uintptr_t site) {
        if (address < 65'536 || program_.memory().in_heap(address))
            check_heap_address(t, address, size, site);
        else if (const int owner = program_.memory().stack_owner(address); owner >= 0)
            check_stack(static_cast<thread_id>(owner), address, size, site);
        else if (program_.memory().in_mapped(address))
            check_mapped(t, address, size, write, site);
    }
    void check_request(const request& what);
    /// Whether the address, in the running thread's stack, is one of a function that has returned.
    bool has_returned(std::uintptr_t address) const {
        return returned_part({address, address + 1}).size() != 0;
    }
    /// Of the part of the running thread's stack that other threads have accessed in any execution, what belongs to
    /// functions that have returned. Empty where that is nothing.
    memory_range returned_locals() const {
        const memory_range& shared = shared_locals_[program_.current()];
        return shared.size() == 0 ? memory_range{} : returned_part(shared);
    }
    /// Whether `address` may be that of memory with another home, see views.hpp and process.hpp.
    static bool may_be_view(std::uintptr_t address) {
        return mapped::views_exist && (program_memory::in_mapped(address) || program::in_process());
    }
    /// Where the memory lies that the running thread is about to access by an address that may be a view's. Whether it
    /// may do so by this address is checked, and noted: a change of the mapping has to be ordered with it.
    /// @param size at most to the end of the view
    std::uintptr_t at_home(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    /// A read of heap memory that nobody has written to is an error.
    void check_initialised(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
        if (program_.memory().in_heap(address) && !program::in_process())
            check_heap_read(address, size, site);
    }

  private:
    void check_heap_address(const thread_state& t, std::uintptr_t address, std::size_t size,
                            std::uintptr_t site);
    void check_heap_read(std::uintptr_t address, std::size_t size, std::uintptr_t site);
    std::uintptr_t program_stack(std::uintptr_t at, const memory_range& stack) const;
    void check_stack(thread_id owner, std::uintptr_t address, std::size_t size, std::uintptr_t site);
    memory_range returned_part(const memory_range& shared) const;
    void check_mapped(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                      std::uintptr_t site);
    void check_layer(const thread_state& t, const mapped::layer* top, const memory_range& part, bool write,
                     std::uintptr_t site);
    [[noreturn]] void refuse_access(const thread_state& t, const mapped::layer* top, const memory_range& part,
                                    bool write, std::uintptr_t site);

    runtime& runtime_;
    program& program_;
    race_detector& races_;
    const search_facts& facts_;
    std::array<memory_range, max_threads>
        shared_locals_{}; ///< of each thread: no smaller than what others accessed
};

} // namespace ringproof::verify
