// SPDX-License-Identifier: Apache-2.0
#pragma once
// The exploration: TruSt ("Truly Stateless, Optimal Dynamic Partial Order Reduction", Kokologiannakis,
// Marmanis, Gladstein, Vafeiadis, POPL 2022), depth first over saved states of the program.
//
// A node is a point where the exploration can go more than one way: a read with several writes to
// read from, a write with several places in co, or earlier reads that the write can revisit. It keeps
// the program's state from before the access. Going another way restores that state instead of
// running the program again. A revisit of read r by write w restores the state of r's node, replays
// what w's porf-prefix keeps of the events after r, adds w, and lets r read from it; while its subtree
// is explored, what was taken off the graph is set aside in a frame.

#include "../graph/graph.hpp"
#include "../interrupt/footprints.hpp"
#include "../model/model.hpp"
#include "../runtime/images.hpp"
#include "../runtime/memory.hpp"
#include "../runtime/shadow.hpp"
#include "../runtime/thread.hpp"
#include "../runtime/tls.hpp"
#include "attempts.hpp"
#include "notes.hpp"
#include "round_kinds.hpp"
#include "search_node.hpp"
#include "stack_copy.hpp"

#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

class crew;
class priorities;
struct attached_handler;

class explorer {
  public:
    using progress_function = std::function<void(const exploration_result&)>;
    using execution_function = std::function<void(const explorer&)>;

    explorer(const model& m, exploration_limits limits);
    /// Searches with so many processes; see exploration_options.
    void use_jobs(unsigned jobs, double share_after);
    ~explorer();

    /// Explores every execution of `body`.
    exploration_result explore(const std::function<void()>& body);

    /// Runs the one execution that `steps` describe, as far as they go.
    exploration_result replay(const std::function<void()>& body, const std::vector<step>& steps);

    void on_progress(progress_function f) { progress_ = std::move(f); }
    void on_complete(execution_function f) { complete_ = std::move(f); }
    void on_state(std::function<std::string()> f) { describe_state_ = std::move(f); }
    void want_digest() { digests_ = true; }
    /// The running thread has been computing for long, without coming back here: is it to give up?
    bool must_give_up() const;
    std::uint64_t steps_done() const { return result_.events; }
    static std::atomic<bool> interrupted; ///< set by a signal handler
    static int exit_code;                 ///< that each execution must end with

