// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which reads of the thread a value comes from: in registers, and in memory of its own.

#include "instruction.hpp"

#include <ringproof/silicon/index_set.hpp>

#include <array>
#include <memory>
#include <unordered_map>

namespace ringproof::silicon::a64 {

struct origin {
    index_set from;   ///< by dependencies of the syntax
    index_set picked; ///< these, and those through a choice between values, which order less
    index_set needs;  ///< all without which the value is not known

    origin& operator|=(const origin& other) {
        from |= other.from;
        picked |= other.picked;
        needs |= other.needs;
        return *this;
    }
};
/// Nothing: a constant.
using shared_origin = std::shared_ptr<const origin>;

inline shared_origin both(const shared_origin& a, const shared_origin& b) {
    if (!a || a == b) return b;
    if (!b) return a;
    auto sum = std::make_shared<origin>(*a);
    *sum |= *b;
    return sum;
}

class origins {
  public:
    const shared_origin& of(register_number r) const { return registers_[r == no_register ? nowhere : r]; }
    shared_origin of(const register_set& all) const {
        shared_origin sum;
        all.each([&](register_number r) { sum = both(sum, of(r)); });
        return sum;
    }
    void set(register_number r, const shared_origin& o) {
        if (r == no_register) return;
        registers_[r] = o;
        written_[r] = ++writes_;
    }
    /// Differs each time that the register is written.
    std::uint64_t written(register_number r) const { return written_[r]; }
    void set(const register_set& all, const shared_origin& o) {
        all.each([&](register_number r) { set(r, o); });
    }
    shared_origin of_memory(std::uint64_t address, std::uint64_t bytes) const {
        shared_origin sum;
        for (std::uint64_t b = address; b < address + bytes; ++b)
            if (const auto at = memory_.find(b); at != memory_.end()) sum = both(sum, at->second);
        return sum;
    }
    void set_memory(std::uint64_t address, std::uint64_t bytes, const shared_origin& o) {
        for (std::uint64_t b = address; b < address + bytes; ++b) {
            if (o)
                memory_[b] = o;
            else
                memory_.erase(b);
        }
    }

  private:
    static constexpr std::size_t nowhere = flags + 1;
    std::array<shared_origin, nowhere + 1> registers_;
    std::array<std::uint64_t, nowhere + 1> written_{};
    std::uint64_t writes_ = 0;
    std::unordered_map<std::uint64_t, shared_origin> memory_;
};

} // namespace ringproof::silicon::a64
