// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the program allocates and frees, and which addresses come again.

#include "../race/race_detector.hpp"
#include "../trace/recorder.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace ringproof::verify {

class runtime;

class allocations {
  public:
    allocations(runtime& r, program& p, const graph& g, race_detector& d, recorder& w, search_facts& f)
        : runtime_(r), program_(p), graph_(g), races_(d), recorder_(w), facts_(f) {}

    /// @param frame of the hook, and `site`: 0 for what the engine keeps in the program's heap
    void* allocate(std::size_t size, std::size_t alignment, std::uintptr_t site = 0,
                   std::uintptr_t frame = 0);
    void release(void* p, std::uintptr_t site);
    /// Main's choice between the two allocators, as it begins.
    void choose_allocator();

    /// The numbers of the blocks that `t` may get for an allocation.
    std::vector<std::uint32_t> reusable(const thread_state& t, std::size_t size, std::size_t alignment) const;
    /// Whether allocations choose among freed blocks.
    bool offers_blocks() const { return reuses_; }
    /// Answers whether a thread does not read words again that it left in registers and on its stack, where it has called a
    /// hook that has this frame.
    using forgetting = std::function<bool(const thread_state& t, std::uintptr_t frame,
                                          const std::vector<memory_range>& words)>;
    void ask_what_is_forgotten(forgetting answer) { are_forgotten_ = std::move(answer); }
    /// What is still allocated at the end of a complete execution. @throws refuted
    void check_leaks() const;
    /// What the choice of the allocator is called, and told by.
    static constexpr char allocator_choice[] = "use the block freed last";

  private:
    class reusable_blocks;
    std::uintptr_t reused(std::size_t size, std::size_t alignment, std::uintptr_t site, std::uintptr_t frame);
    bool kept_in_atomic(const reusable_blocks& blocks) const;
    bool kept_in_memory(const reusable_blocks& blocks, std::uintptr_t frame) const;
    std::uintptr_t freed_last(const thread_state& t, std::size_t size, std::size_t alignment) const;
    void note_blocks(const reusable_blocks& blocks, std::uintptr_t site, std::uintptr_t frame);
    bool chooses_block(const reusable_blocks& blocks, std::uintptr_t site, std::uintptr_t frame);
    void use_again(std::uintptr_t block, std::size_t size, std::uintptr_t site);

    runtime& runtime_;
    program& program_;
    const graph& graph_;
    race_detector& races_;
    recorder& recorder_;
    search_facts& facts_;
    forgetting are_forgotten_;
    bool reuses_ = false;     ///< allocations choose among freed blocks
    bool allocators_ = false; ///< main chooses an allocator
};

} // namespace ringproof::verify
