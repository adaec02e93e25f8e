// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every front end makes of a test: for each thread, every path through it as a list of events.
// A path is found by executing the thread with unknown load values; where a branch depends on one,
// the execution is repeated with the other outcome, and the path keeps the condition it assumed.
//
// Dependencies are exact: a register carries, beside its value, the set of loads it was computed
// from, whether or not the value still depends on them (an `eor x,x` is the classic).

#include "../parse/budget.hpp"
#include "../parse/test.hpp"
#include "expression.hpp"

#include <bitset>
#include <functional>
#include <map>
#include <memory>

namespace ringproof::litmus {

/// Loads of one thread, by the index of their event in the path.
using load_set = std::uint64_t;
constexpr std::size_t most_events_in_path = 64;

/// Names of the sets that events belong to ("MFENCE", "Acquire"), interned once for the process.
constexpr std::size_t most_tags = 192;
using tag_set = std::bitset<most_tags>;
std::size_t tag_index(const std::string& name);
/// most_tags if no event has ever had it
std::size_t known_tag(const std::string& name);
/// In alphabetical order, each once whatever its letters are (the kernel's tags are spelt in two ways).
std::vector<std::string> tag_names(const tag_set& set);
tag_set tags(std::initializer_list<const char*> names);

/// A value in a register, and the loads that it comes from.
struct operand_value {
    expr e = no_expr;
    load_set from = 0;   ///< through data
    load_set picked = 0; ///< through data or through a choice made on data (AArch64's CSEL)
};

struct event {
    int thread = -1;
    int instance = 0; ///< events of one instruction share it
    bool is_read = false;
    bool is_write = false;
    expr address = no_expr; ///< of reads and writes
    expr loaded = no_expr;
    expr stored = no_expr;
    int bytes = 0; ///< that are read or written, if the instruction says
    tag_set labels;
    load_set address_from = 0, data_from = 0, control_from = 0;
    load_set picked_address = 0, picked_data = 0, picked_control = 0, picked = 0;
    load_set unsequenced = 0; ///< earlier events that program order leaves unordered with this one
    int rmw_read = -1;        ///< of a write: the read of the same read-modify-write
    bool exclusive = false;   ///< rmw_read was a load-exclusive (lxsx), not an atomic instruction
    std::size_t offset = 0;   ///< in the source
    load_set ordered = 0;     ///< earlier events of its instruction that come before it (LDIAPP)
    int access = 0;         ///< in its path, of an access of several events (pieces.hpp): they have the same
    bool paired = false;    ///< access is of an instruction that accesses two locations at once (LDXP)
    bool misplaced = false; ///< on this path its address is that of no place (places.hpp)
    expr whole = no_expr;   ///< of a write that is such a piece: what all of the access stores
};

struct assumption {
    expr condition;
    bool holds;
};

struct path {
    std::vector<event> events;
    std::vector<assumption> assumed;
    std::map<std::string, expr> registers; ///< at the end
};

struct program {
    std::string architecture; ///< "X86", "C", …
    std::vector<std::string> locations;
    std::vector<value> initial; ///< of each location
    /// Of each location: whose element it is and its bytes; of no array: itself, and 0 if no type says.
    struct placement {
        std::int32_t array;
        std::int64_t offset;
        int bytes;
        bool element;      ///< of an array: an access has to be of its size
        bool code = false; ///< an instruction: nothing accesses it, but values are its address
    };
    std::vector<placement> placed;
    std::map<std::string, std::int32_t>
        arrays; ///< name -> its first element; of labels: the instruction's first
    /// Of a location that is divided (pieces.hpp): the locations of its pieces, each with the bits below it.
    struct whole {
        int bytes = 0;
        std::vector<std::pair<std::int32_t, int>> parts;
    };
    std::vector<whole> wholes; ///< of each location; empty where nothing is divided
    const whole* whole_of(std::int32_t location) const;
    std::int64_t stride = 0; ///< distance of elements; 0: their type says
    std::shared_ptr<expressions> values = std::make_shared<expressions>();
    std::vector<std::vector<path>> threads;
    watch* time = nullptr; ///< while it is being made: may throw out_of_time
    bool bounded = false;  ///< a loop was cut: paths that go round more often are missing
    int unroll = 0;
    /// What a name in the condition stands for ("1:EAX" may be a part of rax).
    std::function<std::string(const std::string&)> canonical_register;