    // --- what the runtime calls, on the stack of the program's thread -------------------------------
    static explorer* active() { return active_; }   ///< the explorer whose program is running, or null
    static bool running() { return program_runs_; } ///< whether the caller is the program under test
    /// While it lives, what runs on the program's stack is the engine: its allocations are not the program's.
    struct inside {
        inside() { program_runs_ = false; }
        ~inside() { program_runs_ = true; }
        inside(const inside&) = delete;
        inside& operator=(const inside&) = delete;
    };
    value_t visible(const request& what);
    void plain(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
        // Nobody is there to race with, and nobody will ask who wrote to the stack.
        const bool quiet =
            quiet_.contains(address) && volatile_.size == 0 && !shadow_.is_atomic(address, size);
        if (!quiet) return plain_shared(address, size, write, site);
        if (++self().plain_accesses > limits_.plain_accesses) too_many_plain(address, site);
    }
    void plain_shared(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    [[noreturn]] void too_many_plain(std::uintptr_t address, std::uintptr_t site);
    /// The same, unless it is on the thread's own stack.
    void plain_beyond_stack(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    /// Just before a volatile access: a relaxed atomic one whose value the program moves itself.
    void volatile_read(std::uintptr_t address, std::size_t size, std::uintptr_t site, std::uintptr_t frame);
    void volatile_write(std::uintptr_t address, std::size_t size, std::uintptr_t site,
                        std::uintptr_t function_frame);
    /// A read of heap memory that nobody has written to is an error.
    void check_initialised(std::uintptr_t address, std::size_t size, std::uintptr_t site) {
        if (memory_.in_heap(address)) check_heap_read(address, size, site);
    }
    /// The running thread has come to know `value`, which may be an address in another thread's stack.
    void note_address(std::uintptr_t value) {
        const int owner = memory_.stack_owner(value);
        if (owner >= 0 && owner != static_cast<int>(current_)) images_.watch(static_cast<thread_id>(owner));
    }
    /// The same for each word of what it reads.
    void note_addresses(std::uintptr_t address, std::size_t size) {
        for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= size; i += sizeof(std::uintptr_t)) {
            std::uintptr_t value;
            std::memcpy(&value, reinterpret_cast<const void*>(address + i), sizeof value);
            note_address(value);
        }
    }
    [[noreturn]] void fail_here(failure_kind kind, std::string message, std::uintptr_t site,
                                std::uintptr_t address);
    [[noreturn]] void fail_with(failure f);
    /// Refutes an execution whose program ends with another exit code than it is to.
    void check_exit_code(int code, const char* ends, std::uintptr_t site);
    void yield();
    void note_effect();
    /// Any number below `bound`: each is explored.
    unsigned choose(unsigned bound, std::uintptr_t site);
    /// @param frame of the hook, and `site`: 0 for what the engine keeps in the program's heap
    void* allocate(std::size_t size, std::size_t alignment, std::uintptr_t site = 0,
                   std::uintptr_t frame = 0);
    /// Whether the running thread's wait on `address` ends although nobody wakes it.
    bool wakes_early(std::uintptr_t address, std::uintptr_t site);
    void release(void* p, std::uintptr_t site);
    /// What mmap and its kin come to, on whole pages; see mapped.hpp. @return 0 when there is no room
    std::uintptr_t map(const mapped::layer& what, std::size_t size);
    /// Maps anew what is mapped.
    void map_again(const mapped::layer& what);
    void unmap(mapped::layer what);
    void protect(const mapped::layer& what);
    /// Begins the search again, which has to know from its beginning what it has met here.
    [[noreturn]] void begin_anew_from_here();
    /// A layer that the running thread makes.
    mapped::layer layer_of(memory_range range, std::uint8_t rights, std::uintptr_t site);
    thread_id spawn(void* (*routine)(void*), void* argument, std::uintptr_t site);
    thread_state& self() { return threads_[current_]; }
    thread_state& thread(thread_id t) { return threads_[t]; }
    std::uint16_t thread_count() const { return thread_count_; }
    program_memory& memory() { return memory_; }
    /// Whether `a` is thread-local: nobody else's affair.
    bool is_private(std::uintptr_t a) const { return storage_.is_shared(a); }
    void cover(const char* situation);
    void attach(attached_handler& h);
    void detach(attached_handler& h, std::uintptr_t site);
    /// Keeps handlers up to `level` out of the running thread. @return the level up to which they were
    unsigned mask(unsigned level, bool more, std::uintptr_t site);
    void compiler_barrier(order mo, std::uintptr_t site);
    /// A place where a handler of the running thread may come in, before an access that is no event.
    void place(unsigned ordinal, std::uintptr_t site);
    /// Notes that executions are cut short here: the verdict will be inconclusive.
    void bound(const char* what);
    /// Notes that the program has evaluated an assertion.
    void note_evaluated() { result_.evaluated = true; }
    /// Enters into the ledger that something was taken for granted at `site`; may be called from anywhere.
    void take_for_granted(assumption what, std::uintptr_t site) {
        const bool was_running = program_runs_;
        program_runs_ = false; // the ledger is the engine's memory
        ++result_.assumptions[{what, site}];
        program_runs_ = was_running;
    }

    const graph& execution() const { return graph_; }

    // --- parts of a search, in ../scale ------------------------------------------------------------
    /// A node on a walk from the root, where one of its ways is to be taken.
    struct crossing {
        unsigned kind = 0;
        thread_id thread = 0;
        std::uint32_t index = 0; ///< of the thread's next event
        std::uint32_t options = 0, revisits = 0;
        std::uint32_t ways() const { return options + revisits; }
    };
    using way_picker = std::function<std::uint32_t(const crossing&)>;
    /// Walks from the root to an end, again and again, one way at each node, until `ended`, which is told
    /// how many complete executions the walk met, says stop.
    using walk_end = std::function<bool(std::uint64_t, const exploration_result&)>;
    exploration_result walk(const std::function<void()>& body, const way_picker& pick, const walk_end& ended);
    /// The same, but executions are made by a scheduler rather than by ways through the search.
    exploration_result schedule(const std::function<void()>& body, priorities& order, const walk_end& ended);
    /// Goes on where an earlier search of the same program was stopped.
    void resume_from(const exploration_result& earlier);

  private:
    void start(const std::function<void()>& body);
    bool search_parts();
    void search();
    bool go_on();
    bool leave_behind(thread_id t);
    thread_id next_thread();
    bool enabled(const thread_state& t) const;
    void resume(thread_id t);
    void forget_round(thread_state& t);
    void find_quiet(const thread_state& t);
    void until_pending(thread_id t);
    void finish_execution();
    void check_stuck();
    bool can_go_on(const thread_state& t) const;
    bool is_outdated(const event& e) const;
    bool will_wake(const thread_state& t) const;
    bool may_have_slept(event_id reader, const event& wake, const event& seen) const;
    bool backtrack();
    enum class outcome : std::uint8_t { alive, dead, exhausted };
    outcome next_option(std::uint32_t n);
    bool out_of_budget();
    bool stop_now(const char* why);
    double elapsed() const;
    bool too_many_rounds(const thread_state& t);
    [[noreturn]] void too_many_events(const thread_state& t);
    struct loop {
        std::uintptr_t site;
        unsigned rounds;
    };
    loop busiest_loop(const thread_state& t) const;
    void note_busiest_loop();

    // Parts of a search.
    bool walk_on(const way_picker& pick, std::size_t until);
    bool walk_is_over();
    exploration_result walk_through(const std::function<void()>& body, const std::function<void()>& once,
                                    const walk_end& ended);
    bool can_be_scheduled(const thread_state& t) const;
    void run_scheduled(priorities& order);
    void perform_scheduled(thread_id t, priorities& order);
    bool may_interrupt(thread_id t, priorities& order);
    void schedule_read(thread_id t, priorities& order);
    bool take(std::uint32_t n, std::uint32_t way, bool first_alive);
    crossing crossing_of(std::uint32_t n) const;
    void unwind(std::size_t keep);
    double fraction() const;
    double left() const;
    /// To tell how far a search is takes a look at all of its nodes: once in as many steps.
    bool progress_is_due() {
        if (result_.events - told_at_ < nodes_.size()) return false;
        told_at_ = result_.events;
        return true;
    }
    search_position position() const;
    void keep_ways(search_node& n, std::uint32_t end);
    bool share();
    bool others_stopped();
    void gather();
    bool go_to(const search_position& p);

    // Ways on, each from the state in which the thread's request is pending. They return false where
    // the branch leads nowhere.
    bool perform(thread_id t);
    bool perform_read(thread_id t, unsigned handlers);
    bool perform_write(thread_id t);
    bool add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node_index,
                  bool spurious = false);
    bool may_fail(const thread_state& t, value_t seen) {
        return t.what.weak && seen == t.what.expected && may_fail_again(t.id, t.next_index, t.what.site);
    }
    bool may_fail_again(thread_id t, unsigned index, std::uintptr_t site);
    bool fails_in(const event& read, value_t written);
    bool says_nothing_new(const thread_state& t, const event& read);
    bool add_write(thread_id t, std::uint32_t place, std::uint32_t stamp);
    void add_other(thread_id t, std::uint32_t stamp, std::uint32_t chosen = 0);
    bool perform_choice(thread_id t);
    void make_choice(std::uint32_t n, std::uint32_t chosen);
    bool woke_in_vain(thread_state& t);
    bool waits_again(const thread_state& t, const event& early);
    bool has_written(const thread_state& t, const event& since);
    bool only_locked(const thread_state& t, unsigned from, unsigned until) const;
    kept_state state_before(const event& e) const;
    std::uint32_t keep_state(const thread_state& t);
    std::uintptr_t reused(std::size_t size, std::size_t alignment, std::uintptr_t site, std::uintptr_t frame);
    std::vector<std::uint32_t> reusable(const thread_state& t, std::size_t size, std::size_t alignment) const;
    enum class pointer_kept : std::uint8_t { nowhere, in_memory, in_atomic };
    pointer_kept keeps_pointer(const std::vector<std::uint32_t>& blocks, std::uintptr_t frame) const;
    std::uintptr_t freed_last(const thread_state& t, std::size_t size, std::size_t alignment) const;
    void choose_allocator();
    void note_blocks(const std::vector<std::uint32_t>& blocks, std::uintptr_t site, std::uintptr_t frame);
    bool chooses_block(const std::vector<std::uint32_t>& blocks, std::uintptr_t site, std::uintptr_t frame);
    void use_again(std::uintptr_t block, std::size_t size, std::uintptr_t site);
    bool perform_sleep(thread_id t);
    boost::context::detail::fcontext_t new_stack(thread_id t);
    /// Where the stack of `t` ends and what it has of its own above it begins: its thread_local variables.
    std::uintptr_t storage_of(unsigned t) const { return memory_.stack_top(t) - storage_.size(t); }
    thread_id name_child(const thread_state& parent, std::uintptr_t site);
    [[noreturn]] void too_many_threads(std::uintptr_t site);
    thread_id name_in_crew(const thread_state& parent, std::uintptr_t site);
    void create_thread(thread_state& parent, event_id create);
    void accept_read(thread_state& t, const event& e);
    event& make_event(thread_state& t, event_kind kind);
    bool can_do_at_once(const thread_state& t, const request& what) const;
    bool is_alone(const thread_state& t) const;
    location_id location_of(const thread_state& t, const request& what);
    [[noreturn]] void refuse_size(const thread_state& t, const request& what, location_id other,
                                  const event* access);
    const event* unordered_access(const thread_state& t, location_id l, bool write) const;
    value_t read_memory(std::uintptr_t address, std::size_t size) const;
    void write_memory(std::uintptr_t address, std::size_t size, value_t value);
    void note_stack_write(std::uintptr_t address);
    std::uint32_t push_node(node_kind kind, thread_id t);
    std::uint32_t places(thread_id t, location_id l);
    thread_status await(thread_state& t);
    bool came_back(thread_state& t, const request& asked);
    bool step_aside(std::uint32_t n);
    bool would_come_back(thread_state& t);
    bool same_state_as(const thread_state& t, const event& earlier) const;
    /// Whether all memory that others know, and `t` may have written to, is as it was.
    bool same_memory(const saved_state& then, const thread_state& t) const {
        return images_.same_memory(then) && images_.same_watched(then, threads_, t.id);
    }
    bool spins(thread_state& t, value_t seen);
    bool next_round_repeats(thread_state& t, bool unchanged = false);
    bool left_nothing(thread_state& t, const event& e);
    thread_status retries(thread_state& t);

