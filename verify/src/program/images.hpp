// SPDX-License-Identifier: Apache-2.0
#pragma once
// Saved states of the program. A state is an image of every thread (its struct and live stack) and
// of the memory; what has not changed since the state before is shared with it. States are taken and
// dropped last in, first out, so one growing buffer holds them all.

#include "memory.hpp"
#include "thread.hpp"
#include "unwritten_chunks.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace ringproof::verify {

class memory_digest;

struct saved_state {
    std::size_t bottom = 0;  ///< where this state's own images begin in the buffer
    std::size_t threads = 0; ///< offset of the table of thread images, as many as thread_count
    std::size_t memory = 0;  ///< offset of the memory image
    std::uint16_t thread_count = 0;
};

class image_store {
  public:
    explicit image_store(program_memory& memory);
    ~image_store();
    image_store(const image_store&) = delete;
    image_store& operator=(const image_store&) = delete;

    saved_state save(thread_state* threads, std::uint16_t count);
    /// @return the number of threads then
    std::uint16_t restore(const saved_state& state, thread_state* threads);
    /// Restores thread `t` alone.
    void restore_one(const saved_state& state, thread_state* threads, thread_id t);
    /// Drops `state` and every state saved after it.
    void drop(const saved_state& state) {
        top_ = state.bottom;
        while (last_memory_ != none_ && last_memory_ >= top_) last_memory_ = base_of(last_memory_);
    }

    void clear_below(thread_id t, std::uintptr_t live, std::uintptr_t stood_at);
    /// The same of all of its stack: `thread` is not created in the state that was restored.
    void clear_stack(thread_id t, const thread_state& thread) {
        clear_below(t, memory_.stack_top(t), reinterpret_cast<std::uintptr_t>(thread.context));
    }

    /// The live stack of thread `t` as it was in `state`, and its context then.
    struct stack_image {
        const char* bytes;
        std::uintptr_t sp;
        std::size_t size;
        std::uint32_t random; ///< how far the thread's random numbers were
        floating_point floats;
    };
    stack_image stack_of(const saved_state& state, thread_id t) const;
    /// Thread `t` as it was in `state`, but for its clocks and contexts.
    const thread_state& thread_of(const saved_state& state, thread_id t) const;
    /// What thread `t` was about to do in `state`.
    const request& request_of(const saved_state& state, thread_id t) const {
        return thread_of(state, t).what;
    }

    /// Whether the memory that there was in `state` holds what it did then, whoever may have written to it.
    bool same_memory(const saved_state& state) const;
    /// The same, but for words that may differ.
    bool same_memory(const saved_state& state,
                     const std::function<bool(std::uintptr_t address)>& may_differ) const;
    /// From now on the stack of `thread` may change while others run: one of them knows an address in it, and may have a
    /// library write there, which nobody sees.
    void watch(thread_id thread) { watched_ |= std::uint32_t{1} << thread; }
    bool is_watched(thread_id t) const { return watched_ >> t & 1; }
    /// Takes the threads whose watched stacks have changed for dirty. Saving a state does, too.
    void note_unseen(thread_state* threads, std::uint16_t count) const;
    /// Whether the stacks of all threads but `but`, which alone has run since, are as they were: locals of others,
    /// main()'s results for one, are memory like any other.
    bool same_stacks(const saved_state& then, const thread_state* threads, thread_id but) const;
    /// The same of the stacks that are watched, but for words that may differ, whoever has run since.
    bool same_watched(const saved_state& then, const thread_state* threads, thread_id but,
                      const std::function<bool(std::uintptr_t address)>& may_differ = {}) const;
    /// Whether nobody, or not `thread`, has allocated since `state`.
    bool same_heaps(const saved_state& state) const;
    bool same_heap(const saved_state& state, thread_id thread) const {
        return heap_end(state, thread) == heap_end(memory_.heaps(), thread);
    }
    /// Where the heap of `thread` ended in `state`.
    std::uintptr_t heap_end(const saved_state& state, thread_id thread) const;
    /// What `size` bytes of memory, within one aligned chunk, were in `state`, or null when it does not have them.
    const char* bytes_of(const saved_state& state, std::uintptr_t address, std::size_t size) const;

