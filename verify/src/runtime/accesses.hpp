// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plain and volatile accesses of memory, just before the program makes them, on its stack.

#include "../program/unfinished.hpp"
#include "../race/race_detector.hpp"
#include "../trace/recorder.hpp"

#include <array>
#include <vector>

namespace ringproof::verify {

class runtime;

class memory_accesses {
  public:
    memory_accesses(runtime& r, program& p, const graph& g, race_detector& d, recorder& w, search_facts& f)
        : runtime_(r), program_(p), graph_(g), races_(d), recorder_(w), facts_(f) {}

    mixed_memory& mixed() { return races_.mixed(); }
    const mixed_memory& mixed() const { return races_.mixed(); }
    void plain(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
        last_ = {address, size, write};
        // Nobody is there to race with, and nobody will ask who wrote to the stack.
        const bool quiet =
            quiet_.contains(address) && unfinished_ == 0 && !races_.shadow().is_atomic(address, size);
        if (!quiet) return plain_shared(address, size, write, site);
        if (++program_.self().plain_accesses > facts_.limits.plain_accesses) too_many_plain(address, site);
    }
    /// The same, unless it is the access that was told last.
    void plain_unless_told(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
        if (last_.address != address || last_.size != size || last_.write != write)
            plain(address, size, write, site);
    }
    /// The same as plain(), unless it is on the thread's own stack.
    void plain_beyond_stack(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    /// Just before a volatile access: a relaxed atomic one whose value the program moves itself.
    void volatile_read(std::uintptr_t address, std::size_t size, std::uintptr_t site, std::uintptr_t frame);
    void volatile_write(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                        std::uintptr_t function_frame);
    /// A volatile access is over once its thread does anything else.
    void end_volatile() {
        if (unfinished_ != 0) settle_unfinished();
    }
    /// The running thread has come to know `value`: where that is an address in another thread's stack, a library may
    /// write there.
    void note_address(std::uintptr_t value) {
        if (program_.memory().stack_owner(value) != static_cast<int>(program_.current())) note_shared(value);
    }
    /// Another thread comes to know it.
    void note_shared(std::uintptr_t value) {
        if (const int owner = program_.memory().stack_owner(value); owner >= 0)
            program_.images().watch(static_cast<thread_id>(owner));
    }
    /// The same for each word of what it reads.
    void note_addresses(std::uintptr_t address, std::size_t size) {
        for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= size; i += sizeof(std::uintptr_t)) {
            std::uintptr_t value;
            std::memcpy(&value, reinterpret_cast<const void*>(address + i), sizeof value);
            note_address(value);
        }
    }
    /// What the running thread has done since its last request makes this iteration of a loop unlike the one before.
    void note_effect() { overwritten_unknown_ = true; }

    /// What other threads did with locals of functions that have returned has to be ordered before.
    void check_returned_locals(const thread_state& t, std::uintptr_t site);
    /// Every atomic access of `l` has to be ordered before the plain access that `t` is about to make.
    void check_ordered(const thread_state& t, location_id l, std::uintptr_t address, std::size_t size,
                       bool write, std::uintptr_t site);
    void check_plain_against_atomic(const thread_state& t, std::uintptr_t address, std::size_t size,
                                    bool write, std::uintptr_t site);

    // For the search, on its own stack.
    /// `t` is about to run on from its last request: what it did before is no longer asked for.
    void forget_request(thread_state& t);
    /// Where `t` can access memory with nobody to race with, and no record that wants to know.
    void find_quiet(const thread_state& t);
    void no_longer_quiet() { quiet_ = {}; }
    /// The search begins anew: nothing is left of what ran before.
    void forget_all() {
        forget();
        unfinished_ = 0;
    }
    /// Whether the plain writes since the running thread's last request left anything.
    bool changed_memory() const;
    /// Puts back what they changed. @return false when that is not known
    bool undo_writes() const;

    /// Notes a plain access between the arrival of `t` at a counter and what it does next, which may tell who came before.
    void note_told(thread_state& t, std::uintptr_t address, std::size_t size, bool write) {
        if (t.arrived_at != 0 && t.next_index > t.arrived_at && t.told_at == 0 &&
            arrival_may_order(t, address, size, write))
            t.told_at = t.next_index;
    }

  private:
    bool arrival_may_order(const thread_state& t, std::uintptr_t address, std::size_t size, bool write);
    void plain_shared(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void plain_in_views(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void plain_at_home(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    [[noreturn]] void too_many_plain(std::uintptr_t address, std::uintptr_t site);
    void note_write(std::uintptr_t address, std::size_t size);
    void forget();
    void settle_unfinished();
    void settle_one();
    void settle_pieces();
    bool is_gone(const volatile_access& a) const;
    std::uintptr_t volatile_home(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);

    void raced(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void read_raced(const raced_memory::piece* pieces, unsigned count, std::uintptr_t site);
    void write_raced(const raced_memory::piece* pieces, unsigned count, std::uintptr_t site);
    void plain_known(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    bool writes_unfinished() const;
    std::uintptr_t frame_that_calls(std::uintptr_t site) const;

    runtime& runtime_;
    program& program_;
    const graph& graph_;
    race_detector& races_;
    recorder& recorder_;
    search_facts& facts_;
    struct {
        std::uintptr_t address = 0;
        std::size_t size = 0;
        bool write = false;
    } last_;             ///< the plain access told last, whatever came of it
    memory_range quiet_; ///< the stack of the running thread when it is alone
    std::vector<overwritten> overwritten_;
    bool overwritten_unknown_ = false;
    /// Of a volatile access one; of an access that races its pieces, with those of the read before it.
    std::array<volatile_access, 2 * raced_memory::most_pieces> volatile_;
    unsigned unfinished_ = 0, of_last_ = 0; ///< how many of these there are; and of the last access
};

// Asked for at each step of the search.

inline void memory_accesses::find_quiet(const thread_state& t) {
    quiet_ =
        t.alone && !facts_.interrupts && !facts_.tracing ? program_.memory().stack(t.id) : memory_range{};
}

inline void memory_accesses::forget() {
    overwritten_.clear();
    overwritten_unknown_ = false;
}

inline void memory_accesses::forget_request(thread_state& t) {
    t.plain_accesses = t.known_accesses = 0;
    t.places_passed = 0;
    forget();
}

inline bool memory_accesses::changed_memory() const {
    bool changed = overwritten_unknown_;
    for (const overwritten& o : overwritten_)
        changed = changed || std::memcmp(reinterpret_cast<const void*>(o.address), o.bytes, o.size) != 0;
    return changed;
}

} // namespace ringproof::verify