    // Loops that count, in counted.cpp.
    enum class loop_end : std::uint8_t { repeats, gives_up, unknown };
    unsigned last_iteration(const thread_state& t, unsigned before) const;
    unsigned iterations_done(const thread_state& t) const;
    bool iterate(thread_state& t, unsigned first, unsigned end);
    struct end_of_loop {
        loop_end how;
        unsigned iterations;
    };
    end_of_loop try_loop(thread_state& t, unsigned first, unsigned end);
    thread_status counted(thread_state& t);
    bool find_counters(const thread_state& t, unsigned first);
    bool only_counted(const memory_range& own) const;
    void skip_iterations(thread_id id, std::uint32_t stamp, std::uint32_t iterations);
    void left_counting(thread_state& t);
    bool failed_since(const thread_state& t, unsigned from) const;
    bool go_on_from(thread_state& t, const event& earlier, value_t later);
    /// Lets `t` see `value` where it stands, and run to its next request.
    void go_on_with(thread_state& t, value_t value, bool spurious = false) {
        t.result = value;
        t.failed_spuriously = spurious;
        t.pending = false;
        resume(t.id);
    }
    /// The program's part of the stack of `t`, which stands before its request: registers and live frames.
    memory_range own_stack(const thread_state& t) const {
        const std::uintptr_t top = memory_.stack_top(t.id);
        const std::uintptr_t frame = t.what.frame == 0 ? t.hook_frame : t.what.frame;
        return {frame == 0 ? top : frame - saved_registers, top};
    }

