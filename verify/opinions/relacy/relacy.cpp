// SPDX-License-Identifier: Apache-2.0
// Scenarios on Relacy (github.com/dvyukov/relacy), whose headers are found by RINGPROOF_RELACY_ROOT. Its rl::atomic
// stands for each word that the scenario accesses atomically, its race detection for each byte that it accesses plainly.

#include "../shim/checker.hpp"
#include "../shim/words.hpp"

#include <chrono>
#include <map>
#include <new>
#include <sstream>

// Last, as it makes macros of malloc and others.
#include <relacy/relacy.hpp>

namespace ringproof::opinions {
namespace {

/// What an rl::atomic holds: the bytes of one access.
struct value {
    std::uint64_t bits;
    unsigned size;
    /// Relacy's atomics are born with a value that everybody has seen, which the language default-constructs; a word's
    /// first value is what the program's memory has.
    static inline std::uint64_t first_bits = 0;
    static inline unsigned first_size = 0;
    value() : bits(first_bits), size(first_size) {}
    value(std::uint64_t all, unsigned bytes) : bits(cut(all, bytes)), size(bytes) {}
    bool operator==(const value& other) const { return bits == other.bits; }
    value operator+(const value& by) const { return {bits + by.bits, size}; }
    value operator-(const value& by) const { return {bits - by.bits, size}; }
    value operator&(const value& by) const { return {bits & by.bits, size}; }
    value operator|(const value& by) const { return {bits | by.bits, size}; }
    value operator^(const value& by) const { return {bits ^ by.bits, size}; }
    friend std::ostream& operator<<(std::ostream& out, const value& v) { return out << v.bits; }
};

using word = rl::atomic<value>;
static_assert(sizeof(word) <= words::block_bytes);

constexpr unsigned max_threads = 5; ///< what Relacy is instantiated for, with the scenario's own

std::uint64_t native(std::uintptr_t at, unsigned size) {
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, reinterpret_cast<const void*>(at), size);
    return bits;
}

rl::memory_order order_of(int order) { return static_cast<rl::memory_order>(order); }

class relacy final : public tool {
  public:
    std::uint64_t load(const access& what) override {
        const auto info = place_of(what.where);
        const value seen = atomic(what).load(order_of(what.order), info);
        check_plain(what);
        return seen.bits;
    }

    void store(const access& what, std::uint64_t bits) override {
        const auto info = place_of(what.where);
        const publication together(*this, what);
        atomic(what).store(value(bits, what.size), order_of(what.order), info);
    }

    std::uint64_t update(const access& what, change operation, std::uint64_t operand) override {
        const auto info = place_of(what.where);
        const publication together(*this, what);
        word& changing = atomic(what);
        const value by(operand, what.size);
        const rl::memory_order order = order_of(what.order);
        value before;
        switch (operation) {
        case change::exchange:
            before = changing.exchange(by, order, info);
            break;
        case change::add:
            before = changing.fetch_add(by, order, info);
            break;
        case change::sub:
            before = changing.fetch_sub(by, order, info);
            break;
        case change::bit_and:
            before = changing.fetch_and(by, order, info);
            break;
        case change::bit_or:
            before = changing.fetch_or(by, order, info);
            break;
        case change::bit_xor:
            before = changing.fetch_xor(by, order, info);
            break;
        case change::bit_nand:
            cannot_express("it calls fetch_nand");
        }
        return before.bits;
    }

    bool compare_exchange(const access& what, int failure, bool weak, std::uint64_t& expected,
                          std::uint64_t desired) override {
        const bool weaker = what.order == __ATOMIC_RELAXED || what.order == __ATOMIC_RELEASE;
        if (failure > what.order || (weaker && failure != __ATOMIC_RELAXED))
            cannot_express("a compare-exchange has a stronger order for failure than for success");
        const auto info = place_of(what.where);
        value seen(expected, what.size);
        const value wanted(desired, what.size);
        const rl::memory_order order = order_of(what.order), failed = order_of(failure);
        const publication together(*this, what);
        word& changing = atomic(what);
        const bool done = weak ? changing.compare_exchange_weak(seen, wanted, order, failed, info)
                               : changing.compare_exchange_strong(seen, wanted, order, failed, info);
        expected = seen.bits;
        return done;
    }

