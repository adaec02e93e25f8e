// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exploring one program from C++: what VERIFY's command line does for each scenario.

#include "assumption.hpp"
#include "hidden_races.hpp"
#include "history.hpp"
#include "reductions.hpp"
#include "verify.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ringproof::verify {

enum class failure_kind : std::uint8_t {
    nothing, ///< was refuted
    assertion,
    data_race,
    deadlock,
    livelock,
    lock_misuse,
    unhandled_exception,
    wild_access,
    use_after_free,
    double_free,
    abort,
    mixed_size,
    nondeterminism,
    limit,
    unsupported,
    uninitialised, ///< a read of heap memory that was never written
    leak
};

struct failure {
    failure_kind kind = failure_kind::nothing;
    std::string message;
    std::uint16_t thread = 0;
    std::uintptr_t site = 0;
    std::uintptr_t address = 0;
    bool races = false; ///< other_* describe the access it races with
    std::uint16_t other_thread = 0;
    std::uint32_t other_index = 0;
    std::uintptr_t other_site = 0;
};

/// One event of an execution in an order that extends porf: enough to run it again.
struct step {
    std::uint16_t thread = 0;
    std::uint16_t rf_thread = 0xffff; ///< read: the write it reads from, or the initial one
    std::uint32_t rf_index = 0;
    std::uint32_t co_index = 0xffff'ffff; ///< write: place in co among the writes so far; none for others
    bool spurious = false; ///< read: of a weak compare-exchange that fails although it sees what it expects
};

/// What an implementation may do but seldom does: is it explored?
enum class exploring : std::uint8_t {
    never,     ///< and the ledger says so
    when_told, ///< as far as the program can tell
    always
};

struct exploration_limits {
    double seconds = 0;           ///< 0: none
    std::uint64_t executions = 0; ///< 0: none
    std::uint64_t memory = 0;     ///< bytes that each process of the search may hold; 0: as many as it gets
    bool leaks = false;           ///< what a complete execution has not freed is an error
    bool uninitialised_refutes = true; ///< a read of heap memory that nothing was written to is an error
    reductions reduce = {};            ///< what is left out
    /// Weak compare-exchanges may fail although they see what they expect, and waits end although nobody wakes them.
    /// when_told: no more than a few times in a row.
    exploring spurious = exploring::when_told;
    /// An allocation may get the address of memory that was freed before.
    exploring reuse = exploring::when_told;
    /// A data race between plain accesses is no error: the search begins anew, and what raced is relaxed atomic from there on.
    bool races_go_on = false;
    /// A data race between plain accesses is no error, and they are made as they come: one value each, which is taken to decide
    /// nothing. What races with an atomic access is relaxed atomic, as with races_go_on.
    bool races_ignored = false;
    /// A loop that waits for another thread without yielding is an error: that thread may never run. Not judged are loops
    /// that write in each round.
    bool unfair = false;
    bool hangs_refute = true; ///< a thread that waits for ever is an error; otherwise only blocked
    unsigned spins = 10'000;  ///< yields without any access in between that make a livelock
    unsigned plain_accesses = 10'000'000; ///< of one thread without any visible access in between
    /// Visible events of one execution. An execution with more has no end, most likely: the search ends there.
    unsigned execution_events = 100'000;
    /// Times that a thread may do one access of its source, in one call: one that would do more stops there,
    /// its execution counts as blocked, and the search goes on. 0: no bound.
    unsigned rounds = 0;
    std::uint64_t shown = 0; ///< complete executions to keep for exploration_result::shown, by one process
    /// After an error: go on, and keep the failing execution with the fewest events. One process only.
    bool shortest = false;
    std::uint64_t shorter_steps =
        0; ///< steps after the first error in which to look for a shorter one; 0: no bound
    /// For tests of the search: which thread goes on next is a pseudo-random function of this and of the graph, instead of
    /// writers first. The executions are the same for each seed. 0: writers first.
    std::uint64_t order_seed = 0;
    /// For tests of the search: of iterations of a loop that have no effect, the first that makes the same accesses is always
    /// explored, and not only where one may race: see src/reduction/left_out.cpp.
    bool keep_iterations = false;
    /// A search that is stopped divides what is left into so many positions; 0: no more than there are anyway.
    std::uint64_t divide = 0;
    /// Should it be stopped, the search is to be gone on with: what only a whole search can leave out is not left out.
    /// Otherwise one that left such branches out has no positions when it is stopped, and would begin from its beginning.
    bool resumable = false;
};

/// In raced_granule::unit: no race, but a piece of memory that is accessed in mixed sizes, of so many bytes.
inline constexpr std::uint8_t mixed_piece = 0x40;
/// In raced_granule::unit: no race; processes that fork() made look whether they are killed.
inline constexpr std::uint8_t mortal_processes = 0x20;
/// Eight bytes whose plain accesses race, and are made as relaxed atomic ones of `unit` bytes each.
struct raced_granule {
    std::uintptr_t address = 0;
    std::uint8_t unit = 8; ///< 1, 2, 4 or 8
};

/// Where a search is: the way it takes at each decision, from the first on. Behind it are the ways before
/// that one, before it the others up to `ends`, of the `all` that the decision has.
struct search_position {
    std::vector<std::uint32_t> ways, ends, all;
    /// The parent of each thread met so far, and its place among the parent's children: threads have
    /// their numbers by when they were met.
    std::vector<std::pair<std::uint16_t, std::uint16_t>> threads;
    double weight = 0; ///< executions that are left, as a few random ones tell; 0: not looked at
};

