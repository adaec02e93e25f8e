// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run of a thread, from its start as far as what it is told reaches.

#include "bytes.hpp"
#include "memory.hpp"
#include "origins.hpp"
#include "processor.hpp"
#include "sharing.hpp"

#include <ringproof/silicon/a64/program.hpp>

#include <map>
#include <optional>
#include <unordered_map>

namespace ringproof::silicon::a64 {

/// What all threads share, apart from memory: decoded instructions.
class decoded_code {
  public:
    const instruction& at(std::uint64_t address) {
        auto [at, is_new] = all_.try_emplace(address);
        if (is_new) at->second = decode(reinterpret_cast<const std::uint32_t*>(address));
        return at->second;
    }
    /// From now on it is this one.
    void replace(std::uint64_t address, const instruction& by) { all_[address] = by; }

    /// An instruction has made an event.
    void note_event(std::uint64_t address, const traced_run::call_pair& calls) {
        with_events_.emplace(address, calls);
    }
    const std::map<std::uint64_t, traced_run::call_pair>& with_events() const { return with_events_; }

  private:
    std::unordered_map<std::uint64_t, instruction> all_;
    std::map<std::uint64_t, traced_run::call_pair> with_events_;
};

/// The calls of the runtime: numbers of SVC. Arguments and result are in X0 to X2.
enum class service : std::uint16_t {
    create = 0x601, ///< function, argument: the thread's number
    join,           ///< number
    end,            ///< of the thread
    fail,           ///< text, file, line: an assertion failed
    allocate,       ///< bytes: the address
    lock,           ///< address of a word, 0 when free
    unlock,
    try_lock, ///< 0: it has the lock
    yield,
    wait_begin, ///< address of a condition variable, whether it may time out: the thread is among those that wait; 1: it
                ///< is not, and the wait is to end early
    wait_end, ///< the same, whether it may time out, and when: 0 when it was woken, 1 when it has timed out
    notify,   ///< the same, and whether all are woken
    clock,    ///< nanoseconds since the thread began
    sleep,    ///< nanoseconds
    take_shared, ///< address of a read-write lock's word, whether to write, whether to wait: 0 when it has the lock
    drop_shared, ///< the same address
    refuse       ///< text: what the program asks for is not there
};

/// What cannot be run here, at an instruction.
struct not_known_here {
    std::uint64_t code = 0;
    traced_run::call_pair calls{};
    std::string why;
};

/// Locations that the program does not have: thread `n` is there, thread `n` has ended.
inline std::uint64_t start_of(std::size_t thread) { return 0x100 + 0x20 * thread; }
inline std::uint64_t end_of(std::size_t thread) { return start_of(thread) + 0x10; }

/// Of an access: pieces that are always accessed together, and the accesses of the machine that they are of.
struct pieces_of_access {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0; ///< of each of the machine's accesses
    std::vector<piece> all;
};

/// Of a program that runs: what its threads share.
struct running {
    memory& all;
    sharing& shared;
    decoded_code& code;
    processor& cpu;
    const program_limits& limits;
};

/// Where main() creates the first thread, or ends without.
struct beginning {
    registers at;
    std::uint64_t allocated = 0; ///< bytes of its heap
    std::uint64_t time = 0;      ///< nanoseconds that have passed
};

class thread_run {
  public:
    thread_run(std::size_t self, const history& past, const running& r)
        : self_(self), past_(past), memory_(r.all), sharing_(r.shared), code_(r.code), cpu_(r.cpu),
          limits_(r.limits), result_(std::make_shared<traced_run>()) {}

    /// Runs main() alone to where it creates the first thread; what it writes stays.
    beginning go_alone(std::uint64_t main);
    /// As far as it is told.
    std::shared_ptr<const traced_run> go(const beginning& of_main);
    std::size_t created() const { return created_; }

  private:
    enum class next { on, over };

    // How it goes on.
    next step();
    void add_barrier(const barrier& b);
    next stop(run::end how);
    next wait_for(const index_set& reads);
    next fail(std::string why);
    /// What is not known here. The program says where it is.
    [[noreturn]] void refuse(const std::string& why) const;
    bool known(const shared_origin& o) const;
    bool begin(const beginning& of_main);
    bool goes_round(std::uint64_t to);
    struct at_head;
    at_head here() const;

    // Instructions (thread_run.cpp).
    void select(const instruction& i);
    next branch(const instruction& i);
    next access(const instruction& i);
    next own_access(const instruction& i, std::uint64_t address, std::uint64_t bytes);
    void step_access(const instruction& i, std::uint64_t address);
    /// Adds the bytes to the state of its own memory, or takes them out.
    void note_own(std::uint64_t address, std::uint64_t bytes);
    next shared_access(const instruction& i, std::uint64_t address);

