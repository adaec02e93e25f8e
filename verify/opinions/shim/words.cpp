// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace ringproof::opinions {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::size_t first_slots = 1024;

std::uintptr_t aligned(std::uintptr_t address) { return address & ~std::uintptr_t{word_bytes - 1}; }

} // namespace

struct words::storage {
    struct alignas(std::max_align_t) block {
        unsigned char bytes[block_bytes];
    };
    std::vector<word_state> states;
    std::vector<std::uint32_t>
        used; ///< the slots that hold something; emptied all at once, as a search stops at an empty one
    std::vector<std::uint32_t> slots =
        std::vector<std::uint32_t>(first_slots, none); ///< by address, into states
    std::deque<block> blocks;                          ///< its elements do not move
    std::size_t used_blocks = 0;

    /// The slot that holds the word, or the one where it belongs.
    std::uint32_t& slot(std::uintptr_t at) {
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
        std::size_t i = static_cast<std::size_t>((at >> 3) * golden >> 32) & (slots.size() - 1);
        while (slots[i] != none && states[slots[i]].at != at) i = (i + 1) & (slots.size() - 1);
        return slots[i];
    }

    void fill(std::uint32_t& slot, std::uint32_t with) {
        slot = with;
        used.push_back(static_cast<std::uint32_t>(&slot - slots.data()));
    }

    void grow() {
        slots.assign(2 * slots.size(), none);
        used.clear();
        for (std::uint32_t i = 0; i != states.size(); ++i) fill(slot(states[i].at), i);
    }
};

words::words() : all_(new storage) {}
words::~words() { delete all_; }

word_state& words::of(std::uintptr_t address) {
    const std::uintptr_t at = aligned(address);
    std::uint32_t* slot = &all_->slot(at);
    if (*slot != none) return all_->states[*slot];
    if (2 * all_->states.size() >= all_->slots.size()) all_->grow(), slot = &all_->slot(at);
    all_->fill(*slot, static_cast<std::uint32_t>(all_->states.size()));
    all_->states.push_back({at});
    return all_->states.back();
}

word_state* words::find(std::uintptr_t address) {
    const std::uint32_t slot = all_->slot(aligned(address));
    return slot == none ? nullptr : &all_->states[slot];
}

word_state* words::begin() { return all_->states.data(); }
word_state* words::end() { return all_->states.data() + all_->states.size(); }

void* words::block() {
    if (all_->used_blocks == all_->blocks.size()) all_->blocks.emplace_back();
    return all_->blocks[all_->used_blocks++].bytes;
}

void words::clear() {
    for (const std::uint32_t i : all_->used) all_->slots[i] = none;
    all_->used.clear();
    all_->states.clear();
    all_->used_blocks = 0;
}

} // namespace ringproof::opinions
