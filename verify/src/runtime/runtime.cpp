// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include "call_steps.hpp"
#include "map_errors.hpp"

#include "../program/request_kinds.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <typeinfo>

namespace ringproof::verify {

runtime* runtime::active_ = nullptr;
int runtime::exit_code = 0;

runtime::runtime(search_facts& f, program& p, graph& g, race_detector& d, recorder& w, ends e)
    : facts_(f), program_(p), graph_(g), recorder_(w), ends_(e), interrupts_(*this, p, d, f),
      addresses_(*this, p, d, f), accesses_(*this, p, g, d, w, f), allocations_(*this, p, g, d, w, f),
      mappings_(*this, p, g, d, w, f), multi_locks_(f, p, *this) {}

/// What is freed from now on is not the program's.
runtime::~runtime() {
    if (active_ == this) active_ = nullptr;
}

void runtime::start(const std::function<void()>& body) {
    active_ = this;
    body_ = &body;
    names_.begin();
    program_.start(begin_thread, this);
}

void runtime::begin_thread(boost::context::detail::transfer_t from) {
    auto* self = static_cast<runtime*>(from.data);
    self->program_.entered_from(from);
    thread_state& t = self->self();
    t.floats.enter();
    try {
        if (t.start)
            t.returned = t.start(t.argument);
        else {
            self->allocations_.choose_allocator();
            self->multi_locks_.say();
            (*self->body_)();
        }
        if (!t.start && program::in_process()) self->check_exit_code(0, "", 0);
        self->ends_.of_thread();
        if (t.id == 0) self->ends_.of_program();
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

/// A thread is named by its parent and its place among the parent's children, so that it is the
/// same thread in every execution.
thread_id runtime::spawn(void* (*routine)(void*), void* argument, std::uintptr_t site) {
    thread_state& parent = program_.self();
    thread_id child = name_child(parent, site);
    ++parent.children;
    request what;
    what.act = action::create;
    what.other = child;
    what.site = site;
    what.address = reinterpret_cast<std::uintptr_t>(routine);
    what.operand = reinterpret_cast<std::uintptr_t>(argument);
    accesses_.note_shared(reinterpret_cast<std::uintptr_t>(argument));
    visible(what);
    return child;
}

/// Both the caller and the thread that continues as its copy come back from this.
thread_id runtime::fork_process(std::uintptr_t site) {
    const int error = errno;
    {
        thread_state& parent = program_.self();
        accesses_.end_volatile();
        request what;
        what.act = action::create;
        what.word = "fork";
        what.site = site;
        what.other = name_child(parent, site);
        ++parent.children;
        const std::size_t size = mapped::whole_pages(process::size_for(program_.memory()));
        what.into = mappings_.map_home(size, site);
        if (!mapped::touch(what.into, size)) no_room_for_layers(*this, site);
        parent.floats = floating_point::now();
        parent.what = what;
        parent.pending = true;
        program::set_running(false); // what follows allocates for the engine
        if (facts_.tracing) recorder_.note_visible(what);
    }
    program_.ask();
    thread_state& t = program_.self(); // the parent, or its child in a copy of this frame
    t.floats.enter_behind_switch();
    errno = error;
    program::set_running(true);
    return t.id;
}

thread_id runtime::name_child(const thread_state& parent, std::uintptr_t site) {
    const inside engine;
    const std::size_t child = names_.number(parent.id, parent.children);
    if (child == max_threads)
        fail_here(failure_kind::limit,
                  "the program creates more than " + std::to_string(max_threads - 1) +
                      " threads beside main, over all its executions",
                  site, 0);
    return static_cast<thread_id>(child);
}

/// Whether the request of the running thread, which the search lets go on as the first that can, leaves no
/// choice, and the same thread the first that can: going to the engine and back would change nothing.
bool runtime::can_do_at_once(const thread_state& t, const request& what) const {
    if (!kind_of(what.act).at_once || (what.act == action::fence && graph_.updates() != 0)) return false;
    if (what.act == action::join && program_.thread(what.other).status != thread_status::finished)
        return false;
    constexpr unsigned engine_looks_each = 32; // steps: at the clock, at other processes
    return t.process == 0 && !t.handlers && t.stops == stopping::off && !facts_.restart &&
           (facts_.result.events + 1) % engine_looks_each != 0 &&
           graph_.size() < facts_.limits.execution_events;
}

value_t runtime::ask(const request& what) {
    accesses_.end_volatile();
    addresses_.check_request(what);
    thread_state& t = program_.self();
    if (what.act != action::fail) accesses_.check_returned_locals(t, what.site);
    if (t.process == 0 && what.act != action::fail &&
        !program_.memory().stack(t.id).contains(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))))
        fail_here(failure_kind::unsupported,
                  "a thread that runs on another stack than its own (makecontext, a library of coroutines) "
                  "is not supported: give each task a thread for the check",
                  what.site, 0);
    t.floats = floating_point::now();
    const bool from_program = program::running();
    if (at_once_ && can_do_at_once(t, what)) {
        program::set_running(false);
        t.what = what;
        t.what.arguments = t.hook_arguments;
        perform_(t);
        program::set_running(from_program);
        return t.result;
    }
    const int error = errno;
    for (;;) {
        t.what = what;
        t.what.arguments = t.hook_arguments;
        t.pending = true;
        program::set_running(false);
        if (facts_.tracing) {
            recorder_.note_visible(what);
            t.floats.enter(); // the switch of stacks keeps what it finds
        }
        program_.ask();
        if (t.fire == 0) break;
        interrupts_.run_handler(); // which comes in before the request
        if (what.act == action::point && !may_be_interrupted(t)) break;
    }
    if (t.handlers)
        t.floats.enter(), interrupts_.settle_order(what);
    else
        t.floats.enter_behind_switch();
    accesses_.note_address(static_cast<std::uintptr_t>(t.result));
    errno = error;
    program::set_running(from_program);
    if (t.stops != stopping::off) stop_behind(what);
    return t.result;
}

/// A request at an address that may be a view's: it is the same at any address of that memory.
value_t runtime::visible_in_view(const request& what) {
    request at = what;
    at.address = program_.home_of(what.address);
    for (std::uintptr_t request::*in_stack : {&request::frame, &request::arrives_in, &request::into})
        if (at.*in_stack != 0) at.*in_stack = program_.home_in_process(at.*in_stack);
    if (kind_of(what.act).accesses) {
        if (what.size > 1 && program_.home_of(what.address + what.size - 1) - at.address != what.size - 1u)
            fail_here(failure_kind::unsupported,
                      "an atomic access over the end of a mapping is not supported", what.site, what.address);
        const inside engine;
        addresses_.at_home(what.address, what.size, what.act != action::load, what.site);
    }
    return visible_at_home(at);
}

void runtime::yield() {
    thread_state& t = program_.self();
    if (steps_of_a_call() != 0 && t.stops != stopping::off)
        fail_here(failure_kind::unsupported,
                  "a call yields, so its steps cannot be counted: leave the yield out to learn whether it is "
                  "wait-free",
                  0, 0);
    t.idle_yields = t.yielded_at == t.next_index ? t.idle_yields + 1 : 0;
    t.yielded_at = t.next_index;
    if (t.idle_yields > facts_.limits.spins)
        fail_here(failure_kind::livelock, "livelock: a loop that yields but reads nothing that could change",
                  0, 0);
}

unsigned runtime::choose(unsigned bound, std::uintptr_t site) {
    if (bound < 2) return 0;
    request what;
    what.act = action::choose;
    what.operand = bound;
    what.site = site;
    return static_cast<unsigned>(visible(what));
}

void runtime::cover(const char* situation) {
    const program::engine_runs engine;
    facts_.result.covered.insert(situation);
}

void runtime::bound(const char* what) {
    const program::engine_runs engine;
    if (std::find(facts_.result.bounds.begin(), facts_.result.bounds.end(), what) ==
        facts_.result.bounds.end())
        facts_.result.bounds.emplace_back(what);
}

void runtime::check_exit_code(int code, const char* how, std::uintptr_t site) {
    if (program::in_process()) ends_.of_process(code);
    constexpr int seen_by_parent = 0xff; // of an exit code, as POSIX has it
    if ((code & seen_by_parent) == exit_code) return;
    const program::engine_runs engine;
    fail_here(failure_kind::abort,
              how + std::to_string(code) +
                  (exit_code == 0 ? std::string() : ", not the expected " + std::to_string(exit_code)),
              site, 0);
}

void runtime::fail_here(failure_kind kind, std::string message, std::uintptr_t site, std::uintptr_t address) {
    program::set_running(false); // what follows allocates for the engine
    failure f;
    f.kind = kind;
    f.message.assign(message.data(), message.size()); // not moved: it may lie in the program's heap
    f.thread = program_.current();
    f.site = site;
    f.address = address;
    fail_with(std::move(f));
}

void runtime::fail_with(failure f) {
    program::set_running(false);
    reported_ = f; // copied, for the same reason
    request what;
    what.act = action::fail;
    what.site = reported_.site;
    visible(what);
    std::terminate(); // a failed thread is never resumed
}

void runtime::begin_anew_from_here() {
    facts_.restart = true;
    request what;
    what.act = action::block;
    visible(what);
    std::terminate(); // the search is another one now
}

/// Called by a signal now and then, while the program's own code runs.
bool runtime::must_give_up() const {
    if (!program::running()) return false;
    const program::engine_runs
        engine; // it is the engine that looks at the clock, in the middle of the program's code
    return search_facts::interrupted.load(std::memory_order_relaxed) ||
           (facts_.limits.seconds > 0 && facts_.elapsed() > facts_.limits.seconds);
}

namespace {

request end_of_wait(const char* how, std::uintptr_t address, std::uintptr_t site) {
    request what;
    what.act = action::choose;
    what.weak = true;
    what.operand = 2;
    what.address = address;
    what.site = site;
    what.word = how;
    return what;
}

} // namespace

/// Whether `t` knows of something that another thread did, and did not when it made its event `e`.
bool runtime::has_news(const thread_state& t, const event& e) const {
    const auto now = t.clocks.porf();
    const auto then = e.porf();
    for (thread_id u = 0; u < program_.thread_count(); ++u)
        if (u != t.id && now[u] > then[u]) return true;
    return false;
}

/// Whether one more wait of the running thread at `site` may end early, so that loops end which keep count of that, or
/// the like: a few in a row where no other thread has done anything. A thread that takes work out of a queue waits anew
/// for each piece of it: then as many as the pieces that programs to be checked have.
bool runtime::may_wake_again(std::uintptr_t site) const {
    constexpr unsigned most_in_a_row = 3, most = 6;
    const thread_state& t = program_.self();
    unsigned all = 0, in_a_row = 0;
    bool another = false; // thread has done something since
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (e.kind != event_kind::choice || e.site != site || e.word != wake_up_early) continue;
        if (!e.spurious) break;
        another = another || has_news(t, e);
        ++all;
        in_a_row += !another;
    }
    return in_a_row < most_in_a_row && all < most;
}

