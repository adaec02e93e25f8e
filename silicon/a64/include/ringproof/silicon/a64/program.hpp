// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compiled programs as machines of the search: the instructions of a statically linked AArch64 program, one after the
// other, with the reads that each value depends on.
//
// main() is thread 0; the threads that it creates are the others. What the program asks of its system goes through the
// numbers below (runtime/): no other system calls are there.

#include <ringproof/silicon/machine.hpp>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace ringproof::silicon::a64 {

/// What a thread is stuck at.
enum class waiting : std::uint8_t {
    nothing, ///< it was never created
    loop,
    mutex,
    condition,
    thread_end
};

/// A run of a thread, with where its events come from, and how the program failed, if it did.
struct traced_run : run {
    std::vector<std::uint64_t> code; ///< by event: the address of its instruction
    std::string failure;             ///< empty: no assertion failed, no access was wild
    /// Of events that the runtime makes for the program, by event: the instruction that calls it, and the call of the
    /// function which that one is in.
    std::map<std::size_t, std::array<std::uint64_t, 2>> called_at;
    waiting waits = waiting::nothing; ///< of a stuck thread: for what
    bool bounded = false;             ///< it would have timed out once more
};

/// The search has to begin anew: more memory is shared, or is accessed in smaller pieces, than was known.
struct learnt : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct program_limits {
    std::uint64_t instructions = 100'000; ///< of a thread
};

class program : public machine {
  public:
    /// @param path of a program that is linked with the runtime
    /// @throws std::invalid_argument for what cannot be run here
    static std::unique_ptr<program> load(const std::string& path, const program_limits& limits = {});

    /// "stlr w1, [x0]", as in a listing; empty for what is no instruction: the start of a thread.
    virtual std::string instruction_text(std::uint64_t code) const = 0;
    /// "queue.hpp:42", or "push+0x1c" where the program was built without -g; of an event of this run.
    virtual std::string place_text(const traced_run& of, std::size_t event) const = 0;
    /// "ready", "buffer+0x8", "0x7fff0010 (stack of thread 1)"
    virtual std::string location_text(std::uint64_t address) const = 0;
};

} // namespace ringproof::silicon::a64
