// SPDX-License-Identifier: Apache-2.0
#pragma once
// The running program: its threads as fibers, the memory that it uses, and its saved states. A thread runs until it
// asks for something that others could see; whoever called run() then finds its request pending.
//
// The program knows nothing of execution graphs, nor of the search.

#include "images.hpp"
#include "memory.hpp"
#include "process.hpp"
#include "thread.hpp"
#include "tls.hpp"
#include "views.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ringproof::verify {

class program {
  public:
    /// @throws std::invalid_argument when the thread_local variables do not fit into a stack
    program();

    /// Main, which has not run yet. @param first what its fiber begins with
    void start(void (*first)(boost::context::detail::transfer_t), void* with);
    /// Thread `t`, which `parent` creates with its pending request.
    thread_state& create(thread_id t, thread_state& parent, std::uint32_t create_event);

    /// On the engine's stack: lets `t` run until it asks for something.
    void run(thread_id t);
    /// On the stack of the running thread: lets the engine go on, until it runs that thread again.
    void ask() {
        // Where a context keeps the frame pointer depends on Boost's version.
        asked_in_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        engine_ = boost::context::detail::jump_fcontext(engine_, nullptr).fctx;
    }
    /// On the stack of the running thread: does something on the engine's stack, so that what it calls in libraries
    /// leaves nothing in the thread: no errno, no variable of a library's own.
    struct errand {
        void (*function)(void*) = nullptr;
        void* argument = nullptr;
        explicit operator bool() const { return function != nullptr; }
    };
    void on_engine_stack(errand e) {
        const bool from_program = running_;
        errand_ = e;
        running_ = false;
        ask();
        running_ = from_program;
    }
    /// The first thing that a fiber does, with what it was given.
    void entered_from(boost::context::detail::transfer_t from) { engine_ = from.fctx; }

    /// Whether the caller is the program under test.
    static bool running() { return running_; }
    static void set_running(bool is) { running_ = is; }
    /// While it lives, what runs is the engine, be it on the program's stack: its allocations are not the program's.
    struct engine_runs {
        engine_runs() : before(running_) { running_ = false; }
        ~engine_runs() { running_ = before; }
        engine_runs(const engine_runs&) = delete;
        engine_runs& operator=(const engine_runs&) = delete;
        const bool before;
    };

    thread_state& thread(unsigned t) { return threads_[t]; }
    const thread_state& thread(unsigned t) const { return threads_[t]; }
    thread_state& self() { return threads_[current_]; }
    thread_id current() const { return current_; }
    /// Threads known in this execution, started or not.
    std::uint16_t thread_count() const { return thread_count_; }
    /// Bit t: thread t may be able to go on. The others are not there yet, or no more.
    std::uint32_t live() const { return live_; }
    void note_gone(thread_id t) { live_ &= ~(std::uint32_t{1} << t); }
    thread_state* begin() { return threads_; }
    thread_state* end() { return threads_ + thread_count_; }
    const thread_state* begin() const { return threads_; }
    const thread_state* end() const { return threads_ + thread_count_; }

    // Saved states: what the threads and the memory are is put back together.
    saved_state save() { return images_.save(threads_, thread_count_); }
    void restore(const saved_state& state);
    /// Thread `t` alone.
    void restore_one(const saved_state& state, thread_id t) { images_.restore_one(state, threads_, t); }
    /// As restore(), and threads that were not there then are forgotten.
    void begin_anew(const saved_state& initial);
    /// See images.hpp.
    void compare_unwritten() { images_.compare_unwritten(); }
    /// Takes what a thread outside of the checker's sight may have changed for changed.
    void note_unseen() { images_.note_unseen(threads_, thread_count_); }
    /// Bit t: thread t is not what its last image is. One that a state taken now would save anew.
    std::uint32_t dirty() {
        note_unseen();
        std::uint32_t found = 0;
        for (const thread_state& t : *this) found |= std::uint32_t{t.dirty} << t.id;
        return found;
    }
    /// Drops a state that was saved after dirty() had said `before`: what that saved anew has no image any more.
    void drop(const saved_state& state, std::uint32_t before) {
        images_.drop(state);
        for (thread_state& t : *this) t.dirty |= (before >> t.id & 1) != 0;
    }
    /// Whether all memory that others know, and `t` may have written to, is as it was.
    bool same_memory(const saved_state& then, const thread_state& t) const {
        return images_.same_memory(then) && images_.same_watched(then, threads_, t.id);
    }
    bool same_memory(const saved_state& then, const thread_state& t,
                     const std::function<bool(std::uintptr_t address)>& may_differ) const {
        return images_.same_memory(then, may_differ) &&
               images_.same_watched(then, threads_, t.id, may_differ);
    }
    /// Whether the stacks of all threads but `t`, which alone has run since, are as they were.
    bool same_stacks(const saved_state& then, const thread_state& t) const {
        return images_.same_stacks(then, threads_, t.id);
    }

