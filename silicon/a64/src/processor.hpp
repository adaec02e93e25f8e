// SPDX-License-Identifier: Apache-2.0
#pragma once
// The registers of a thread, and what an instruction computes: VIXL's simulator, an instruction at a time. It accesses
// memory where the program's addresses say, in this process (memory.hpp).

#include "instruction.hpp"

#include <array>
#include <memory>

namespace ringproof::silicon::a64 {

/// All of a thread that is not memory.
struct registers {
    std::array<std::uint64_t, 32> general{};
    std::array<std::array<std::uint64_t, 2>, 32> vectors{};
    std::uint32_t flags = 0;
    std::uint64_t pc = 0;
    bool operator==(const registers&) const = default;
};

class processor {
  public:
    processor();
    ~processor();
    processor(const processor&) = delete;
    processor& operator=(const processor&) = delete;

    registers all() const;
    void set_all(const registers& to);
    std::uint64_t pc() const;
    void set_pc(std::uint64_t address);
    /// Of a general register or SP; `no_register` is zero.
    std::uint64_t value(register_number r) const;
    void set(register_number r, std::uint64_t value);
    /// The instruction at pc, which must be mapped, as all that it accesses.
    void step();
    void skip() { set_pc(pc() + 4); }

  private:
    struct simulator;
    std::unique_ptr<simulator> simulator_;
};

} // namespace ringproof::silicon::a64
