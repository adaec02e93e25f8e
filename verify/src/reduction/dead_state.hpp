// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../graph/graph.hpp"
#include "../program/facts.hpp"
#include "../program/thrown.hpp"
#include "../race/shadow.hpp"
#include "code_paths.hpp"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ringproof::verify {

/// Tells what of a thread's registers and stack is not read any more before it is overwritten: dead_state.cpp.
class dead_state {
  public:
    dead_state(const search_facts& f, program& p, const graph& g, shadow_memory& s)
        : facts_(f), program_(p), graph_(g), shadow_(s), paths_(p) {
        thrown::forget();
    }
    /// Whether `t`, which has a pending request, goes on alike whatever these bytes of its own stack hold, among them the
    /// registers as program::own_stack() has them. @param differing ranges of addresses, in order
    bool is_dead(const thread_state& t, const std::vector<memory_range>& differing);
    /// Whether the bytes at `then`, a copy of `own`, which begins with saved registers, are those of now, or dead, or may
    /// differ.
    bool same_but_dead(const thread_state& t, const memory_range& own, const char* then,
                       const std::function<bool(std::uintptr_t address)>& may_differ = {});

    /// Whether no way on of `t`, which has called the hook with this frame, reads these words of its own, that it left in
    /// registers and on the stack. @param words as `differing` of is_dead()
    bool are_forgotten(const thread_state& t, std::uintptr_t frame, const std::vector<memory_range>& words);

    /// Whether `t` overwrites what a hook's function returns before it reads it. @param frame of the hook
    bool result_is_unused(const thread_state& t, std::uintptr_t frame);

  private:
    /// How it was found that what differs is dead, if it is.
    enum class answer : std::uint8_t { no, yes, with_locals };
    answer asked_anew(const machine& m, const memory_range& stack, std::uintptr_t followed);
    memory_range stack_of(const thread_state& t) const;
    bool stand(machine& m, std::uintptr_t frame, const memory_range& stack,
               const std::vector<memory_range>& differing);
    bool may_be_read_elsewhere(const thread_state& t, const machine& m, std::uintptr_t followed,
                               const memory_range& last);
    bool is_pointed_into(const thread_state& t, const memory_range& where) const;

    const search_facts& facts_;
    program& program_;
    const graph& graph_;
    shadow_memory& shadow_;
    code_paths paths_;
    std::unordered_map<std::uint64_t, answer> known_; ///< what was asked before
    std::vector<memory_range> differing_;
};

} // namespace ringproof::verify
