// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

// The executable's writable data, as the linker names its ends.
extern "C" char __data_start, _end;

namespace ringproof::opinions {

namespace {

struct announced {
    std::uintptr_t at = 0, size = 0;
    place where = 0;
} pending;

struct kept {
    std::uintptr_t at;
    unsigned char byte;
};
std::vector<kept>& kept_bytes() {
    static std::vector<kept> all;
    return all;
}

/// The scenario's heap. Each run begins with an empty one, so that addresses are the same in every run; memory comes
/// back at the end of the run, so that no address is used twice within one.
class heap {
  public:
    static constexpr std::size_t size = std::size_t{16} << 20;

    void* allocate(std::size_t bytes, std::size_t alignment) {
        const std::size_t from = (used_ + alignment - 1) / alignment * alignment;
        if (bytes > size || from > size - bytes) cannot_express("it allocates more than 16 MiB");
        used_ = from + bytes;
        return bytes_ + from;
    }
    bool owns(const void* p) const {
        const auto at = reinterpret_cast<std::uintptr_t>(p), begin = reinterpret_cast<std::uintptr_t>(bytes_);
        return at >= begin && at < begin + size;
    }
    void reset() {
        std::memset(bytes_, 0, used_);
        used_ = 0;
    }

  private:
    alignas(4096) unsigned char bytes_[size];
    std::size_t used_ = 0;
} arena;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (running) return arena.allocate(bytes, alignment);
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    if (void* p = std::aligned_alloc(alignment, whole ? whole : alignment)) return p;
    throw std::bad_alloc();
}

void release(void* p) {
    if (!arena.owns(p)) std::free(p);
}

} // namespace

hook::hook() : tool_(std::exchange(running, nullptr)) {
    if (!tool_ || pending.size == 0) return;
    const announced done = std::exchange(pending, {});
    tool_->written(done.at, done.size, done.where);
}

// The tool may have switched to other threads meanwhile; the one that goes on is this hook's.
hook::~hook() { running = tool_; }

void announce_write(std::uintptr_t at, std::uintptr_t size, place where) { pending = {at, size, where}; }

bool is_static(std::uintptr_t at) {
    return at >= reinterpret_cast<std::uintptr_t>(&__data_start) &&
           at < reinterpret_cast<std::uintptr_t>(&_end) && !arena.owns(reinterpret_cast<const void*>(at));
}

void keep_static(std::uintptr_t at, std::uintptr_t size) {
    if (!is_static(at)) return;
    for (std::uintptr_t byte = at; byte != at + size; ++byte)
        kept_bytes().push_back({byte, *reinterpret_cast<const unsigned char*>(byte)});
}

void enter(tool* with) { running = with; }
void leave() {
    { const hook last; } // tells what is pending
    running = nullptr;
}

void reset_program() {
    arena.reset();
    pending = {};
    std::vector<kept>& all = kept_bytes();
    for (auto one = all.rbegin(); one != all.rend(); ++one)
        *reinterpret_cast<unsigned char*>(one->at) = one->byte;
    all.clear();
}

} // namespace ringproof::opinions

namespace shim = ringproof::opinions;

// The scenario's memory, and everybody else's.
void* operator new(std::size_t bytes) { return shim::allocate(bytes, alignof(std::max_align_t)); }
void* operator new[](std::size_t bytes) { return shim::allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return shim::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return shim::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { shim::release(p); }
void operator delete[](void* p) noexcept { shim::release(p); }
void operator delete(void* p, std::size_t) noexcept { shim::release(p); }
void operator delete[](void* p, std::size_t) noexcept { shim::release(p); }
void operator delete(void* p, std::align_val_t) noexcept { shim::release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { shim::release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { shim::release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { shim::release(p); }
