// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"

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

const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }

/// The part of a thread's struct that is saved.
constexpr std::size_t without_contexts = offsetof(thread_state, contexts);
bool has_stack(const thread_state& t) { return t.context && t.status != thread_status::finished; }
std::size_t size_of(const thread_state& t) { return t.has_contexts ? sizeof t : without_contexts; }

} // namespace

image_store::image_store(program_memory& memory) : memory_(memory) {
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

std::size_t image_store::save_thread(thread_state& thread) {
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    const std::size_t live = has_stack(thread) ? memory_.stack_top(thread.id) - sp : 0;
    const std::size_t own = size_of(thread);
    char* image = room(own + live);
    thread.dirty = false;
    std::memcpy(image, &thread, without_contexts);
    if (thread.has_contexts) std::memcpy(image + without_contexts, &thread.contexts, sizeof thread.contexts);
    std::memcpy(image + own, reinterpret_cast<const void*>(sp), live);
    return static_cast<std::size_t>(image - buffer_);
}

void image_store::restore_thread(std::size_t image, thread_state& thread) {
    const char* from = buffer_ + image;
    if (thread.has_contexts) thread.contexts = {};
    std::memcpy(static_cast<void*>(&thread), from, without_contexts);
    if (thread.has_contexts) std::memcpy(&thread.contexts, from + without_contexts, sizeof thread.contexts);
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    if (!has_stack(thread)) return;
    std::memcpy(reinterpret_cast<void*>(sp), from + size_of(thread), memory_.stack_top(thread.id) - sp);
}

const char* image_store::read_extent(std::size_t image, extent& then) const {
    const char* from = buffer_ + image;
    std::uint32_t pages;
    std::memcpy(&then.tops.used, from, sizeof then.tops.used);
    std::memcpy(&pages, from + sizeof then.tops.used, sizeof pages);
    then.pages = pages;
    from += sizeof(std::uintptr_t);
    then.tops.each([&](unsigned t, std::uintptr_t) {
        std::memcpy(&then.tops.top[t], from, sizeof then.tops.top[t]);
        from += sizeof then.tops.top[t];
    });
    return from;
}

/// Whether the heaps, but for so many bytes at the beginning of each, the executable's data and mapped pages are as in
/// an image.
bool image_store::same_bytes(const char* from, const extent& then, std::size_t spared) const {
    bool same = true;
    each_range(then.tops, [&](const memory_range& range) {
        const std::size_t skipped = memory_.in_heap(range.begin) ? spared : 0;
        same = same && std::memcmp(from + skipped, at(range.begin + skipped), range.size() - skipped) == 0;
        from += range.size();
    });
    return same && (!mapped::any() || mapped::same(from, then.pages));
}

bool image_store::same_memory(std::size_t image) const {
    extent then;
    const char* from = read_extent(image, then);
    return then.tops == memory_.heaps() && same_bytes(from, then, 0);
}

std::size_t image_store::save_memory() {
    if (last_memory_ != none_ && same_memory(last_memory_)) return last_memory_;
    const program_memory::heap_tops& tops = memory_.heaps();
    const auto pages = static_cast<std::uint32_t>(mapped::any() ? mapped::live_pages() : 0);
    std::size_t size = sizeof(std::uintptr_t) + mapped::image_size(pages);
    tops.each([&](unsigned, std::uintptr_t top) { size += sizeof top; });
    each_range(tops, [&](const memory_range& range) { size += range.size(); });
    char* to = room(size);
    const auto image = static_cast<std::size_t>(to - buffer_);
    const auto put = [&](const void* from, std::size_t bytes) {
        std::memcpy(to, from, bytes);
        to += bytes;
    };
    put(&tops.used, sizeof tops.used);
    put(&pages, sizeof pages);
    tops.each([&](unsigned, std::uintptr_t top) { put(&top, sizeof top); });
    each_range(tops, [&](const memory_range& range) { put(at(range.begin), range.size()); });
    if (pages != 0) mapped::save(to, pages);
    return last_memory_ = image;
}

void image_store::restore_memory(std::size_t image) {
    extent then;
    const char* from = read_extent(image, then);
    memory_.set_heaps(then.tops);
    each_range(then.tops, [&](const memory_range& range) {
        std::memcpy(reinterpret_cast<void*>(range.begin), from, range.size());
        from += range.size();
    });
    if (mapped::any()) mapped::restore(from, then.pages);
    last_memory_ = image;
}

/// Whether a watched stack differs from the image that its thread is said to equal.
bool image_store::changed_unseen(const thread_state& thread) const {
    if (!watched_[thread.id] || thread.dirty || !has_stack(thread)) return false;
    const auto sp = reinterpret_cast<std::uintptr_t>(thread.context);
    return std::memcmp(buffer_ + images_[thread.id] + size_of(thread), reinterpret_cast<const void*>(sp),
                       memory_.stack_top(thread.id) - sp) != 0;
}

void image_store::note_unseen(thread_state* threads, std::uint16_t count) const {
    for (std::uint16_t t = 0; t < count; ++t)
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
            restore_thread(table[t], threads[t]);
            images_[t] = table[t];
        }
    restore_memory(state.memory);
    return state.thread_count;
}