    // Rounds without effect, told by what comes after them, in wasted.cpp.
    thread_status wasted(thread_state& t);
    bool would_be_here(thread_state& t, unsigned first, unsigned again);
    bool wrote_unseen(thread_state& t, unsigned first);
    bool goes_along(thread_state& t, const event& e);
    bool goes_round(const thread_state& t, unsigned first, unsigned again) const;
    bool forget_plain_writes(const thread_state& t, const event& first, unsigned again);
    bool stop_in_round(thread_state& t, thread_status as);

    // Attempts that take back what they added, in take_back.cpp.
    attempts_on* attempts(std::uintptr_t address) {
        return attempts_.empty() ? nullptr : known_attempts(address);
    }
    attempts_on* known_attempts(std::uintptr_t address);
    bool is_attempt(const request& what);
    [[noreturn]] static void give_up(attempts_on& on);
    bool try_on(thread_state& t, value_t seen);
    std::string own_state(const thread_state& t) const;
    bool comes_to(thread_state& t, const attempt_made& made, std::vector<std::string>& waits);
    static std::vector<value_t> values_with(const attempts_on& on, std::size_t size, value_t seen);
    bool takes_back(thread_state& t, value_t seen, const std::vector<value_t>& values);
    bool attempt_fails(thread_state& t, value_t seen);
    void learn_attempt(thread_state& t);
    bool would_take_back(thread_state& t);
    std::vector<value_t> values_amid(const thread_state& t, value_t seen, const attempts_on& on) const;
    bool same_way_from_here(thread_state& t, value_t a, const saved_state* elsewhere, value_t b,
                            const std::vector<value_t>& values);
    bool same_way(thread_state& t, const meeting& a, const meeting& b, const attempt_values& of,
                  unsigned far);
    bool amid_attempts(thread_state& t, value_t seen);
    void write_amid_attempts(const thread_state& t, value_t value);
    /// Runs `f`, which may let threads run, and puts the program back into the state it is in, which `f` is told.
    template <class Function>
    bool speculate(Function f) {
        const bool tracing = tracing_;
        tracing_ = false;
        const std::size_t log = shadow_.log_size(), pool = shadow_.pool_size();
        images_.note_unseen(threads_, thread_count_);
        bool was_dirty[max_threads];
        for (thread_id i = 0; i < thread_count_; ++i) was_dirty[i] = threads_[i].dirty;
        const saved_state now = images_.save(threads_, thread_count_);
        const bool result = f(now);
        images_.restore(now, threads_);
        images_.drop(now);
        // The images that were taken for this are gone; older ones are what their threads are again.
        for (thread_id i = 0; i < thread_count_; ++i) threads_[i].dirty = was_dirty[i];
        shadow_.undo(log);
        shadow_.shrink_pool(pool);
        tracing_ = tracing;
        return result;
    }
    /// The same, for what a thread would do with values that nothing orders: plain accesses are not judged meanwhile.
    template <class Function>
    bool try_out(Function f) {
        const struct back {
            bool& to;
            bool was;
            ~back() { to = was; } // also when the search begins anew from within
        } trying{trying_, trying_};
        trying_ = true;
        return speculate(f);
    }
    void settle(thread_state& t);
    void settle_volatile();
    void check_leaks();