    // Accesses of shared memory (accesses.cpp).
    next load(const instruction& i, const pieces_of_access& pieces);
    next store(const instruction& i, const pieces_of_access& pieces);
    next store_exclusive(const instruction& i, const pieces_of_access& pieces);
    next exchange(const instruction& i, const pieces_of_access& pieces);
    pieces_of_access pieces_of(const instruction& i, std::uint64_t address);
    /// Adds the reads of an access, and puts what they return into memory. @return where the value of each register
    /// comes from
    std::array<shared_origin, 2> add_reads(const instruction& i, const pieces_of_access& pieces);
    /// Adds the writes of an access, of what memory has there by now.
    /// @param first_read of a read-modify-write, whose reads have the same pieces
    /// @param computed what values come from beside the registers
    void add_writes(const instruction& i, const pieces_of_access& pieces,
                    std::optional<std::size_t> first_read, const shared_origin& computed);

    // Read-modify-writes (exchanges.cpp).
    void put_shared(const instruction& i, const pieces_of_access& pieces, const register_bytes& values);
    register_bytes expected_by(const instruction& i) const;
    register_bytes stored_by_exchange(const instruction& i, const register_bytes& old) const;
    void take_old(const instruction& i, const register_bytes& old, const std::array<shared_origin, 2>& from);
    next exchange_alone(const instruction& i, std::uint64_t address);
    std::optional<bool> compared(const instruction& i, const std::optional<register_bytes>& old);

    // Calls (services.cpp).
    next call(const instruction& i);
    next create();
    next join();
    next end();
    next lock(bool waits);
    next unlock();
    next take_shared();
    next drop_shared();

    // Condition variables and time (conditions.cpp).
    next wait_begin();
    next wait_end();
    next notify();
    std::uint64_t look_at_clock();
    std::optional<std::uint32_t> choice(std::uint32_t alternatives);
    /// Whether a wait ends early here, or a store-exclusive fails. Nothing: the run is over.
    /// @param effects of the thread from one end to the next, if it only tries again
    /// @param most in a row @param may_tell whether it counts if there could be one more
    std::optional<bool> ends_early(std::uint64_t effects, unsigned most, bool may_tell);
    bool tries_again(const instruction& i);
    /// Reads a word that only calls of the runtime access, and waits until the value is known.
    std::optional<std::uint64_t> read_word_of_call(std::uint64_t address, bool acquires);
    void write_word_of_call(std::uint64_t address, std::uint64_t value, bool releases = false);
    next stuck_at(waiting what);
    next done(std::uint64_t result);
    void learn_of_call(std::uint64_t address);
    static constexpr std::uint32_t word_of_call = 4; ///< bytes of a lock, and of a condition variable
    std::string text_at(std::uint64_t address) const;

    // Events.
    event access_event(const instruction& i, std::uint64_t address, std::uint32_t bytes) const;
    traced_run::call_pair calls() const;
    std::size_t add(event e, std::optional<word> stored = {});
    std::optional<word> loaded(std::size_t read) const {
        return read < past_.loaded.size() ? past_.loaded[read] : std::nullopt;
    }
    shared_origin from_read(std::size_t read) const;

    const std::size_t self_;
    const history& past_;
    memory& memory_;
    sharing& sharing_;
    decoded_code& code_;
    processor& cpu_;
    const program_limits& limits_;
    std::shared_ptr<traced_run> result_;

    origins origins_;
    shared_origin address_, control_; ///< of the access at hand; of branches so far
    std::uint32_t instruction_ = 0;   ///< how many there were
    std::uint64_t pc_ = 0;
    std::size_t chosen_ = 0, created_ = 0;
    std::uint64_t allocated_ = 0;
    /// The load-exclusive that a store-exclusive belongs to.
    struct load_exclusive {
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
        std::size_t first_read = 0;
        std::uint64_t code = 0;
    };
    std::optional<load_exclusive> exclusive_;
    std::uint32_t places_ = 0;           ///< choices so far
    std::uint64_t time_ = 0;             ///< nanoseconds that have passed
    unsigned looks_ = 0, time_outs_ = 0; ///< at the clock; of timed waits

    /// At the last time that the thread was at the head of a loop: to tell rounds that change nothing.
    struct at_head {
        registers all;
        std::uint64_t own = 0, effects = 0;
        std::vector<std::uint64_t> unknown; ///< which values are not known yet
        bool operator==(const at_head&) const = default;
    };
    std::unordered_map<std::uint64_t, std::pair<at_head, std::size_t>>
        heads_;                 ///< with the number of events there
    std::uint64_t effects_ = 0; ///< stores to shared memory, and calls
    std::uint64_t own_ = 0;     ///< a hash of what it changed in memory of its own
    struct early_end {
        at_head at;
        unsigned in_a_row = 0;
    };
    std::unordered_map<std::uint64_t, early_end> early_; ///< by instruction
    index_set idle_;                                     ///< writes that put back what was there
    bool alone_ = false;                                 ///< no other thread exists yet
};

} // namespace ringproof::silicon::a64
