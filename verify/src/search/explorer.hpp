// SPDX-License-Identifier: Apache-2.0
#pragma once
// The search: TruSt ("Truly Stateless, Optimal Dynamic Partial Order Reduction", Kokologiannakis,
// Marmanis, Gladstein, Vafeiadis, POPL 2022), depth first over saved states of the program.
//
// A node is a point where the search can go more than one way: a read with several writes to read from, a write
// with several places in co, or earlier reads that the write can revisit. The state from before the access is saved
// there; going another way restores it instead of running the program again. A revisit of read r by write w restores
// the state of r's node, replays what w's porf-prefix keeps of the events after r, adds w, and lets r read from it.
// While its subtree is explored, what was taken off the graph is set aside.

#include "../division/sampler.hpp"
#include "../execution/execution.hpp"
#include "../reduction/reduction_set.hpp"
#include "node_stack.hpp"
#include "revisits.hpp"
#include "waiting_threads.hpp"

#include <ringproof/verify/explore.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

class worker_pool;

class explorer {
  public:
    explorer(const model& m, exploration_limits limits);
    ~explorer();
    /// Searches with so many processes; see exploration_options.
    void use_jobs(unsigned jobs, double share_after);

    /// Explores every execution of `body`.
    exploration_result explore(const std::function<void()>& body);
    /// Whether it can learn what the search had learnt that it was to go on with.
    bool can_learn_again(const std::function<void()>& body);
    /// Whether it could not learn what the search had learnt that it was to go on with: its result says nothing.
    bool must_forget() const { return must_forget_; }

    /// What raced in the search that the steps to be replayed are of.
    void know_raced(const std::vector<raced_granule>& all) {
        races_.raced().know(all);
        races_.mixed().know(all);
        if (races_.mixed().any()) leave_reductions();
        for (const raced_granule& g : all) facts_.processes_may_die |= g.unit == mortal_processes;
    }
    /// Runs the one execution that `steps` describe, as far as they go.
    exploration_result replay(const std::function<void()>& body, const std::vector<step>& steps);

    /// What is called on the way.
    struct callbacks {
        std::function<void(const exploration_result&)> progress = {};
        std::function<void()> complete = {};     ///< after each complete execution
        std::function<std::string()> state = {}; ///< what to count complete executions by
        bool digest = false;                     ///< whether to compute exploration_result::digest
        std::function<void(const search_position&)> end = {}; ///< after each execution, complete or blocked
    };
    void on(callbacks c) { callbacks_ = std::move(c); }
    /// Goes on where an earlier search of the same program was stopped.
    void resume_from(const exploration_result& earlier);
    /// That search is a part of one: what it learns is for the whole.
    void be_a_part() { is_part_ = true; }

    // --- one way through the tree, in walk.cpp -----------------------------------------------------
    using way_picker = std::function<std::uint32_t(const crossing&)>;
    /// Walks from the root to an end, again and again, one way at each node, until `ended`, which is told
    /// how many complete executions the walk met, says stop.
    using walk_end = std::function<bool(std::uint64_t, const exploration_result&)>;
    /// What the end of a walk is told, instead of how many executions it met, when the search learnt something that
    /// makes its tree another one: the walk counts for nothing, and what was learned of the tree is of little use.
    static constexpr std::uint64_t walk_given_up = ~std::uint64_t{0};
    exploration_result walk(const std::function<void()>& body, const way_picker& pick, const walk_end& ended);
    /// The same, but `once` makes an execution.
    exploration_result walk_through(const std::function<void()>& body, const std::function<void()>& once,
                                    const walk_end& ended);