    void fence(int order, place where) override { rl::atomic_thread_fence(order_of(order), place_of(where)); }

    void plain(std::uintptr_t at, std::uintptr_t size, bool write, place where) override {
        rl::context& context = rl::ctx();
        for (std::uintptr_t byte = at; byte != at + size; ++byte) {
            void*& known = words_.of(byte).plain[byte % word_bytes];
            if (!known) known = context.var_ctor();
            auto* const data = static_cast<rl::var_data*>(known);
            if (!(write ? data->store(*context.threadx_) : data->load(*context.threadx_))) race(where);
        }
    }

    void written(std::uintptr_t at, std::uintptr_t size, place where) override {
        for (std::uintptr_t byte = at & ~std::uintptr_t{word_bytes - 1}; byte < at + size;
             byte += word_bytes) {
            const word_state* state = words_.find(byte);
            for (unsigned i = 0; state && i != word_bytes; ++i) {
                if (!state->atomic[i] || byte + i >= at + size || byte + i + state->size[i] <= at) continue;
                const rl::preemption_disabler together(rl::ctx()); // with the write that has taken place
                static_cast<word*>(state->atomic[i])
                    ->store(value(native(byte + i, state->size[i]), state->size[i]), rl::mo_relaxed,
                            place_of(where));
            }
        }
    }

    void yield(place where) override { rl::ctx().yield(1, place_of(where)); }

    unsigned start(void* (*body)(void*), void* argument) override {
        if (started_ == threads_) { // more than Relacy was instantiated for
            more_threads_ = true;
            rl::ctx().rl_until("threads", place_of(0));
        }
        thread& one = all_[started_];
        one = {body, argument, nullptr};
        one.handle = rl::ctx().create_thread(
            [](void* self) -> void* {
                const auto& mine = *static_cast<const thread*>(self);
                enter(&only());
                mine.body(mine.argument);
                leave();
                return nullptr;
            },
            &one, nullptr);
        return started_++;
    }

    void join(unsigned which, place where) override {
        all_[which].handle->wait(false, false, place_of(where));
    }

    void lock(std::uintptr_t mutex, bool recursive, place where) override {
        mutex_of(mutex, recursive).lock_exclusive(false, place_of(where));
    }
    bool try_lock(std::uintptr_t mutex, bool recursive, place where) override {
        return mutex_of(mutex, recursive).try_lock_exclusive(place_of(where));
    }
    void unlock(std::uintptr_t mutex, place where) override {
        mutex_of(mutex, false).unlock_exclusive(place_of(where));
    }
    void wait(std::uintptr_t condition, std::uintptr_t mutex, place where) override {
        const held owner(mutex_of(mutex, false));
        condition_of(condition).wait(owner, false, place_of(where));
    }
    void notify(std::uintptr_t condition, bool all, place where) override {
        rl::condvar_data& one = condition_of(condition);
        all ? one.notify_all(place_of(where)) : one.notify_one(place_of(where));
    }

    void fail(const char* what, place where) override {
        failed_at_ = where;
        rl::ctx().fail_test(what, rl::test_result_user_assert_failed, place_of(where));
    }

    static relacy& only() {
        static relacy one;
        return one;
    }

    search_result search(const named_scenario& scenario, const search_options& options);

    // ---- what Relacy calls ---------------------------------------------------------------------

    void begin_run() {
        ++runs_;
        if (stopped_ || (deadline_ != clock::time_point() && clock::now() > deadline_)) {
            if (!stopped_) --runs_;
            stopped_ = true;
            rl::ctx().rl_until("time", place_of(0));
        }
        words_.clear();
        mutexes_.clear();
        conditions_.clear();
        reset_program();
        started_ = 0;
    }

