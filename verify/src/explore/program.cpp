// SPDX-License-Identifier: Apache-2.0
// The program's side: its threads as fibers, and what they call while they run.

#include "explorer.hpp"

#include "../runtime/exit.hpp"
#include "../scale/crew.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <sys/single_threaded.h>
#include <typeinfo>

namespace ringproof::verify {

explorer* explorer::active_ = nullptr;
bool explorer::program_runs_ = false;
int explorer::exit_code = 0;

/// What is freed from now on is not the program's.
explorer::~explorer() {
    if (active_ == this) active_ = nullptr;
}

void explorer::start(const std::function<void()>& body) {
    active_ = this;
    __libc_single_threaded = 0; // counts of shared_ptr, for one, are atomic only then
    body_ = &body;
    begun_ = std::chrono::steady_clock::now();
    names_.assign(1, {0, 0});
    clock_groups::reset();
    graph_.fit_clocks();
    set_aside_.fit();
    thread_count_ = 1;
    thread_state& main = threads_[0];
    main = thread_state{};
    main.status = thread_status::ready;
    main.pending = true;
    main.alone = true;
    main.what.act = action::begin;
    main.floats = floating_point::now().without_flags();
    main.context = new_stack(0);
    live_ = ~0u;
}

boost::context::detail::fcontext_t explorer::new_stack(thread_id t) {
    const std::uintptr_t top = storage_of(t);
    storage_.begin(t, top);
    return boost::context::detail::make_fcontext(reinterpret_cast<void*>(top),
                                                 memory_.stack(t).size() - storage_.size(t), fiber_main);
}

/// A thread is named by its parent and its place among the parent's children, so that it is the
/// same thread in every execution.
thread_id explorer::spawn(void* (*routine)(void*), void* argument, std::uintptr_t site) {
    thread_state& parent = self();
    thread_id child = name_child(parent, site);
    ++parent.children;
    request what;
    what.act = action::create;
    what.other = child;
    what.site = site;
    what.address = reinterpret_cast<std::uintptr_t>(routine);
    what.operand = reinterpret_cast<std::uintptr_t>(argument);
    if (const int owner = memory_.stack_owner(reinterpret_cast<std::uintptr_t>(argument)); owner >= 0)
        images_.watch(static_cast<thread_id>(owner)); // the child is told an address there
    visible(what);
    return child;
}

thread_id explorer::name_child(const thread_state& parent, std::uintptr_t site) {
    const inside engine;
    thread_id child = 0;
    for (thread_id t = 1; t < names_.size(); ++t)
        if (names_[t].parent == parent.id && names_[t].nth == parent.children) child = t;
    if (child == 0 && crew_) return name_in_crew(parent, site);
    if (child == 0) {
        if (names_.size() == max_threads) too_many_threads(site);
        child = static_cast<thread_id>(names_.size());
        names_.push_back({parent.id, parent.children});
    }
    return child;
}

void explorer::too_many_threads(std::uintptr_t site) {
    fail_here(failure_kind::limit,
              "the program creates more than " + std::to_string(max_threads - 1) +
                  " threads beside main, over all its executions",
              site, 0);
}

void explorer::create_thread(thread_state& parent, event_id create) {
    const thread_id t = parent.what.other;
    if (t >= thread_count_) {
        for (thread_id between = thread_count_; between < t; ++between) threads_[between] = thread_state{};
        thread_count_ = static_cast<std::uint16_t>(t + 1);
    }
    thread_state& child = threads_[t];
    child = thread_state{};
    child.id = t;
    child.parent = parent.id;
    child.status = thread_status::ready;
    child.created = create;
    child.start = reinterpret_cast<void* (*)(void*)>(parent.what.address);
    child.argument = reinterpret_cast<void*>(static_cast<std::uintptr_t>(parent.what.operand));
    child.pending = true;
    child.what.act = action::begin;
    child.what.site = parent.what.site;
    child.clock = parent.clock;
    child.floats = parent.floats;
    child.context = new_stack(t);
    live_ |= 1u << t;
    parent.alone = false;
}

void explorer::fiber_main(boost::context::detail::transfer_t from) {
    auto* self = static_cast<explorer*>(from.data);
    self->engine_ = from.fctx;
    thread_state& t = self->self();
    t.floats.enter();
    try {
        if (t.start)
            t.returned = t.start(t.argument);
        else {
            self->choose_allocator();
            (*self->body_)();
        }
        end_of_thread();
        if (t.id == 0) end_of_program();
    } catch (const std::exception& e) {
        self->fail_here(failure_kind::unhandled_exception,
                        std::string("unhandled exception ") + typeid(e).name() + ": " + e.what(), 0, 0);
    } catch (...) {
        self->fail_here(failure_kind::unhandled_exception, "unhandled exception", 0, 0);
    }
    request what;
    what.act = action::end;
    self->visible(what);
    std::terminate(); // an ended thread is never resumed
}

void explorer::resume(thread_id t) {
    thread_state& th = threads_[t];
    current_ = t;
    th.dirty = true;
    forget_round(th);
    find_quiet(th);
    const std::uintptr_t kept = storage_of(t);
    storage_.enter(t, kept);
    program_runs_ = true;
    const auto back = boost::context::detail::jump_fcontext(th.context, this);
    program_runs_ = false;
    storage_.leave(t, kept);
    th.context = back.fctx;
    settle(th);
    if (restart_) throw anew{};
}

/// Where `t` can access memory with nobody to race with, and no record that wants to know.
void explorer::find_quiet(const thread_state& t) {
    quiet_ = t.alone && !interrupts_ && !tracing_ ? memory_.stack(t.id) : memory_range{};
}

/// What the running thread did up to its last request is no longer asked for.
void explorer::forget_round(thread_state& t) {
    t.plain_accesses = 0;
    t.places_passed = 0;
    overwritten_.clear();
    overwritten_unknown_ = false;
}

/// Whether the request of the running thread, which the search lets go on as the first that can, leaves no
/// choice, and the same thread the first that can: going to the engine and back would change nothing.
bool explorer::can_do_at_once(const thread_state& t, const request& what) const {
    switch (what.act) {
    case action::fence:
    case action::create:
        break;
    case action::join:
        if (threads_[what.other].status != thread_status::finished) return false;
        break;
    default:
        return false;
    }
    constexpr unsigned engine_looks_each = 32; // steps: at the clock, at other processes
    return !t.handlers && !restart_ && (result_.events + 1) % engine_looks_each != 0 &&
           graph_.size() < limits_.execution_events;
}

value_t explorer::visible(const request& what) {
    if (volatile_.size != 0) settle_volatile();
    check_request(what);
    thread_state& t = self();
    t.floats = floating_point::now();
    const bool from_program = program_runs_;
    if (at_once_ && can_do_at_once(t, what)) {
        program_runs_ = false;
        t.what = what;
        settle(t);
        forget_round(t);
        ++result_.events;
        add_other(t.id, ++stamp_);
        find_quiet(t);
        program_runs_ = from_program;
        return t.result;
    }
    const int error = errno;
    for (;;) {
        t.what = what;
        t.pending = true;
        program_runs_ = false;
        if (tracing_) note_visible(what);
        engine_ = boost::context::detail::jump_fcontext(engine_, nullptr).fctx;
        if (t.fire == 0) break;
        run_handler(); // which comes in before the request
        if (what.act == action::point && !may_be_interrupted(t)) break;
    }
    t.floats.enter();
    if (t.handlers) settle_order(what);
    note_address(static_cast<std::uintptr_t>(t.result));
    errno = error;
    program_runs_ = from_program;
    return t.result;
}

/// What is known only once the thread has come to its next request: the values its plain writes
/// left in atomic locations, and whether its plain writes changed anything.
void explorer::settle(thread_state& t) {
    if (t.unsettled_from != 0 && !(t.what.act == action::plain_write && t.what.more)) {
        for (unsigned i = t.unsettled_from; i < t.next_index; ++i) {
            event& e = graph_.at(graph_.in_thread(t.id, i));
            if (e.kind == event_kind::write && e.mo == order::plain)
                e.value = read_memory(graph_.loc(e.location).address, e.size);
        }
        t.unsettled_from = 0;
    }
    bool changed = overwritten_unknown_;
    for (const overwritten& o : overwritten_)
        changed = changed || std::memcmp(reinterpret_cast<const void*>(o.address), o.bytes, o.size) != 0;
    if (changed) t.pure_since = t.next_index;
}

void explorer::yield() {
    thread_state& t = self();
    t.idle_yields = t.yielded_at == t.next_index ? t.idle_yields + 1 : 0;
    t.yielded_at = t.next_index;
    if (t.idle_yields > limits_.spins)
        fail_here(failure_kind::livelock, "livelock: a loop that yields but reads nothing that could change",
                  0, 0);
}

unsigned explorer::choose(unsigned bound, std::uintptr_t site) {
    if (bound < 2) return 0;
    request what;
    what.act = action::choose;
    what.operand = bound;
    what.site = site;
    return static_cast<unsigned>(visible(what));
}

/// What the running thread did since its last request makes this round of a loop unlike the one before.
void explorer::note_effect() { overwritten_unknown_ = true; }

void explorer::cover(const char* situation) {
    const inside engine;
    result_.covered.insert(situation);
}

void explorer::bound(const char* what) {
    const inside engine;
    if (std::find(result_.bounds.begin(), result_.bounds.end(), what) == result_.bounds.end())
        result_.bounds.emplace_back(what);
}

void explorer::check_exit_code(int code, const char* ends, std::uintptr_t site) {
    constexpr int seen_by_parent = 0xff; // of an exit code, as POSIX has it
    if ((code & seen_by_parent) == exit_code) return;
    const inside engine;
    fail_here(failure_kind::abort,
              ends + std::to_string(code) +
                  (exit_code == 0 ? std::string() : ", not the expected " + std::to_string(exit_code)),
              site, 0);
}

void explorer::fail_here(failure_kind kind, std::string message, std::uintptr_t site,
                         std::uintptr_t address) {
    program_runs_ = false; // what follows allocates for the engine
    failure f;
    f.kind = kind;
    f.message.assign(message.data(), message.size()); // not moved: it may lie in the program's heap
    f.thread = current_;
    f.site = site;
    f.address = address;
    fail_with(std::move(f));
}

void explorer::fail_with(failure f) {
    program_runs_ = false;
    pending_failure_ = f; // copied, for the same reason
    request what;
    what.act = action::fail;
    what.site = pending_failure_.site;
    visible(what);
    std::terminate(); // a failed thread is never resumed
}

} // namespace ringproof::verify