    // Interrupts, in ../interrupt.
    static attached_handler* coming(const thread_state& t, unsigned n);
    static bool may_be_interrupted(const thread_state& t);
    static unsigned handlers_due(const thread_state& t) { return t.handlers ? count_due(t) : 0; }
    static unsigned count_due(const thread_state& t);
    bool perform_interrupt(thread_id t, unsigned n);
    void add_interrupt(thread_id t, std::uint32_t stamp, std::uint32_t chosen);
    void run_handler();
    void settle_order(const request& done);
    void plain_place(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void begin_anew(saved_state& initial);
    /// Thrown, on the engine's stack, when something was learnt that the search has to know from its beginning:
    /// a place where a handler may come in was passed over; an attempt took back what it had added.
    struct anew {};

    // Races.
    void check_races(thread_id t, bool write);
    void check_plain_against_atomic(const thread_state& t, std::uintptr_t address, std::size_t size,
                                    bool write, std::uintptr_t site);
    void check_ordered(const thread_state& t, location_id l, std::uintptr_t address, std::size_t size,
                       bool write, std::uintptr_t site);
    static plain_access access_by(const thread_state& t, bool write, std::uintptr_t site);
    failure race_failure(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                         bool atomic, std::uintptr_t site, const plain_access& other) const;

    // Revisits.
    void collect_revisits(location_id l, thread_id writer, event_id rival);
    bool added_maximally(event_id e, thread_clock porf) const;
    bool start_revisit(std::uint32_t n, event_id revisit);
    void finish_revisit(search_node& n);
    void plan_kept(std::uint32_t base, event_id r, thread_clock porf);
    void replay_kept(const kept_event& k);
    event_id renamed(event_id old, std::uint32_t base) const;
    bool place_and_revisit(const search_node& n, std::uint32_t place);
    void restore(search_node& n);

    std::vector<step> steps() const;
    void run_fixed(const std::vector<step>& steps);
    [[noreturn]] void refute(failure f);
    /// A step's co_index that says which handler came in, and before which plain access.
    static constexpr std::uint32_t interrupt_step = 0x8000'0000;
    /// The same of a choice that the program did not ask for.
    static constexpr std::uint32_t allocator_step = 0x1fff'fffe, skip_step = 0x2000'0000,
                                   reuse_step = 0x4000'0000, wake_step = 0x7fff'fffe;
    enum class own_choice : std::uint8_t { not_one, allocator, wake, reuse };
    static std::uint32_t step_of(bool weak, const char* word);
    static own_choice choice_of(std::uint32_t step);
    /// What the choice of the allocator is called, and told by.
    static constexpr char allocator_choice[] = "use the block freed last";
    /// Thrown, on the engine's stack, when a counterexample is found; nothing else is thrown there.
    struct refuted {};
    bool last_word_ = true;             ///< the last `refuted` ends the search
    thread_id failed_ = 0;              ///< the thread of the last error
    std::size_t failing_size_ = 0;      ///< events of the shortest execution that failed
    std::uint64_t first_failed_at_ = 0; ///< exploration_result::events then

    // Recording, for counterexamples.
    void note_allocation(std::uintptr_t address, std::size_t size);
    void note_visible(const request& what);
    void check_address(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                       std::uintptr_t site) {
        if (address < 65'536 || memory_.in_heap(address))
            check_heap_address(t, address, size, site);
        else if (const int owner = memory_.stack_owner(address); owner >= 0)
            check_stack(static_cast<thread_id>(owner), address, size, site);
        else if (memory_.in_mapped(address))
            check_mapped(t, address, size, write, site);
    }
    void check_mapped(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                      std::uintptr_t site);
    void check_layer(const thread_state& t, const mapped::layer* top, const memory_range& part, bool write,
                     std::uintptr_t site);
    [[noreturn]] void refuse_access(const thread_state& t, const mapped::layer* top, const memory_range& part,
                                    bool write, std::uintptr_t site);
    void check_all_ordered(const memory_range& range, bool reads_too, const char* call, std::uintptr_t site);
    void put_layer(const mapped::layer& what, bool in_place);
    void check_heap_address(const thread_state& t, std::uintptr_t address, std::size_t size,
                            std::uintptr_t site);
    void check_heap_read(std::uintptr_t address, std::size_t size, std::uintptr_t site);
    void check_request(const request& what);
    void check_stack(thread_id owner, std::uintptr_t address, std::size_t size, std::uintptr_t site);
    std::uintptr_t program_stack(std::uintptr_t at, const memory_range& stack) const;
    void note_plain(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site);
    void settle_notes();
    void record(const failure& f);
    std::uint64_t digest() const;
    recorded_event last_event(const failure& f) const;
    const noted* failing_note(const failure& f) const;
    void locate(recorded_event& e, const noted* when) const;

    static explorer* active_; ///< the one global of the engine: the hooks have no other way in
    static bool program_runs_;
    const model& model_;
    exploration_limits limits_;
    program_memory memory_;
    thread_storage storage_; // before those that ask memory_ for its data
    image_store images_;
    shadow_memory shadow_;
    graph graph_;
    thread_state threads_[max_threads];
    std::uint16_t thread_count_ = 0; ///< threads known, started or not
    std::uint32_t live_ = ~0u;       ///< threads that may be alive; those that are not here are not
    bool at_once_ = false;           ///< requests that leave no choice need not come to the engine
    memory_range quiet_;             ///< the stack of the running thread when it is alone
    /// Which child of which thread each thread is: names that do not depend on the exploration.
    struct thread_name {
        thread_id parent;
        std::uint16_t nth;
    };
    std::vector<thread_name> names_;
    thread_id current_ = 0;
    thread_id writing_ = none16; ///< thread whose read-modify-write lacks its write part
    std::uint32_t stamp_ = 0;
    boost::context::detail::fcontext_t engine_ = nullptr;

    std::vector<search_node> nodes_;
    std::vector<event_id> options_;
    std::vector<event_id> revisits_;
    std::vector<taken_off> frames_;
    std::vector<kept_state> kept_states_; ///< before locks and waits, where waits end early
    bool waits_end_early_ = false;
    events set_aside_;
    std::vector<shadow_memory::change> changes_aside_;
    std::vector<kept_event> kept_;

    std::vector<overwritten> overwritten_;
    volatile_access volatile_;
    stack_copy stack_copy_; ///< of the thread for which something is tried out
    round_kinds round_kinds_;
    std::vector<std::uintptr_t> counters_; ///< words of the stack in which the loop that is tried out counts
    std::set<std::uintptr_t> endless_,
        left_; ///< loops that count: seen to have no end; left after a second iteration
    std::vector<attempts_on> attempts_;
    /// Sites that looked like attempts, with what they saw: an attempt that succeeds is followed by what undoes it.
    std::vector<std::pair<std::uintptr_t, value_t>> no_attempts_;
    bool interrupts_ = false; ///< some thread has had a handler
    bool restart_ = false;
    bool reuses_ = false;     ///< allocations choose among freed blocks
    bool allocators_ = false; ///< main chooses an allocator
    footprints footprints_;
    own_choice expected_choice_ =
        own_choice::not_one;      ///< replay: the next event is one that the program did not ask for
    unsigned expected_place_ = 0; ///< replay: the plain access before which a handler may come in
    bool overwritten_unknown_ = false;

    const std::function<void()>* body_ = nullptr;
    exploration_result result_;
    std::optional<exploration_result> earlier_; ///< the stopped search that this one goes on with
    std::unique_ptr<crew> crew_;                ///< of several processes
    failure pending_failure_;
    bool tracing_ = false;
    bool trying_ = false; ///< what a thread would do is tried out, with values that nothing orders
    bool digests_ = false;
    std::vector<noted> notes_;
    std::vector<noted_allocation> allocations_;
    std::chrono::steady_clock::time_point begun_;
    progress_function progress_;
    std::uint64_t told_at_ = 0; ///< steps, when progress was told
    execution_function complete_;
    std::function<std::string()> describe_state_;
    static constexpr thread_id none16 = 0xffff;
    static void fiber_main(boost::context::detail::transfer_t from);
};

std::unique_ptr<model> model_of(memory_model m);

} // namespace ringproof::verify
