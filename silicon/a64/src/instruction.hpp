// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an A64 instruction does to registers and memory, without its arithmetic: which registers it reads and writes,
// and how it accesses memory. VIXL decodes; its simulator computes (processor.hpp).

#include <ringproof/silicon/event.hpp>

#include <cstdint>
#include <string>

namespace ringproof::silicon::a64 {

/// X0 to X30, SP, V0 to V31, and the flags, by these numbers.
using register_number = std::uint8_t;
inline constexpr register_number stack_pointer = 31, first_vector = 32, flags = 64, no_register = 255;

class register_set {
  public:
    constexpr register_set() = default;
    constexpr void insert(register_number r) {
        if (r == no_register) return;
        (r < 64 ? low_ : high_) |= std::uint64_t{1} << (r % 64);
    }
    template <class Tell>
    void each(const Tell& tell) const {
        for (std::uint64_t left = low_; left != 0; left &= left - 1)
            tell(static_cast<register_number>(__builtin_ctzll(left)));
        if (high_ != 0) tell(flags);
    }
    friend bool operator==(const register_set&, const register_set&) = default;

  private:
    std::uint64_t low_ = 0, high_ = 0;
};

enum class kind : std::uint8_t {
    plain,           ///< computes registers from registers
    select,          ///< takes one of two values: CSEL and its kin
    branch,          ///< goes on where registers say
    load,            ///< also LDAR, LDAPR, load-exclusives
    store,           ///< also STLR
    store_exclusive, ///< writes unless another thread wrote since its load-exclusive; a register gets the result
    exchange,        ///< SWP, LDADD and its kin, CAS
    barrier,
    thread_pointer, ///< MRS of TPIDR_EL0
    call,           ///< SVC: the program asks for something that is not an instruction
    nothing,        ///< hints and prefetches
    refused         ///< not known here
};

/// What an exchange stores.
enum class operation : std::uint8_t { swap, add, clear, exclusive_or, set, smax, smin, umax, umin, compare };

enum class indexing : std::uint8_t {
    offset,
    before,
    after
}; ///< writes the address back: never, before or after

struct instruction {
    kind what = kind::refused;
    register_set from, to; ///< of plain, select and branch; of others the registers besides those below

    // Memory:
    register_number base = no_register; ///< none: `offset` is the address
    register_number index = no_register;
    std::int64_t offset = 0;
    std::uint8_t index_shift = 0;
    bool index_is_word = false, index_is_signed = false; ///< the index is a W register, extended
    indexing writes_base = indexing::offset;
    std::uint8_t bytes = 0; ///< of one register
    std::uint8_t count = 1; ///< 2: a pair
    std::uint8_t single =
        0; ///< bytes that the machine accesses as one (single-copy atomic), if they are aligned
    bool vector = false;
    register_number data = no_register, second = no_register;
    register_number status = no_register;          ///< of a store-exclusive
    register_number expected = no_register;        ///< of CAS: what is compared, and gets the old value
    register_number second_expected = no_register; ///< of CASP
    operation does = operation::swap;
    bool acquire = false, acquire_pc = false, release = false, exclusive = false;
    silicon::barrier fence;
    silicon::barrier before; ///< not of the program: a barrier that is tried in front of it
    bool by_hand =
        false; ///< a load or store that VIXL's simulator is not asked for: ordered ones and exclusives

    std::uint16_t call = 0;   ///< the number of an SVC
    std::uint64_t target = 0; ///< of a branch that has its target in it, and returns nowhere
};

/// @param code where the instruction lies in this process
instruction decode(const std::uint32_t* code);

/// As in a listing: "ldar w0, [x1]"
std::string text_of(const std::uint32_t* code);

} // namespace ringproof::silicon::a64