    /// Index of a location, made on first use. @throws too_many_locations
    std::int32_t location_index(const std::string& name);
    /// The same for an instruction, which values may be the address of.
    std::int32_t code_index(const std::string& name);
    bool is_code(const value& address) const {
        return address.is_address() && placed[static_cast<std::size_t>(address.location)].code;
    }
    /// Index of a location that there is, or -1.
    std::int32_t find(const std::string& name) const;
    /// How wide a register or a location is shown: as its type says, else 4 bytes; 8 in C, whose values are numbers.
    int bytes_shown(const ringproof::litmus::location& l) const;
    std::map<std::pair<int, std::string>, int> register_bytes; ///< of those that the test gives a type
    /// The address of a location. That of an element is its array's and an offset.
    value address(std::int32_t location) const;
    /// The location at an address; -1 if none is there.
    std::int32_t at(const value& address) const;
};

struct path_too_long {}; ///< the loop bound was reached: the path is dropped
/// A path has more than most_events_in_path.
struct too_many_events {
    std::size_t offset; ///< of the instruction
    int rounds;         ///< of loops before it
};

struct too_many_locations {};
constexpr std::size_t most_locations = 4096;

/// A thread that branches so often that its paths are too many to be listed.
struct too_many_paths {};
constexpr std::size_t most_paths = 1 << 16;

struct path_ends {}; ///< no execution goes this way

/// One execution of one thread. What is virtual differs where the values of loads are known as the thread runs
/// (src/explore).
class path_builder {
  public:
    path_builder(program& p, int thread, std::vector<bool>& decisions)
        : program_(p), thread_(thread), decisions_(decisions) {}
    virtual ~path_builder() = default;
    path_builder(const path_builder&) = delete;
    path_builder& operator=(const path_builder&) = delete;

    expressions& values() { return *program_.values; }
    operand_value constant(std::int64_t n) { return {values().number(n), 0, 0}; }
    operand_value apply(expressions::op o, const operand_value& a, const operand_value& b);
    operand_value apply(expressions::op o, const operand_value& a);
    /// 1 if the value is 0, else 0.
    operand_value negated(const operand_value& v) { return apply(expressions::op::equal, v, constant(0)); }
    operand_value address_of(const std::string& location);

    /// Counts work. @throws out_of_time
    void spend(std::uint64_t units) {
        if (program_.time) program_.time->spend(units);
    }
    /// Starts an instruction: events made from here on are of one instance.
    void instruction(std::size_t offset);
    /// @returns the index of the event
    virtual int read(const operand_value& address, const tag_set& labels, operand_value& result);
    virtual int write(const operand_value& address, const operand_value& data, const tag_set& labels);
    /// One event that reads and writes (C11). `make` computes what is stored from what is loaded.
    int update(const operand_value& address, const tag_set& labels, operand_value& loaded,
               const std::function<operand_value(const operand_value&)>& make);
    int other(const tag_set& labels);
    event& at(int index) { return path_.events[static_cast<std::size_t>(index)]; }
    void rmw(int read, int write, bool exclusive);
    /// Two events of an instruction, the first made first, are one access.
    virtual void one_access(int first, int second);
    /// Two events of an instruction, the first made first, come in this order.
    virtual void in_order(int first, int second);

    /// Is the condition true (not 0) on this path? Forks if it can be either.
    virtual bool decide(const operand_value& condition);
    /// The same for a branch: everything po-later is control-dependent on the loads of the condition.
    virtual bool branch(const operand_value& condition);
    /// On this path it is true: a thread that finds otherwise never goes on (a lock it waits for).
    /// False if it cannot be.
    virtual bool assume(const operand_value& condition);
    /// Goes one way and, in another path, the other, whatever the values.
    bool either() {
        ++choices_;
        return choose();
    }
    /// Everything po-later is control-dependent on these loads.
    void control(const operand_value& on) {
        control_from_ |= on.from;
        picked_control_ |= on.picked;
    }
    load_set control_from() const { return control_from_; }
    load_set picked_control() const { return picked_control_; }
    void restore_control(load_set from, load_set picked) {
        control_from_ = from;
        picked_control_ = picked;
    }
    /// A jump backwards, to an instruction or a loop of this number. It is not counted where its condition is known
    /// beforehand, and no choice has been made since the last one. @throws path_too_long
    void went_back(std::size_t target, bool counted = true);

    path take() { return std::move(path_); }
    path& current() { return path_; }

  protected:
    virtual bool choose();
    event& add(const tag_set& labels);
    program& what() { return program_; }
    int thread() const { return thread_; }

  private:
    program& program_;
    int thread_;
    std::vector<bool>& decisions_;
    std::size_t next_decision_ = 0;
    int instance_ = 0;
    std::size_t offset_ = 0;
    int backwards_ = 0;
    int choices_ = 0; ///< of either()
    struct round {
        int times = 0, choices = 0;
    };
    std::map<std::size_t, round> rounds_; ///< of jumps backwards, by target
    load_set control_from_ = 0;
    load_set picked_control_ = 0;
    path path_;
};

/// Finds every path: `execute` runs the thread once, from its start. @throws too_many_paths
void find_paths(program& p, int thread, const std::function<void(path_builder&)>& execute);

/// Fills locations and their initial values from the test's initial state.
void set_initial_state(program& p, const test& t);
/// The initial value of a register, 0 if the test gives none.
operand_value initial_register(program& p, const init_entry& entry);

} // namespace ringproof::litmus
