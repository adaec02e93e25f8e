// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"

#include "memory_digest.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 40; // address space, not memory
/// Of memory with few chunks all is copied, which takes less time than to find what has changed, until there are many
/// images: a long execution has one for each event.
constexpr std::size_t few_chunks = 8, many_images = std::size_t{4} << 20;

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

/// The part of a thread's struct that is saved.
std::size_t without_contexts(unsigned clock_groups) {
    return offsetof(thread_state, clocks) + clock_groups * decltype(thread_clocks::all)::group_bytes;
}
bool has_stack(const thread_state& t) { return t.context && t.status != thread_status::finished; }
std::size_t size_of(const thread_state& t) {
    return without_contexts(t.image_groups) + (t.has_contexts ? sizeof t.contexts : 0);
}

/// Whether memory at `now` holds these bytes, but for words that may differ.
bool same_words(const char* then, std::uintptr_t now, std::size_t all,
                const std::function<bool(std::uintptr_t)>& may_differ) {
    if (std::memcmp(then, at(now), all) == 0) return true;
    if (!may_differ) return false;
    constexpr std::size_t word = 8;
    for (std::size_t i = 0; i < all; i += word) {
        const std::size_t size = std::min(word, all - i);
        if (std::memcmp(then + i, at(now + i), size) != 0 && !may_differ(now + i)) return false;
    }
    return true;
}

/// Where the heap or the data of an object ends by now that has `address`.
std::uintptr_t end_of_range(const program_memory& memory, std::uintptr_t address) {
    if (memory.in_heap(address)) return memory.heap_top_at(address);
    for (const memory_range& range : memory.data())
        if (range.contains(address)) return range.end;
    return address;
}

} // namespace

