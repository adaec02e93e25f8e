// SPDX-License-Identifier: Apache-2.0
#include "unwritten_chunks.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

/// To ask the system takes a microsecond for each range and for each page that was written, and several in some virtual
/// machines: about as long as to compare and copy so many bytes.
constexpr std::size_t large = std::size_t{256} << 10;

} // namespace

void unwritten_chunks::watch_when_large(memory_range range, std::size_t in_use) {
    if (off_ || in_use < large) return;
    if (any() && !written_.of_this_process()) { // a child of fork(): the system tells only its parent
        written_.close();
        ranges_.clear();
        asked_for_.clear();
    }
    const memory_range pages = written_pages::pages_within(range);
    if (std::find(asked_for_.begin(), asked_for_.end(), pages.begin) != asked_for_.end()) return;
    asked_for_.push_back(pages.begin);
    if (!written_.watch(pages)) return; // this system or this kind of memory: it is compared as ever
    ranges_.push_back({pages, {}});
}

memory_range unwritten_chunks::in_use(const watched& w) const {
    const memory_range used = written_pages::pages_around({w.pages.begin, end_of_(w.pages.begin)});
    return {w.pages.begin, std::min(used.end, w.pages.end)};
}

void unwritten_chunks::take_written(bool forget_them) {
    const bool told = written_.of_this_process();
    for (watched& w : ranges_) {
        const memory_range used = in_use(w);
        w.places.resize(used.size() / chunk_size); // what is in use no more is forgotten
        if (!told)
            forget(w, used.begin, used.end);
        else
            for (const auto& [begin, end, categories] : written_.take(used))
                if (forget_them) forget(w, begin, end);
    }
}

void unwritten_chunks::forget(watched& w, std::uintptr_t begin, std::uintptr_t end) {
    const auto at = [&](std::uintptr_t a) {
        return w.places.begin() + static_cast<std::ptrdiff_t>((a - w.pages.begin) / chunk_size);
    };
    std::fill(at(begin), at(end), 0);
}

} // namespace ringproof::verify
