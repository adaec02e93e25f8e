// SPDX-License-Identifier: Apache-2.0
#pragma once
// From addresses to what people read: the source line of an access, the name of a variable.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ringproof::verify {

struct source_position {
    std::string file; ///< empty when unknown
    int line = 0;
    std::string function;
    bool direct = false; ///< the access itself is written here, not in a system header that this calls
    std::string through; ///< the system header whose function it calls, "atomic_base.h"; empty when direct
    bool known() const { return !file.empty(); }
};

struct made_object;

class symbols {
  public:
    symbols();
    ~symbols();
    symbols(const symbols&) = delete;
    symbols& operator=(const symbols&) = delete;

    /// The innermost position in the user's own code on a stack of return addresses: inlined calls
    /// count, system headers and the checker do not.
    source_position position(const std::vector<std::uintptr_t>& return_addresses) const;
    /// Every such position on the stack, innermost first.
    std::vector<source_position> positions(const std::vector<std::uintptr_t>& return_addresses) const;

    /// The functions that a call stands in, system headers' as well: the innermost first, as far as they are inlined.
    std::vector<std::string> functions(std::uintptr_t return_address) const;

    /// Whether the standard library makes the call, within a timed wait: `condition_variable::wait_for()` looks at the
    /// clock to compute its deadline.
    bool is_in_timed_wait(std::uintptr_t return_address) const;

    /// "ring.head" for a variable with static storage, "ring+0x10" where the member is unknown; empty
    /// when there is none there. An access of `size` bytes may be of a part: "bytes 4 to 7 of q.state"; 0: the size says nothing.
    std::string variable(std::uintptr_t address, std::uint64_t size = 0) const;

    /// "box.data" for a local variable `below` bytes below the canonical address of the frame of the
    /// function that `return_address` leads into, and `above` bytes above its stack pointer; empty when
    /// there is none there.
    std::string local(std::uintptr_t return_address, std::uintptr_t below, std::uintptr_t above,
                      std::uint64_t size = 0) const;

    /// What the program calls an object of `bytes` that it allocated at these return addresses; null when that is not certain.
    const made_object* object(const std::vector<std::uintptr_t>& return_addresses, std::uint64_t bytes) const;
    /// The name of the object's type, "node".
    static std::string type_name(const made_object& object);

  private:
    struct state;
    std::unique_ptr<state> state_;
};

/// A linker's name as people write it: "std::x::wait(int)"; one of C stays as it is.
std::string demangled(const char* name);

} // namespace ringproof::verify