struct exploration_result {
    std::uint64_t executions = 0; ///< complete
    std::uint64_t discarded = 0;  ///< executions, blocked ones too, of searches that had to begin anew
    double permutations = 0;      ///< the same, and those in which alike threads change places
    std::uint64_t blocked = 0;
    std::uint64_t blocked_by_assumption = 0; ///< of those: by it alone, with the newest value
    std::map<std::uintptr_t, std::uint64_t>
        blocked_at;            ///< how many of those, by the call site where a thread waited
    std::uint64_t pruned = 0;  ///< branches left because they could only end blocked
    std::uint64_t walks = 0;   ///< random executions, those that led nowhere included
    std::uint64_t events = 0;  ///< program accesses performed, replays included
    std::size_t longest = 0;   ///< events of the longest execution
    std::uint64_t failing = 0; ///< executions that fail, of those met; more than one only with `shortest`
    double seconds = 0;
    unsigned processes = 1; ///< that did a part of it, one after the other or at once
    bool stopped = false;   ///< by a limit or an interrupt, before the end
    std::string stopped_by;
    std::uintptr_t busiest = 0; ///< stopped: the access that a thread made most of its latest ones at
    unsigned busiest_rounds = 0;
    double fraction = -1; ///< of the search that is behind, as seen from its decisions; negative: unknown
    std::vector<search_position> positions; ///< where it was stopped; one for each process at work then
    /// Where the search learnt what made it begin anew, in this order; one without threads: from the whole search.
    std::vector<search_position> lessons;
    bool misfit =
        false; ///< the search that was to be resumed stood at a place that this program does not have
    std::vector<std::string> bounds;    ///< bounds that cut an execution short
    std::vector<std::uintptr_t> cut_at; ///< the accesses at which exploration_limits::rounds did
    bool unordered_reads = false;       ///< some read is not ordered behind what it saw of another thread
    hidden_races hidden;                ///< accesses that may race where iterations were left out
    bool judged = false;                ///< looks at what is polled were judged from the beginning
    bool first_met = false;        ///< the first complete execution was met, and what it teaches is learnt
    bool has_learnt = false;       ///< a part of a search: it learnt what the whole search has to know
    bool evaluated = false;        ///< whether any assertion was evaluated
    assumption_ledger assumptions; ///< what the search took for granted, and where
    /// Loops that count while they wait, by their heads.
    struct counting_loop {
        bool endless = false; ///< it was seen to go round without end
        bool left = false;    ///< it was left after a second iteration, unlike after the first
    };
    std::map<std::uintptr_t, counting_loop> counting;
    std::set<std::string> covered;
    std::vector<raced_granule> raced;            ///< with exploration_limits::races_go_on, or mixed sizes
    std::map<std::string, std::uint64_t> states; ///< what exploration_options::state said, how often
    failure error;                               ///< kind none: nothing was refuted
    std::vector<step> steps;                     ///< of the failing execution
    /// The failing execution. explore() records its visible events; replay() also plain accesses, and callers.
    std::vector<recorded_event> history;
    /// The first complete executions, visible events alone, in the order of the search.
    std::vector<std::vector<recorded_event>> shown;
    /// Of all complete executions, whatever their order: equal for two searches of a program that depends on
    /// nothing but what the checker controls.
    std::uint64_t digest = 0;
};

/// The ledger of a search whose parts may have been done by several processes or in several runs: a loop that counts
/// is an open assumption where it was seen to be endless, and its count to matter.
RINGPROOF_VERIFY_API assumption_ledger whole_ledger(const exploration_result& r);

/// What explore() may be told beside the program.
struct exploration_options {
    memory_model model = memory_model::rc11;
    exploration_limits limits = {};
    /// Processes to search with. What the program does beside reading and writing its memory, it does in
    /// each of them, and so do the functions below.
    unsigned jobs = 1;
    double share_after = 0.015; ///< seconds: what is done sooner is done by one
    /// Called at each complete execution, while the program's memory is as that execution left it.
    std::function<void()> on_complete = {};
    /// The same; what it returns is counted in exploration_result::states, those of all processes together.
    std::function<std::string()> state = {};
    /// A search of the same program and model that was stopped: this one goes on with it, and its figures
    /// are of both together; limits are of this one alone.
    const exploration_result* resume = nullptr;
    /// Called at the end of each execution, complete or blocked, with the ways it took: in the order of the search, and from
    /// the first one again where the search begins anew. By one process.
    std::function<void(const search_position&)> on_end = {};
    /// `resume` is a part of a search that was divided: where it learns what makes a search begin anew, it stops.
    bool part = false;
    /// Called now and then.
    std::function<void(const exploration_result&)> on_progress = {};
    bool digest = false; ///< whether to compute exploration_result::digest
    /// Of a replay: what exploration_result::raced had.
    std::vector<raced_granule> raced = {};
};

/// Explores every execution of `body` under a memory model. The code of `body` has to be instrumented
/// (see verify.hpp). Not to be called from several threads at once.
/// @throws std::runtime_error when the system refuses memory
RINGPROOF_VERIFY_API exploration_result explore(const std::function<void()>& body,
                                                const exploration_options& options = {});

/// Runs the one execution that `steps` (of an earlier result for the same body and model) describe.
RINGPROOF_VERIFY_API exploration_result replay(const std::function<void()>& body,
                                               const std::vector<step>& steps,
                                               const exploration_options& options = {});

} // namespace ringproof::verify