    void run() {
        enter(this);
        body_();
        leave();
    }

    void end_run() {
        rl::context& context = rl::ctx();
        for (word_state& state : words_)
            for (unsigned i = 0; i != word_bytes; ++i) {
                if (state.plain[i]) context.var_dtor(static_cast<rl::var_data*>(state.plain[i]));
                if (state.atomic[i]) static_cast<word*>(state.atomic[i])->~word();
            }
        for (const auto& [at, mutex] : mutexes_) context.mutex_dtor(mutex);
        for (const auto& [at, condition] : conditions_) context.condvar_dtor(condition);
    }

  private:
    using clock = std::chrono::steady_clock;
    struct thread {
        void* (*body)(void*);
        void* argument;
        rl::win_waitable_object* handle;
    };

    /// A mutex as Relacy's condition variables take it.
    struct held final : rl::mutex_wrapper {
        explicit held(rl::generic_mutex_data& m) : mutex(m) {}
        void lock(rl::debug_info_param info) const override { mutex.lock_exclusive(false, info); }
        void unlock(rl::debug_info_param info) const override { mutex.unlock_exclusive(info); }
        rl::generic_mutex_data& mutex;
    };

    rl::generic_mutex_data& mutex_of(std::uintptr_t at, bool recursive) {
        rl::generic_mutex_data*& known = mutexes_[at];
        if (!known) known = rl::ctx().mutex_ctor(false, recursive, false, false);
        return *known;
    }
    /// Without spurious wake-ups, which may end a sleep that otherwise lasts for ever.
    rl::condvar_data& condition_of(std::uintptr_t at) {
        rl::condvar_data*& known = conditions_[at];
        if (!known) known = rl::ctx().condvar_ctor(false);
        return *known;
    }

    /// An access that may publish is noted before it takes place, so that whoever acquires it knows of it; no other thread
    /// comes in between.
    struct publication {
        publication(relacy& on, const access& what) : scheduled_(on.schedule()), together_(rl::ctx()) {
            on.check_plain(what);
        }
        bool scheduled_;
        rl::preemption_disabler together_;
    };
    bool schedule() {
        rl::ctx().sched();
        return true;
    }

    word& atomic(const access& what) {
        word_state& state = words_.of(what.at);
        const unsigned i = what.at % word_bytes;
        if (i + what.size > word_bytes) cannot_express("an atomic access crosses the border of a word");
        if (!state.atomic[i]) {
            for (unsigned other = 0; other != word_bytes; ++other)
                if (state.atomic[other] && other < i + what.size && i < other + state.size[other])
                    cannot_express("atomic accesses of different sizes overlap");
            value::first_bits = native(what.at, what.size), value::first_size = what.size;
            state.size[i] = static_cast<unsigned char>(what.size);
            state.atomic[i] = new (words_.block()) word;
        }
        if (state.size[i] != what.size) cannot_express("atomic accesses of different sizes overlap");
        return *static_cast<word*>(state.atomic[i]);
    }

    /// An atomic access races with plain writes, and later plain writes with it.
    void check_plain(const access& what) {
        const word_state& state = words_.of(what.at);
        rl::context& context = rl::ctx();
        for (unsigned i = what.at % word_bytes, end = i + what.size; i != end; ++i)
            if (state.plain[i] && !static_cast<rl::var_data*>(state.plain[i])->load(*context.threadx_))
                race(what.where);
    }

    void race(place where) {
        failed_at_ = where;
        rl::ctx().fail_test("data race detected", rl::test_result_data_race, place_of(where));
    }

    /// Relacy keeps the pointer, and prints it with the run that it shows. Lines are looked up later: there is little room
    /// on the stacks of its threads.
    rl::debug_info place_of(place where) {
        if (where == 0 || !rl::ctx().collecting_history()) return rl::debug_info("", "", 0);
        return rl::debug_info("", places_.emplace(where, marked(where)).first->second.c_str(), 0);
    }
    static std::string marked(place where) { return "<" + std::to_string(where) + ">"; }

