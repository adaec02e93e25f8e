// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which chunks of large memory are as they were when they were last saved or restored: those that were not written
// since, as the system says. Saving need not compare them and restoring need not copy them, so that the cost of a state
// grows with what was written, not with what there is.
//
// For each chunk of a watched range this has the place of the bytes in the store of images that it equals, until it is
// written. Why that is enough, although images come and go and places are used again: the chunk was not written since
// it got its place. An image that was saved before then, and is still there, has the same bytes at that place as it had
// then. An image that was saved since has the chunk's bytes of its time there, which are the chunk's bytes now. The end
// of a range needs no place: two images share the place of a chunk only when both end alike.
//
// Only whole pages are watched, so that no page belongs to two ranges; and the system counts what it writes itself
// (read(), for one).

#include "written_pages.hpp"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace ringproof::verify {

class unwritten_chunks {
  public:
    static constexpr std::size_t chunk_size = 1024; ///< a power of two that no page is smaller than

    /// @param end_of where that ends of a watched range, by its begin, which is in use
    explicit unwritten_chunks(std::function<std::uintptr_t(std::uintptr_t)> end_of)
        : end_of_(std::move(end_of)) {}
    void switch_off() { off_ = true; }

    /// Watches a range when that much of it is in use, as far as the system can. To be asked before each note_written().
    void watch_when_large(memory_range range, std::size_t in_use);
    /// Whether anything is watched: otherwise nothing below does or says anything.
    bool any() const { return !ranges_.empty(); }

    /// Takes the places from the chunks that were written since this was called last.
    void note_written() {
        if (any()) take_written(true);
    }
    /// What was written since note_written() was what it has the places of now.
    void accept_written() {
        if (any()) take_written(false);
    }
    /// Whether the chunk at `address` is what it was at `place`.
    bool is(std::uintptr_t address, std::size_t place) const {
        const std::size_t* const known = any() ? place_of(address) : nullptr;
        return known && *known == place + 1;
    }
    void set(std::uintptr_t address, std::size_t place) {
        std::size_t* const known = any() ? place_of(address) : nullptr;
        if (known) *known = place + 1;
    }

  private:
    struct watched {
        memory_range pages;              ///< all that may be in use one day
        std::vector<std::size_t> places; ///< of each chunk in use, plus one; 0: unknown
    };

    void take_written(bool forget);
    static void forget(watched& w, std::uintptr_t begin, std::uintptr_t end);
    memory_range in_use(const watched& w) const;
    const std::size_t* place_of(std::uintptr_t address) const;
    std::size_t* place_of(std::uintptr_t address) {
        return const_cast<std::size_t*>(static_cast<const unwritten_chunks*>(this)->place_of(address));
    }

    std::function<std::uintptr_t(std::uintptr_t)> end_of_;
    written_pages written_;
    std::vector<watched> ranges_;
    std::vector<std::uintptr_t> asked_for_; ///< begins of ranges, be they watched or refused
    bool off_ = false;
};

inline const std::size_t* unwritten_chunks::place_of(std::uintptr_t address) const {
    for (const watched& w : ranges_) {
        if (!w.pages.contains(address)) continue;
        const std::size_t chunk = (address - w.pages.begin) / chunk_size;
        return chunk < w.places.size() ? &w.places[chunk] : nullptr;
    }
    return nullptr;
}

} // namespace ringproof::verify