    /// Where the stack of `t` ends and what it has of its own above it begins: its thread_local variables.
    std::uintptr_t storage_of(unsigned t) const {
        return memory_.stack_top(t) - storage_.size(storage_index(t));
    }
    /// Whether a thread of a process that fork() made is running: see process.hpp.
    static bool in_process() { return loaded_ != nullptr; }
    /// Where the memory lies that the running thread knows as `address`: there, where it has no other home.
    std::uintptr_t home_of(std::uintptr_t address) const {
        const std::uintptr_t home = home_in_process(address);
        return home == address && program_memory::in_mapped(address) ? mapped::home_of(address) : home;
    }
    std::uintptr_t home_in_process(std::uintptr_t address) const {
        return loaded_ ? loaded_->home_of(address) : address;
    }
    /// The end of the part that begins at `address` and has one home.
    std::uintptr_t end_of_part(std::uintptr_t address, std::uintptr_t end) const;

    /// The program's part of the stack of `t`, which stands before its request: registers and live frames.
    memory_range own_stack(const thread_state& t) const {
        const std::uintptr_t top = memory_.stack_top(t.id);
        const std::uintptr_t frame = t.what.frame == 0 ? t.hook_frame : t.what.frame;
        return {frame == 0 ? top : frame - saved_registers, top};
    }
    value_t read(std::uintptr_t address, std::size_t size) const;
    void write(std::uintptr_t address, std::size_t size, value_t value);
    /// A write into another thread's stack: that thread's image no longer is its state.
    void note_stack_write(std::uintptr_t address) {
        if (const int owner = memory_.stack_owner(address); owner >= 0) threads_[owner].dirty = true;
    }

    program_memory& memory() { return memory_; }
    const program_memory& memory() const { return memory_; }
    /// Whether eight bytes from `address` on meet the block of memory that `t` began with, such as what std::thread made of
    /// its function.
    bool in_argument(const thread_state& t, std::uintptr_t address) const {
        const auto begin = reinterpret_cast<std::uintptr_t>(t.argument);
        return memory_.in_heap(begin) && memory_.block_at(begin) == begin && address + 7 >= begin &&
               address < begin + heap::header::of(begin)->size();
    }
    /// The thread, of several alike among these, that began with the memory at `address`, or null.
    const thread_state* began_with(std::uintptr_t address, std::uint32_t among) const {
        for (; among != 0; among &= among - 1) {
            const auto id = static_cast<thread_id>(__builtin_ctz(among));
            if (id >= thread_count_) break; // it is of other executions
            const thread_state& t = threads_[id];
            const auto begin = reinterpret_cast<std::uintptr_t>(t.argument);
            const bool near = address + 7 - begin < memory_.whole_heap(0).size(); // its size is looked for
            if (t.first_alike != 0 && near && in_argument(t, address)) return &t;
        }
        return nullptr;
    }
    const thread_storage& storage() const { return storage_; }
    image_store& images() { return images_; }
    const image_store& images() const { return images_; }

  private:
    boost::context::detail::fcontext_t new_stack(thread_id t);
    void switch_to(thread_state& th, boost::context::detail::fcontext_t context);
    void run_in_process(thread_state& th);
    void make_process(thread_state& child, const thread_state& parent, std::uintptr_t home);
    /// Which thread's thread_local variables have the addresses that those of `t` have: it has its parent's after fork().
    unsigned storage_index(unsigned t) const {
        const std::uintptr_t home = threads_[t].process;
        return home != 0 && process::at(home).first == t ? process::at(home).creator : t;
    }

    static bool running_;
    static process* loaded_;      ///< that stands where the program expects it
    std::vector<char> displaced_; ///< what stood there
    program_memory memory_;
    thread_storage storage_; // before those that ask memory_ for its data
    image_store images_;
    thread_state threads_[max_threads];
    std::uint16_t thread_count_ = 0;
    std::uint32_t live_ = ~std::uint32_t{0};
    thread_id current_ = 0;
    boost::context::detail::fcontext_t engine_ = nullptr;
    std::uintptr_t asked_in_ = 0; ///< the frame of the last that asked
    errand errand_;               ///< that the running thread has for the engine
    void (*first_)(boost::context::detail::transfer_t) = nullptr;
    void* with_ = nullptr;
};

inline void program::run(thread_id t) {
    current_ = t;
    if (threads_[t].process == 0)
        switch_to(threads_[t], threads_[t].context);
    else
        run_in_process(threads_[t]);
}

inline void program::switch_to(thread_state& th, boost::context::detail::fcontext_t context) {
    const unsigned t = storage_index(th.id);
    const std::uintptr_t kept = storage_of(th.id);
    storage_.enter(t, kept);
    running_ = true;
    auto back = boost::context::detail::jump_fcontext(context, with_);
    running_ = false;
    storage_.leave(t, kept);
    while (errand_) {
        const errand now = errand_;
        errand_ = {};
        now.function(now.argument);
        storage_.enter(t, kept);
        running_ = true;
        back = boost::context::detail::jump_fcontext(back.fctx, with_);
        running_ = false;
        storage_.leave(t, kept);
    }
    th.context = back.fctx;
    th.frame = asked_in_;
}

inline void program::restore(const saved_state& state) {
    live_ = ~std::uint32_t{0};
    const std::uint16_t count = images_.restore(state, threads_);
    for (thread_id t = count; t < thread_count_; ++t) {
        images_.clear_stack(t, threads_[t]);
        threads_[t].status = thread_status::unborn;
        threads_[t].context = nullptr;
        threads_[t].dirty = true;
    }
}

} // namespace ringproof::verify