    /// What Relacy has printed, with lines for places.
    std::string readable(std::string text) const {
        for (const auto& [where, mark] : places_)
            for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
                text.replace(at, mark.size(), place_text(where));
        return text;
    }

    std::map<place, std::string> places_;
    words words_;
    std::map<std::uintptr_t, rl::generic_mutex_data*> mutexes_;
    std::map<std::uintptr_t, rl::condvar_data*> conditions_;
    thread all_[max_threads] = {};
    unsigned threads_ = 0, started_ = 0;
    bool more_threads_ = false, stopped_ = false;
    place failed_at_ = 0;
    std::uint64_t runs_ = 0;
    clock::time_point deadline_;
    void (*body_)() = nullptr;
};

/// The scenario as Relacy takes it: one thread, which begins the others.
template <unsigned Threads>
struct suite : rl::test_suite<suite<Threads>, 1> {
    static const rl::thread_id_t dynamic_thread_count = Threads;
    void before() { relacy::only().begin_run(); }
    void thread(unsigned) { relacy::only().run(); }
    void after() { relacy::only().end_run(); }
};

rl::scheduler_type_e scheduler_of(const std::string& name) {
    if (name == "full") return rl::fair_full_search_scheduler_type;
    if (name == "context-bound") return rl::fair_context_bound_scheduler_type;
    return rl::random_scheduler_type;
}

search_result relacy::search(const named_scenario& scenario, const search_options& options) {
    std::ostringstream history, progress;
    rl::test_params parameters;
    parameters.output_stream = &history;
    parameters.progress_stream = &progress;
    parameters.search_type = scheduler_of(options.scheduler);
    parameters.context_bound = options.context_bound;
    parameters.execution_depth_limit *=
        2; // the shim asks for a switch before each access that may publish, too
    // A random scheduler's seed is the number of its first run.
    const std::uint64_t first = ((options.seed - 1) << 32) + 1;
    const bool random = parameters.search_type == rl::random_scheduler_type;
    if (random) {
        parameters.iteration_count = first + options.runs - 1;
        parameters.initial_state = std::to_string(first).c_str();
    }
    body_ = scenario.body;
    const auto begin = clock::now();
    deadline_ = options.seconds > 0 ? begin + std::chrono::duration_cast<clock::duration>(
                                                  std::chrono::duration<double>(options.seconds))
                                    : clock::time_point();
    rl::test_params result;
    for (const unsigned threads : {1u, 2u, max_threads - 1}) {
        threads_ = threads, runs_ = 0, more_threads_ = stopped_ = false;
        result = parameters;
        history.str("");
        if (threads == 1)
            rl::simulate<suite<1>>(result);
        else if (threads == 2)
            rl::simulate<suite<2>>(result);
        else
            rl::simulate<suite<max_threads - 1>>(result);
        if (!more_threads_) break;
    }
    if (more_threads_) cannot_express("it has more than 5 threads");
    search_result found;
    found.bug = result.test_result != rl::test_result_success && !stopped_;
    found.finished = !found.bug && !stopped_;
    if (found.bug) {
        --runs_; // it was run again, to be shown
        const std::string all = history.str();
        found.history =
            readable(all.substr(0, all.find("\nthread 0:"))); // the same again, by threads, comes behind
        found.place = place_text(failed_at_);
    }
    found.runs = runs_;
    found.seconds = std::chrono::duration<double>(clock::now() - begin).count();
    found.words = stopped_ ? "" : rl::test_result_str(result.test_result);
    return found;
}

} // namespace

const checker& this_checker() {
    static const checker self{"relacy",
                              {"full", "context-bound", "random"},
                              "Relacy explores schedules, not the executions of RC11: of a word it remembers "
                              "three values, a full search "
                              "reads the newest or the one before; it misses weak 2+2W and S, and old values "
                              "in a failed compare-exchange"};
    return self;
}

search_result search(const named_scenario& scenario, const search_options& options) {
    return relacy::only().search(scenario, options);
}

} // namespace ringproof::opinions
