// SPDX-License-Identifier: Apache-2.0
#include "images.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <sys/mman.h>

namespace ringproof::verify {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 40; // address space, not memory

struct memory_header {
    std::uintptr_t heap_top;
};

/// The part of a thread's struct that is saved.
constexpr std::size_t without_contexts = offsetof(thread_state, contexts);
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
    const std::size_t live =
        sp == 0 || thread.status == thread_status::finished ? 0 : memory_.stack_top(thread.id) - sp;
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
    if (sp == 0 || thread.status == thread_status::finished) return;
    std::memcpy(reinterpret_cast<void*>(sp), from + size_of(thread), memory_.stack_top(thread.id) - sp);
}

bool image_store::same_memory(std::size_t image) const {
    const char* from = buffer_ + image;
    memory_header header;
    std::memcpy(&header, from, sizeof header);
    from += sizeof header;
    if (header.heap_top != memory_.heap_top()) return false;
    const std::size_t heap = memory_.heap_top() - memory_.heap_begin();
    if (std::memcmp(from, reinterpret_cast<const void*>(memory_.heap_begin()), heap) != 0) return false;
    from += heap;
    for (const memory_range& range : memory_.data()) {
        if (std::memcmp(from, reinterpret_cast<const void*>(range.begin), range.size()) != 0) return false;
        from += range.size();
    }
    return true;
}

std::size_t image_store::save_memory() {
    if (last_memory_ != none_ && same_memory(last_memory_)) return last_memory_;
    const std::size_t heap = memory_.heap_top() - memory_.heap_begin();
    std::size_t size = sizeof(memory_header) + heap;
    for (const memory_range& range : memory_.data()) size += range.size();
    char* to = room(size);
    const auto image = static_cast<std::size_t>(to - buffer_);
    const memory_header header{memory_.heap_top()};
    std::memcpy(to, &header, sizeof header);
    to += sizeof header;
    std::memcpy(to, reinterpret_cast<const void*>(memory_.heap_begin()), heap);
    to += heap;
    for (const memory_range& range : memory_.data()) {
        std::memcpy(to, reinterpret_cast<const void*>(range.begin), range.size());
        to += range.size();
    }
    return last_memory_ = image;
}

void image_store::restore_memory(std::size_t image) {
    const char* from = buffer_ + image;
    memory_header header;
    std::memcpy(&header, from, sizeof header);
    from += sizeof header;
    memory_.set_heap_top(header.heap_top);
    const std::size_t heap = header.heap_top - memory_.heap_begin();
    std::memcpy(reinterpret_cast<void*>(memory_.heap_begin()), from, heap);
    from += heap;
    for (const memory_range& range : memory_.data()) {
        std::memcpy(reinterpret_cast<void*>(range.begin), from, range.size());
        from += range.size();
    }
    last_memory_ = image;
}

saved_state image_store::save(thread_state* threads, std::uint16_t count) {
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
        if (threads[t].dirty || images_[t] != table[t]) {
            restore_thread(table[t], threads[t]);
            images_[t] = table[t];
        }
    restore_memory(state.memory);
    return state.thread_count;
}

std::uintptr_t image_store::heap_top(const saved_state& state) const {
    memory_header header;
    std::memcpy(&header, buffer_ + state.memory, sizeof header);
    return header.heap_top;
}

bool image_store::same_memory(const saved_state& state) const {
    const char* from = buffer_ + state.memory + sizeof(memory_header);
    const std::size_t heap = heap_top(state) - memory_.heap_begin();
    // The heap begins with the address of its newest allocation.
    constexpr std::size_t first = sizeof(std::uintptr_t);
    if (memory_.heap_top() < memory_.heap_begin() + heap ||
        std::memcmp(from + first, reinterpret_cast<const char*>(memory_.heap_begin()) + first,
                    heap - first) != 0)
        return false;
    from += heap;
    for (const memory_range& range : memory_.data()) {
        if (std::memcmp(from, reinterpret_cast<const void*>(range.begin), range.size()) != 0) return false;
        from += range.size();
    }
    return true;
}

const char* image_store::bytes_of(const saved_state& state, std::uintptr_t address, std::size_t size) const {
    const char* from = buffer_ + state.memory + sizeof(memory_header);
    const std::uintptr_t top = heap_top(state);
    if (address >= memory_.heap_begin() && address + size <= top)
        return from + (address - memory_.heap_begin());
    from += top - memory_.heap_begin();
    for (const memory_range& range : memory_.data()) {
        if (address >= range.begin && address + size <= range.end) return from + (address - range.begin);
        from += range.size();
    }
    return nullptr;
}

void image_store::restore_one(const saved_state& state, thread_state* threads, thread_id t) {
    restore_thread(reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t], threads[t]);
    threads[t].dirty = true;
}

image_store::stack_image image_store::stack_of(const saved_state& state, thread_id t) const {
    const char* image = buffer_ + reinterpret_cast<const std::size_t*>(buffer_ + state.threads)[t];
    const auto* thread = reinterpret_cast<const thread_state*>(image); // as far as it goes
    const auto sp = reinterpret_cast<std::uintptr_t>(thread->context);
    return {image + size_of(*thread), sp, memory_.stack_top(t) - sp, thread->random};
}

} // namespace ringproof::verify