    /// The same of the live stack of a thread.
    const char* stack_bytes_of(const saved_state& state, thread_id thread, std::uintptr_t address,
                               std::size_t size) const;

    /// Adds what `thread` may read beside its own stack: the heaps, the executable's data, and the stacks of others that
    /// are watched. @return false where there is more of it than is worth a look
    bool add_to(memory_digest& digest, const thread_state* threads, std::uint16_t count,
                thread_id thread) const;

    std::size_t peak() const { return peak_; }

    /// All bytes are compared and copied from here on, be they written or not.
    void compare_unwritten() { unwritten_.switch_off(); }

  private:
    char* room(std::size_t size);
    bool stands_on_its_stack(const thread_state& thread) const;
    std::size_t save_thread(thread_state& thread);
    void restore_thread(std::size_t image, thread_state& thread, thread_id t);
    std::size_t save_memory();
    void watch_large();
    struct memory_header;
    /// An image of the memory: its base, the image whose chunks it shares where they are the same; where the heaps
    /// end; the pages that the program mapped; and where the bytes of each chunk of the heaps and of the executable's
    /// data are.
    struct extent {
        program_memory::heap_tops tops;
        std::size_t pages = 0;
        const char* mapped = nullptr;
        const std::size_t* chunks = nullptr;
        std::size_t count = 0;
    };
    extent read_extent(std::size_t image) const;
    bool same_bytes(const extent& then, std::size_t spared) const;
    std::size_t place_of(const char* bytes) const { return static_cast<std::size_t>(bytes - buffer_); }
    bool is_unwritten(std::uintptr_t chunk, const char* bytes) const {
        return unwritten_.is(chunk, place_of(bytes));
    }
    std::size_t base_of(std::size_t image) const;
    /// Calls f(range) for each range of memory that an image has, in its order.
    template <class Function>
    void each_range(const program_memory::heap_tops& tops, Function f) const {
        tops.each([&](thread_id t, std::uintptr_t top) { f(memory_range{memory_.heap_begin(t), top}); });
        for (const memory_range& range : memory_.data()) f(range);
    }
    /// Calls f(range, bytes) for each chunk of an image.
    template <class Function>
    void each_chunk(const extent& then, Function f) const {
        std::size_t i = 0;
        each_range(then.tops, [&](const memory_range& range) {
            chunks_of(range, [&](const memory_range& chunk) { f(chunk, buffer_ + then.chunks[i++]); });
        });
    }
    /// Calls f(range, bytes) for each chunk of the memory as it is now; `bytes` are those of the same range in an image,
    /// or null where it does not have that.
    template <class Function>
    void each_chunk_now(const extent& then, Function f) const;
    template <class Function>
    static void chunks_of(const memory_range& range, Function f) {
        for (std::uintptr_t a = range.begin, end; a < range.end; a = end) {
            end = std::min(range.end, (a | (chunk_size - 1)) + 1);
            f(memory_range{a, end});
        }
    }
    /// Small, as most of what a program changes lies together; a power of two, so that no word lies in two.
    static constexpr std::size_t chunk_size = unwritten_chunks::chunk_size;
    std::uintptr_t heap_end(const program_memory::heap_tops& tops, thread_id thread) const {
        return tops.has(thread) ? tops.top[thread] : memory_.heap_begin(thread);
    }
    void restore_memory(std::size_t image);

    bool changed_unseen(const thread_state& thread) const;

    program_memory& memory_;
    mutable unwritten_chunks unwritten_; ///< that its questions ask the system changes no answer
    char* buffer_ = nullptr;
    std::size_t top_ = 0, peak_ = 0;
    std::size_t last_memory_ = none_;
    std::uint32_t watched_ = 0; ///< bit t: the stack of thread t
    /// Since each thread's stack was last cleared, where its lowest frame was that others ran behind; 0: at none.
    std::uintptr_t lowest_used_[max_threads] = {};
    std::size_t images_[max_threads] = {}; ///< the image that each thread's state equals unless dirty
    static constexpr std::size_t none_ = ~std::size_t{0};
};

} // namespace ringproof::verify