bool image_store::same_heaps(const saved_state& state) const {
    extent then;
    read_extent(state.memory, then);
    return then.tops == memory_.heaps();
}

std::uintptr_t image_store::heap_end(const saved_state& state, thread_id thread) const {
    extent then;
    read_extent(state.memory, then);
    return heap_end(then.tops, thread);
}

bool image_store::same_memory(const saved_state& state) const {
    extent then;
    const char* from = read_extent(state.memory, then);
    bool there = true;
    then.tops.each(
        [&](thread_id t, std::uintptr_t top) { there = there && heap_end(memory_.heaps(), t) >= top; });
    constexpr std::size_t newest = sizeof(std::uintptr_t); // with whose address a heap begins
    return there && same_bytes(from, then, newest);
}

bool image_store::same_memory(const saved_state& state,
                              const std::function<bool(std::uintptr_t address)>& may_differ) const {
    if (same_memory(state)) return true;
    extent then;
    const char* from = read_extent(state.memory, then);
    bool same = true;
    each_range(then.tops, [&](const memory_range& range) {
        constexpr std::size_t word = 8;
        for (std::size_t i = 0; same && i < range.size(); i += word) {
            const std::size_t size = std::min(word, range.size() - i);
            same = std::memcmp(from + i, at(range.begin + i), size) == 0 || may_differ(range.begin + i);
        }
        from += range.size();
    });
    return same && (!mapped::any() || mapped::same(from, then.pages));
}

bool image_store::same_stacks(const saved_state& then, const thread_state* threads, thread_id but) const {
    for (thread_id u = 0; u < then.thread_count; ++u) {
        if (u == but || !has_stack(threads[u])) continue;
        const stack_image stack = stack_of(then, u);
        if (std::memcmp(stack.bytes, at(stack.sp), stack.size) != 0) return false;
    }
    return true;
}

bool image_store::same_watched(const saved_state& then, const thread_state* threads, thread_id but,
                               const std::function<bool(std::uintptr_t)>& may_differ) const {
    for (thread_id u = 0; u < then.thread_count; ++u) {
        if (!watched_[u] || u == but || !has_stack(threads[u])) continue;
        const stack_image stack = stack_of(then, u);
        if (reinterpret_cast<std::uintptr_t>(threads[u].context) != stack.sp) return false;
        if (std::memcmp(stack.bytes, at(stack.sp), stack.size) == 0) continue;
        constexpr std::size_t word = 8;
        for (std::size_t i = 0; i < stack.size; i += word) {
            const std::size_t size = std::min(word, stack.size - i);
            if (std::memcmp(stack.bytes + i, at(stack.sp + i), size) != 0 &&
                !(may_differ && may_differ(stack.sp + i)))
                return false;
        }
    }
    return true;
}

const char* image_store::bytes_of(const saved_state& state, std::uintptr_t address, std::size_t size) const {
    extent then;
    const char* from = read_extent(state.memory, then);
    const char* found = nullptr;
    each_range(then.tops, [&](const memory_range& range) {
        if (address >= range.begin && address + size <= range.end) found = from + (address - range.begin);
        from += range.size();
    });
    if (memory_.in_mapped(address)) found = mapped::bytes_of(from, then.pages, address, size);
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
    restore_thread(reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t], threads[t]);
    threads[t].dirty = true;
}

const request& image_store::request_of(const saved_state& state, thread_id t) const {
    const char* image = buffer_ + reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t];
    return reinterpret_cast<const thread_state*>(image)->what;
}

image_store::stack_image image_store::stack_of(const saved_state& state, thread_id t) const {
    const char* image = buffer_ + reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t];
    const auto* thread = reinterpret_cast<const thread_state*>(image); // as far as it goes
    const auto sp = reinterpret_cast<std::uintptr_t>(thread->context);
    return {image + size_of(*thread), sp, memory_.stack_top(t) - sp, thread->random, thread->floats};
}

} // namespace ringproof::verify