bool runtime::wakes_early(std::uintptr_t address, std::uintptr_t site) {
    bool may = facts_.limits.spurious != exploring::never;
    if (facts_.limits.spurious == exploring::when_told) may = may_wake_again(site);
    if (facts_.tracing && facts_.expected_choice != own_choice::wake) return false;
    facts_.waits_end_early = facts_.waits_end_early || may;
    if (!facts_.trying)
        facts_.take_for_granted(may ? assumption::early_wakes : assumption::spurious_wake, site);
    return (may || facts_.tracing) && visible(end_of_wait(wake_up_early, address, site)) != 0;
}

bool runtime::is_interrupted(std::uintptr_t address, std::uintptr_t site) {
    return visible(end_of_wait(signal, address, site)) != 0;
}

/// How often the waits of the running thread at `site` have timed out, in all and since it last let go of a mutex elsewhere.
std::pair<unsigned, unsigned> runtime::time_outs(std::uintptr_t site) const {
    const thread_state& t = program_.self();
    const auto at = [&](unsigned i) -> const event& { return graph_.at(graph_.in_thread(t.id, i)); };
    unsigned all = 0, in_a_row = 0;
    bool left = false;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = at(i);
        const bool waits = i > 1 && at(i - 1).kind == event_kind::choice && at(i - 1).weak;
        left = left || (e.kind == event_kind::write && e.lock && !e.rmw && !e.word && !waits);
        if (e.kind != event_kind::choice || e.site != site || e.word != time_out) continue;
        left = left || !e.spurious;
        all += e.spurious;
        in_a_row += e.spurious && !left;
    }
    return {all, in_a_row};
}

bool runtime::times_out(std::uintptr_t address, std::uintptr_t site) {
    constexpr unsigned most_in_a_row = 2, most = 4; // so that loops end which keep count, or the like
    facts_.waits_end_early = true;
    if (const auto [all, in_a_row] = time_outs(site); in_a_row >= most_in_a_row || all >= most) {
        if (!facts_.trying) bound("a timed wait in a loop times out twice in a row, and four times in all");
        return false;
    }
    return visible(end_of_wait(time_out, address, site)) != 0;
}

} // namespace ringproof::verify