image_store::image_store(program_memory& memory)
    : memory_(memory), unwritten_([&memory](std::uintptr_t begin) { return end_of_range(memory, begin); }) {
    void* mapped = mmap(nullptr, buffer_size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::runtime_error(std::string("cannot map the saved states: ") + std::strerror(errno));
    buffer_ = static_cast<char*>(mapped);
}

image_store::~image_store() { munmap(buffer_, buffer_size); }

char* image_store::room(std::size_t size) {
    char* at = buffer_ + top_;
    top_ += (size + 15) & ~std::size_t{15};
    if (top_ > peak_) peak_ = top_;
    return at;
}

/// A thread that stands elsewhere is one that the search is about to refuse.
bool image_store::stands_on_its_stack(const thread_state& thread) const {
    return has_stack(thread) &&
           memory_.stack(thread.id).contains(reinterpret_cast<std::uintptr_t>(thread.context));
}

std::size_t image_store::save_thread(thread_state& thread) {
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    const std::size_t live = stands_on_its_stack(thread) ? memory_.stack_top(thread.id) - sp : 0;
    thread.image_groups = static_cast<std::uint8_t>(clock_groups::known());
    const std::size_t flat = without_contexts(thread.image_groups), own = size_of(thread);
    char* image = room(own + live);
    thread.dirty = false;
    std::memcpy(image, &thread, flat);
    if (thread.has_contexts) std::memcpy(image + flat, &thread.contexts, sizeof thread.contexts);
    std::memcpy(image + own, reinterpret_cast<const void*>(sp), live);
    return static_cast<std::size_t>(image - buffer_);
}

/// Clears what other branches of the search have left on the stack of thread `t` below `live`, when it goes on from there.
/// Variables that the program has not written yet hold it, and states are compared with them: how many executions a
/// search finds would depend on where it came from, and one that is resumed or divided would find others than one that is not.
/// @param stood_at where the thread's lowest frame was, 0 where it had none
void image_store::clear_below(thread_id t, std::uintptr_t live, std::uintptr_t stood_at) {
    std::uintptr_t& lowest = lowest_used_[t];
    if (memory_.stack(t).contains(stood_at) && (lowest == 0 || stood_at < lowest)) lowest = stood_at;
    if (lowest == 0 || lowest >= live) return;
    constexpr std::size_t leaf =
        1024; // bytes: of functions that have returned since the thread last stood anywhere
    const std::uintptr_t from = std::max(memory_.stack(t).begin, lowest - leaf);
    std::memset(reinterpret_cast<void*>(from), 0, live - from);
    lowest = live;
}

/// @param t whose image it is; one that is not created yet has no number of its own
void image_store::restore_thread(std::size_t image, thread_state& thread, thread_id t) {
    const char* from = buffer_ + image;
    const auto stood_at = reinterpret_cast<std::uintptr_t>(thread.context);
    if (thread.has_contexts) thread.contexts = {};
    const unsigned groups = reinterpret_cast<const thread_state*>(from)->image_groups; // as far as it goes
    const std::size_t flat = without_contexts(groups);
    std::memcpy(static_cast<void*>(&thread), from, flat);
    // Groups that were not known then.
    if (const std::size_t now = without_contexts(clock_groups::known()); now > flat)
        std::memset(reinterpret_cast<char*>(&thread) + flat, 0, now - flat);
    if (thread.has_contexts) std::memcpy(&thread.contexts, from + flat, sizeof thread.contexts);
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    const bool has_frames = stands_on_its_stack(thread);
    clear_below(t, has_frames ? sp : memory_.stack_top(t), stood_at);
    if (!has_frames) return;
    std::memcpy(reinterpret_cast<void*>(sp), from + size_of(thread), memory_.stack_top(thread.id) - sp);
}

/// How an image of the memory begins; the tops of its heaps and its chunks follow.
struct image_store::memory_header {
    std::size_t base;
    std::size_t mapped; ///< where the image of mapped pages is
    std::size_t count;  ///< of chunks
    std::uint32_t used; ///< as in heap_tops
    std::uint32_t pages;
};

image_store::extent image_store::read_extent(std::size_t image) const {
    const auto* header = reinterpret_cast<const memory_header*>(buffer_ + image);
    const auto* next = reinterpret_cast<const std::size_t*>(header + 1);
    extent then;
    then.tops.used = header->used;
    then.tops.each([&](unsigned t, std::uintptr_t) { then.tops.top[t] = *next++; });
    then.pages = header->pages;
    then.mapped = buffer_ + header->mapped;
    then.chunks = next;
    then.count = header->count;
    return then;
}

std::size_t image_store::base_of(std::size_t image) const {
    return reinterpret_cast<const memory_header*>(buffer_ + image)->base;
}

template <class Function>
void image_store::each_chunk_now(const extent& then, Function f) const {
    std::size_t first = 0; // of the image's chunks, in this range
    const auto both = [&](const memory_range& now, const memory_range& before) {
        std::size_t i = first;
        chunks_of(now, [&](const memory_range& chunk) {
            const std::uintptr_t end = std::min(before.end, (chunk.begin | (chunk_size - 1)) + 1);
            const bool has = chunk.begin < before.end && end == chunk.end;
            f(chunk, has ? buffer_ + then.chunks[i] : nullptr);
            ++i;
        });
        chunks_of(before, [&](const memory_range&) { ++first; });
    };
    for (thread_id t = 0; t < max_threads; ++t) {
        const std::uintptr_t begin = memory_.heap_begin(t);
        if (memory_.heaps().has(t) || then.tops.has(t))
            both({begin, heap_end(memory_.heaps(), t)}, {begin, heap_end(then.tops, t)});
    }
    for (const memory_range& range : memory_.data())
        both(range, first < then.count ? range : memory_range{range.begin, range.begin});
}

/// Whether the heaps, but for so many bytes at the beginning of each, the executable's data and mapped pages are as in
/// an image.
bool image_store::same_bytes(const extent& then, std::size_t spared) const {
    bool same = true;
    unwritten_.note_written();
    each_chunk(then, [&](const memory_range& range, const char* bytes) {
        if (!same || is_unwritten(range.begin, bytes)) return;
        const bool begins = memory_.in_heap(range.begin) &&
                            range.begin == memory_.heap_begin(memory_.heap_owner(range.begin));
        const std::size_t skipped = begins ? spared : 0;
        same = std::memcmp(bytes + skipped, at(range.begin + skipped), range.size() - skipped) == 0;
    });
    return same && (!mapped::any() || mapped::same(then.mapped, then.pages));
}

void image_store::watch_large() {
    memory_.heaps().each([&](thread_id t, std::uintptr_t top) {
        unwritten_.watch_when_large(memory_.whole_heap(t), top - memory_.heap_begin(t));
    });
    for (const memory_range& range : memory_.data()) unwritten_.watch_when_large(range, range.size());
}

/// Saves all, or what is not as in the last image, which a new one shares the rest with.
std::size_t image_store::save_memory() {
    const program_memory::heap_tops& tops = memory_.heaps();
    const extent before = last_memory_ == none_ ? extent{} : read_extent(last_memory_);
    const auto pages = static_cast<std::uint32_t>(mapped::any() ? mapped::live_pages() : 0);
    std::size_t count = 0, heaps = 0;
    tops.each([&](unsigned, std::uintptr_t) { ++heaps; });
    each_range(tops,
               [&](const memory_range& range) { chunks_of(range, [&](const memory_range&) { ++count; }); });
    const std::size_t bottom = top_;
    auto* header =
        reinterpret_cast<memory_header*>(room(sizeof(memory_header) + (heaps + count) * sizeof(std::size_t)));
    auto* next = reinterpret_cast<std::size_t*>(header + 1);
    tops.each([&](unsigned, std::uintptr_t top) { *next++ = top; });
    if (count <= few_chunks && top_ < many_images && !mapped::any()) {
        each_range(tops, [&](const memory_range& range) {
            char* const copy = room(range.size());
            std::memcpy(copy, at(range.begin), range.size());
            chunks_of(range, [&](const memory_range& chunk) {
                *next++ = place_of(copy) + (chunk.begin - range.begin);
            });
        });
        *header = {last_memory_, top_, count, tops.used, pages};
        return last_memory_ = bottom;
    }
    bool same = last_memory_ != none_ && before.tops == tops;
    watch_large();
    unwritten_.note_written();
    each_chunk_now(before, [&](const memory_range& range, const char* bytes) {
        if (bytes && is_unwritten(range.begin, bytes)) return void(*next++ = place_of(bytes));
        if (!bytes || std::memcmp(bytes, at(range.begin), range.size()) != 0) {
            char* const copy = room(range.size());
            std::memcpy(copy, at(range.begin), range.size());
            bytes = copy;
            same = false;
        }
        *next++ = place_of(bytes);
        unwritten_.set(range.begin, place_of(bytes));
    });
    if (same && (!mapped::any() || mapped::same(before.mapped, before.pages))) {
        top_ = bottom;
        return last_memory_;
    }
    *header = {last_memory_, top_, count, tops.used, pages};
    if (pages != 0) mapped::save(room(mapped::image_size(pages)), pages);
    return last_memory_ = bottom;
}

void image_store::restore_memory(std::size_t image) {
    const extent then = read_extent(image);
    unwritten_.note_written();
    memory_.set_heaps(then.tops);
    each_chunk(then, [&](const memory_range& range, const char* bytes) {
        if (is_unwritten(range.begin, bytes)) return;
        std::memcpy(reinterpret_cast<void*>(range.begin), bytes, range.size());
        unwritten_.set(range.begin, place_of(bytes));
    });
    unwritten_.accept_written();
    if (mapped::any()) mapped::restore(then.mapped, then.pages);
    last_memory_ = image;
}

/// Whether a watched stack differs from the image that its thread is said to equal.
bool image_store::changed_unseen(const thread_state& thread) const {
    if (!is_watched(thread.id) || thread.dirty || !has_stack(thread)) return false;
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    return std::memcmp(buffer_ + images_[thread.id] + size_of(thread), reinterpret_cast<const void*>(sp),
                       memory_.stack_top(thread.id) - sp) != 0;
}

void image_store::note_unseen(thread_state* threads, std::uint16_t count) const {
    for (thread_id t = 0; t < count && watched_ >> t != 0; ++t)
        if (changed_unseen(threads[t])) threads[t].dirty = true;
}

saved_state image_store::save(thread_state* threads, std::uint16_t count) {
    note_unseen(threads, count);
    saved_state state;
    state.bottom = top_;
    state.thread_count = count;
    for (std::uint16_t t = 0; t < count; ++t)
        if (threads[t].dirty) images_[t] = save_thread(threads[t]);
    state.memory = save_memory();
    char* table = room(count * sizeof(std::size_t));
    state.threads = static_cast<std::size_t>(table - buffer_);
    std::memcpy(table, images_, count * sizeof(std::size_t));
    return state;
}

std::uint16_t image_store::restore(const saved_state& state, thread_state* threads) {
    const auto* table = reinterpret_cast<const std::size_t*>(buffer_ + state.threads);
    for (std::uint16_t t = 0; t < state.thread_count; ++t)
        if (threads[t].dirty || images_[t] != table[t] || changed_unseen(threads[t])) {
            restore_thread(table[t], threads[t], t);
            images_[t] = table[t];
        }
    restore_memory(state.memory);
    return state.thread_count;
}

bool image_store::same_heaps(const saved_state& state) const {
    return read_extent(state.memory).tops == memory_.heaps();
}

std::uintptr_t image_store::heap_end(const saved_state& state, thread_id thread) const {
    return heap_end(read_extent(state.memory).tops, thread);
}

bool image_store::same_memory(const saved_state& state) const {
    const extent then = read_extent(state.memory);
    bool there = true;
    then.tops.each(
        [&](thread_id t, std::uintptr_t top) { there = there && heap_end(memory_.heaps(), t) >= top; });
    constexpr std::size_t newest = sizeof(std::uintptr_t); // with whose address a heap begins
    return there && same_bytes(then, newest);
}

bool image_store::same_memory(const saved_state& state,
                              const std::function<bool(std::uintptr_t address)>& may_differ) const {
    if (same_memory(state)) return true;
    const extent then = read_extent(state.memory);
    bool same = true;
    unwritten_.note_written();
    each_chunk(then, [&](const memory_range& range, const char* bytes) {
        same = same &&
               (is_unwritten(range.begin, bytes) || same_words(bytes, range.begin, range.size(), may_differ));
    });
    return same && (!mapped::any() || mapped::same(then.mapped, then.pages));
}

bool image_store::same_stacks(const saved_state& then, const thread_state* threads, thread_id but) const {
    for (thread_id u = 0; u < then.thread_count; ++u) {
        if (u == but || !has_stack(threads[u])) continue;
        const stack_image stack = stack_of(then, u);
        if (std::memcmp(stack.bytes, at(stack.sp), stack.size) != 0) return false;
    }
    return true;
}

bool image_store::add_to(memory_digest& digest, const thread_state* threads, std::uint16_t count,
                         thread_id thread) const {
    constexpr std::size_t most = 64 << 10;
    if (mapped::any()) return false;
    std::size_t size = 0;
    each_range(memory_.heaps(), [&](const memory_range& range) { size += range.size(); });
    if (size > most) return false;
    each_range(memory_.heaps(), [&](const memory_range& range) {
        digest.add(range.begin);
        digest.add(at(range.begin), range.size());
    });
    for (thread_id u = 0; u < count; ++u) {
        if (u == thread || !is_watched(u) || !has_stack(threads[u])) continue;
        const auto sp = reinterpret_cast<std::uintptr_t>(threads[u].context);
        digest.add(sp);
        digest.add(at(sp), memory_.stack_top(u) - sp);
    }
    return true;
}

bool image_store::same_watched(const saved_state& then, const thread_state* threads, thread_id but,
                               const std::function<bool(std::uintptr_t)>& may_differ) const {
    for (thread_id u = 0; u < then.thread_count; ++u) {
        if (!is_watched(u) || u == but || !has_stack(threads[u])) continue;
        const stack_image stack = stack_of(then, u);
        if (reinterpret_cast<std::uintptr_t>(threads[u].context) != stack.sp) return false;
        if (!same_words(stack.bytes, stack.sp, stack.size, may_differ)) return false;
    }
    return true;
}

const char* image_store::bytes_of(const saved_state& state, std::uintptr_t address, std::size_t size) const {
    const extent then = read_extent(state.memory);
    if (memory_.in_mapped(address)) return mapped::bytes_of(then.mapped, then.pages, address, size);
    const char* found = nullptr;
    each_chunk(then, [&](const memory_range& range, const char* bytes) {
        if (address >= range.begin && address + size <= range.end) found = bytes + (address - range.begin);
    });
    return found;
}

const char* image_store::stack_bytes_of(const saved_state& state, thread_id thread, std::uintptr_t address,
                                        std::size_t size) const {
    if (thread >= state.thread_count) return nullptr;
    const stack_image then = stack_of(state, thread);
    if (then.sp == 0 || address < then.sp || address + size > then.sp + then.size) return nullptr;
    return then.bytes + (address - then.sp);
}

void image_store::restore_one(const saved_state& state, thread_state* threads, thread_id t) {
    restore_thread(reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t], threads[t], t);
    threads[t].dirty = true;
}

const thread_state& image_store::thread_of(const saved_state& state, thread_id t) const {
    const char* image = buffer_ + reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t];
    return *reinterpret_cast<const thread_state*>(image); // as far as it goes
}

image_store::stack_image image_store::stack_of(const saved_state& state, thread_id t) const {
    const char* image = buffer_ + reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t];
    const auto* thread = reinterpret_cast<const thread_state*>(image); // as far as it goes
    const auto sp = reinterpret_cast<std::uintptr_t>(thread->context);
    return {image + size_of(*thread), sp, memory_.stack_top(t) - sp, thread->random, thread->floats};
}

} // namespace ringproof::verify
