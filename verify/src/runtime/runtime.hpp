// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the hooks call, on the stack of a thread of the program: each call becomes a request, for which the thread
// stops until the search lets it go on.

#include "../program/thread_names.hpp"
#include "accesses.hpp"
#include "addresses.hpp"
#include "allocations.hpp"
#include "interrupts.hpp"
#include "mappings.hpp"
#include "multi_locks.hpp"

#include <functional>
#include <string>

namespace ringproof::verify {

class runtime {
  public:
    /// What a thread does at its end, and the program at its own, beside what others can see.
    struct ends {
        void (*of_thread)();
        void (*of_program)();
        void (*of_process)(int code); ///< does not return
    };

    runtime(search_facts& f, program& p, graph& g, race_detector& d, recorder& w, ends e);
    ~runtime();
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;

    static runtime* active() { return active_; } ///< that of the program which is running, or null
    static bool running() { return program::running(); }
    using inside = program::engine_runs;

    /// The running thread asks for `what`. @return what it reads
    value_t visible(const request& what) {
        if (address_checks::may_be_view(what.address)) return visible_in_view(what);
        return visible_at_home(what);
    }
    /// The same where the request names no address that could be a view's.
    value_t visible_at_home(const request& what) {
        return facts_.processes_may_die && program::in_process() ? visible_in_mortal(what) : do_at_home(what);
    }
    [[noreturn]] void fail_here(failure_kind kind, std::string message, std::uintptr_t site,
                                std::uintptr_t address);
    [[noreturn]] void fail_with(failure f);
    /// Refutes an execution whose program ends with another exit code than it is to.
    void check_exit_code(int code, const char* how, std::uintptr_t site);
    /// Begins the search again, which has to know from its beginning what it has met here.
    [[noreturn]] void begin_anew_from_here();
    void yield();
    /// Any number below `bound`: each is explored.
    unsigned choose(unsigned bound, std::uintptr_t site);
    /// Whether the running thread's wait on `address` ends although nobody wakes it.
    bool wakes_early(std::uintptr_t address, std::uintptr_t site);
    /// Whether a signal is what ends it, once wakes_early() has said so.
    bool is_interrupted(std::uintptr_t address, std::uintptr_t site);
    /// Whether its timed wait on `address` times out.
    bool times_out(std::uintptr_t address, std::uintptr_t site);
    /// The program has come to know which of the threads it is like `t` is.
    void tells_apart(const thread_state& t) {
        if (t.first_alike != 0) facts_.are_unlike(t.first_alike);
    }
    /// From here on the running thread may stop for ever behind each write; behind the `writes`th it does. 0: behind none
    void let_stop(stopping how, unsigned writes = 0);
    thread_id spawn(void* (*routine)(void*), void* argument, std::uintptr_t site);
    /// Makes a process whose thread continues here too, with memory of its own: see process.hpp.
    /// @return the running thread: the caller, or the first of the new process
    thread_id fork_process(std::uintptr_t site);
    // Processes that may be killed: kills.cpp.
    /// From the beginning of the search on, processes look whether they are killed.
    void let_processes_die();
    /// A plain write by the running thread, to what lies at `home`, is about to be made.
    void before_plain_write(std::uintptr_t home, std::uintptr_t site);
    /// The process of the running thread, which has no other, ends with this wait status.
    [[noreturn]] void end_process(int status, std::uintptr_t site);
    /// See program.hpp.
    std::uintptr_t home_of(std::uintptr_t address) const { return program_.home_of(address); }
    void cover(const char* situation);
    /// Notes that executions are cut short here: the verdict will be inconclusive.
    void bound(const char* what);
    /// Notes that the program has evaluated an assertion.
    void note_evaluated() { facts_.result.evaluated = true; }
    /// Called by a signal now and then, while the program's own code runs: is it to give up?
    bool must_give_up() const;

    /// What the choices are called by which a wait ends although nobody wakes its thread.
    static constexpr const char* wake_up_early = "wake up early";
    static constexpr const char* time_out = "time out";
    static constexpr const char* signal = "end by a signal";

    /// See program::on_engine_stack().
    void on_engine_stack(program::errand e) { program_.on_engine_stack(e); }

    thread_state& self() { return program_.self(); }
    thread_state& thread(thread_id t) { return program_.thread(t); }
    std::uint16_t thread_count() const { return program_.thread_count(); }
    program_memory& memory() { return program_.memory(); }
    /// Whether `a` is thread-local: nobody else's affair.
    bool is_private(std::uintptr_t a) const { return program_.storage().is_shared(a); }
    const graph& execution() const { return graph_; }
    search_facts& facts() { return facts_; }
    memory_accesses& accesses() { return accesses_; }
    address_checks& addresses() { return addresses_; }
    allocations& heap() { return allocations_; }
    mappings& maps() { return mappings_; }
    multi_locks& locks() { return multi_locks_; }
    verify::interrupts& handlers() { return interrupts_; }

    // For the search.
    void start(const std::function<void()>& body);
    thread_names& names() { return names_; }
    const thread_names& names() const { return names_; }
    failure& reported() { return reported_; } ///< by the last fail_with()
    static int exit_code;                     ///< that each execution must end with
    /// Called with a pending request that leaves no choice, instead of going to the engine, while that is allowed.
    void on_no_choice(std::function<void(thread_state&)> perform) { perform_ = std::move(perform); }
    void allow_at_once(bool is) { at_once_ = is; }

  private:
    static void begin_thread(boost::context::detail::transfer_t from);
    value_t ask(const request& what);
    value_t do_at_home(const request& what) {
        return accesses_.mixed().any() && is_mixed(what) ? visible_mixed(what) : ask(what);
    }
    value_t visible_in_mortal(const request& what);
    void look_for_kill(std::uintptr_t site);
    // Accesses in pieces: mixed.cpp.
    bool is_mixed(const request& what) const;
    value_t visible_mixed(const request& what);
    value_t visible_in_view(const request& what);
    value_t read_pieces(const request& what, const mixed_memory::piece* pieces, unsigned count);
    void write_pieces(const request& what, const mixed_memory::piece* pieces, unsigned count);
    void stop_behind(const request& what);
    bool can_do_at_once(const thread_state& t, const request& what) const;
    std::pair<unsigned, unsigned> time_outs(std::uintptr_t site) const;
    bool has_news(const thread_state& t, const event& e) const;
    bool may_wake_again(std::uintptr_t site) const;
    thread_id name_child(const thread_state& parent, std::uintptr_t site);

    static runtime* active_; ///< the one global of the engine: the hooks have no other way in
    search_facts& facts_;
    program& program_;
    graph& graph_;
    recorder& recorder_;
    ends ends_;
    verify::interrupts interrupts_;
    address_checks addresses_;
    memory_accesses accesses_;
    allocations allocations_;
    mappings mappings_;
    multi_locks multi_locks_;
    thread_names names_;
    const std::function<void()>* body_ = nullptr;
    failure reported_;
    std::function<void(thread_state&)> perform_;
    bool at_once_ = false; ///< requests that leave no choice need not come to the engine
};

} // namespace ringproof::verify
