// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled programs as machines of the search: the instructions of a statically linked AArch64 program, one after the
// other, with the reads that each value depends on.
//
// main() is thread 0; the threads that it creates are the others. What the program asks of its system goes through the
// numbers below (runtime/): no other system calls are there.

#include <ringproof/silicon/machine.hpp>
#include <ringproof/silicon/ordered.hpp>

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

/// What a thread is stuck at.
enum class waiting : std::uint8_t {
    nothing, ///< it was never created
    loop,
    mutex,
    condition,
    thread_end,
    read_write_lock
};

/// A run of a thread, with where its events come from, and how the program failed, if it did.
struct traced_run : run {
    std::vector<std::uint64_t> code; ///< by event: the address of its instruction
    std::string failure;             ///< empty: no assertion failed, no access was wild
    /// By event: the call in the return address's register, and the one in the frame.
    using call_pair = std::array<std::uint64_t, 2>;
    std::vector<call_pair> called_at;
    waiting waits = waiting::nothing; ///< of a stuck thread: for what
    bool bounded = false;             ///< it would have timed out once more
    bool early_left_out = false; ///< a wait could have ended early once more, or a store-exclusive failed
};

/// The search has to begin anew: more memory is shared, or is accessed in smaller pieces, than was known.
struct learnt : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A line of the program's source.
struct source_place {
    std::string file; ///< as the compiler was given it; empty: not known
    int line = 0;
};

/// Bytes of shared memory that are always accessed together, as far as is known.
struct piece {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
};

/// What searches have learnt of a program: with the same knowledge a search has the same choices.
struct knowledge {
    std::size_t threads = 1;
    std::vector<piece> pieces; ///< by address; they do not overlap
};

/// Whether waits on condition variables end without a notification, and store-exclusives fail without a reason, where the
/// program can tell: a few times in a row, without a bound, or never.
enum class spurious : std::uint8_t { few, always, never };

struct program_limits {
    std::uint64_t instructions = 100'000; ///< of a thread
    spurious ends = spurious::few;
};

/// An instruction that orders, and the forms that order less.
struct ordering {
    std::uint64_t code = 0;
    std::string name;                ///< "ldar", "dmb ish"
    std::string place, text;         ///< "queue.hpp:42", "ldar w1, [x0]"
    std::vector<std::string> weaker; ///< the weakest first: "ldr", "ldapr"
};

class program : public machine {
  public:
    /// @param path of a program that is linked with the runtime
    /// @throws std::invalid_argument for what cannot be run here
    static std::unique_ptr<program> load(const std::string& path, const program_limits& limits = {});

    /// "stlr w1, [x0]", as in a listing; empty for what is no instruction: the start of a thread.
    virtual std::string instruction_text(std::uint64_t code) const = 0;
    /// Of an event of this run.
    virtual source_place place(const traced_run& of, std::size_t event) const = 0;
    /// "queue.hpp:42", or "push+0x1c" where the program was built without -g; of an event of this run.
    virtual std::string place_text(const traced_run& of, std::size_t event) const = 0;
    /// The instructions that order, of those that made events in searches so far; by address.
    virtual std::vector<ordering> orderings() const = 0;
    /// From now on this instruction is that one of its weaker forms; as it is, if none is given.
    virtual void weaken(std::uint64_t code, std::optional<std::size_t> form) = 0;
    /// "ldar", "dmb ish": of the instruction as it is, what it becomes, or what stands before it then; empty: it has no
    /// such form, or orders so much by itself.
    virtual std::string stronger_name(std::uint64_t code, added_order::kind how) const = 0;
    /// From now on this instruction orders more, until it is weakened to what it is.
    virtual void strengthen(std::uint64_t code, added_order::kind how) = 0;
    virtual knowledge learnt_so_far() const = 0;
    virtual void begin_with(const knowledge& learnt) = 0;
    /// Of its code, its initial memory and what is explored of it: the same for the same program.
    virtual std::uint64_t fingerprint() const = 0;
    /// "ready", "buffer+0x8", "0x7fff0010 (stack of thread 1)"
    virtual std::string location_text(std::uint64_t address) const = 0;
};

} // namespace ringproof::silicon::a64