    // --- for who makes executions in another order -------------------------------------------------
    program& threads() { return program_; }
    graph& events() { return graph_; }
    race_detector& races() { return races_; }
    execution& at_hand() { return execution_; }
    reduction_set& reductions() { return reductions_; }
    const search_facts& facts() const { return facts_; }
    runtime& calls() { return runtime_; }
    bool enabled(const thread_state& t) const;
    bool perform(thread_id t);
    /// Adds the pending read of `t`. @return false where the graph is then inconsistent
    bool add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node,
                  bool spurious = false);
    bool add_write(thread_id t, std::uint32_t place, std::uint32_t stamp);
    void finish_execution();
    /// Counts a step; a walk alone may be too long.
    bool walk_is_over();

  private:
    void start(const std::function<void()>& body);
    saved_state start_learning(const std::function<void()>& body);
    void note_complete(bool over);
    bool is_assumed_away() const;
    void note_blocked();
    enum class new_lesson : std::uint8_t { nothing, here, elsewhere };
    new_lesson search_once();
    bool search_parts();
    void search();
    bool go_on();
    void run_on(thread_id t);
    bool leave_behind(thread_id t);
    thread_id next_thread();
    bool may_create_alike(thread_id t) const;
    thread_id writers_first();
    thread_id next_by_seed();
    bool backtrack();
    enum class outcome : std::uint8_t { alive, dead, exhausted };
    outcome next_option(std::uint32_t n);
    failure despite_races(failure f) const;
    bool ends_search(const refuted& by);
    struct search_over {}; ///< thrown by search() where an error ends it
    [[noreturn]] static void refute(failure f) { throw refuted{std::move(f)}; }
    void begin_anew(saved_state& initial);
    std::uint32_t push_node(node_kind kind, thread_id t);
    void pop_node();
    void restore(std::uint32_t n);

    // Bounds.
    bool out_of_budget();
    bool stop_now(const char* why);
    bool out_of_memory(double now);
    static constexpr const char* max_memory =
        "--max-memory, which is three quarters of what is free unless it is given";
    bool too_many_rounds(const thread_state& t);
    void note_busiest_loop();
    /// To tell how far a search is takes a look at all of its nodes: once in as many steps.
    bool progress_is_due() {
        if (facts_.result.events - told_at_ < nodes_.size()) return false;
        told_at_ = facts_.result.events;
        return true;
    }

    // Ways on, each from the state in which the thread's request is pending. They return false where
    // the branch leads nowhere.
    bool perform_read(thread_id t, unsigned handlers);
    void write_again(thread_state& t);
    bool keep_or_step_aside(thread_state& th, std::uint32_t n);
    thread_id midway() const;
    void until_pending(thread_id t);
    void leave_reductions();
    // Unfair scheduling: unfair.cpp. They throw `refuted`.
    bool is_newest_for(const thread_state& t, event_id w) const;
    void judge_round(thread_state& t);
    void judge_round(thread_state& t, event_id w);
    void judge_all_rounds(thread_state& t);
    bool perform_write(thread_id t);
    /// Among the places that a write may have: none, its thread stops.
    static constexpr std::uint32_t stays_unwritten = none - 1;
    bool take_write(thread_id t, std::uint32_t place);
    bool may_stay_unwritten(const thread_state& t) const;
    bool perform_choice(thread_id t);
    bool perform_sleep(thread_id t);
    bool perform_interrupt(thread_id t, unsigned n);
    bool stop_in_iteration(thread_state& t, thread_status as);
    void collect_sources(thread_state& th, location_id l, bool again);
    bool step_aside(std::uint32_t n, thread_status as = thread_status::awaiting);
    std::uint32_t places(const thread_state& t, location_id l);
    void make_choice(std::uint32_t n, std::uint32_t chosen);

    // Revisits.
    bool take_revisit(std::uint32_t n, event_id revisit);
    bool take_place(std::uint32_t n, std::uint32_t place);
    template <class Function>
    bool revisit_from(std::uint32_t n, Function way);
    bool start_revisit(std::uint32_t n, event_id revisit);
    void replay_kept(const kept_event& k);
    bool place_and_revisit(const search_node& n, std::uint32_t place);
    bool read_or_wait(const search_node& way, event_id w);
    bool wait_behind(thread_state& t, event_id w, std::uint32_t stamp, std::uint32_t node, bool blocked);

    // One way through the tree.
    bool walk_on(const way_picker& pick, std::size_t until);
    bool take(std::uint32_t n, std::uint32_t way, bool first_alive);
    crossing crossing_of(std::uint32_t n) const;
    void unwind(std::size_t keep);
    enum class arrival : std::uint8_t { alive, dead, stopped };
    arrival go_to(const search_position& p);
    search_position position() const;
    search_position rest_of(const search_position& part) const;
    double fraction() const;
    double left() const;
    std::vector<step> steps() const;
    void run_fixed(const std::vector<step>& steps);
    bool replay_step(const step& s);
    bool replay_read(const step& s, const thread_state& t);
    bool replay_write(const step& s, const thread_state& t);
    bool replay_update(const thread_state& t);
    event_id source_of(const step& s, location_id l) const;
    void look_ahead(thread_id t);

    // What was learnt where, in lessons.cpp.
    void note_lesson();
    /// What a search learns from all of it, see lessons.cpp.
    enum class whole_lesson : std::uint8_t { judge_looks, keep_iterations, drop_no_branch };
    void note_lesson_of_the_whole(whole_lesson what);
    void learn_of_the_whole(const search_position& lesson);
    bool learns_at(const search_position& lesson);
    enum class learning : std::uint8_t { done, stopped, failed };
    learning learn_again(saved_state& initial);

    // Parts of a search, in divide.cpp.
    void leave_to_the_whole();
    bool may_divide() const;
    bool divide_rest();
    std::optional<search_position> search_until_open(const search_position& p);
    double executions_from(const search_position& p);

    // Several processes, in share.cpp.
    void keep_ways(search_node& n, std::uint32_t end);
    bool share();
    bool others_stopped();
    void gather();

    search_facts facts_;
    program program_;
    graph graph_;
    race_detector races_;
    recorder recorder_;
    runtime runtime_;
    execution execution_;
    reduction_set reductions_;
    node_stack nodes_;
    verify::revisits revisits_;
    std::optional<exploration_result> earlier_; ///< the stopped search that this one goes on with
    std::unique_ptr<worker_pool> pool_;         ///< of several processes
    std::vector<search_position> lessons_;      ///< where it learnt what made it begin anew, by this process
    unsigned jobs_ = 1;
    double share_after_ = 0;
    double next_memory_look_ = 0; ///< seconds since the search began
    callbacks callbacks_;
    std::uint64_t told_at_ = 0; ///< steps, when progress was told
    bool must_forget_ = false;
    bool is_part_ = false;
    sampler sampler_{1, true};      ///< for executions_from()
    std::uint64_t random_left_ = 0; ///< executions that it may make
    bool learns_ = false;           ///< from complete executions, what lets it begin anew
    bool second_look_ = false, wants_second_look_ = false; ///< revisit_from() alone sets them back
    struct {
        std::size_t size = 0;       ///< events of the shortest execution that failed
        std::uint64_t first_at = 0; ///< exploration_result::events at the first
    } failing_;
};

} // namespace ringproof::verify
