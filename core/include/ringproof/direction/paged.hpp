// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ringproof {

/// A ring that overwrites page by page, for many threads. Positions rise; no record lies in two pages.
///
///      page                                        the next one
///       | its position | record | record | padding | its position | record …
///
/// A page's first word is the position at which it was entered last, so that a snapshot can tell what a page that was
/// passed over (a writer was stopped in it a lap ago) still holds of older laps. After the sub-buffers of LTTng and
/// the pages of ftrace.
struct paged {
    static constexpr bool in_pages = true;
    static constexpr std::size_t stamp_size = 8;
    static constexpr std::size_t least_page = 32, largest_page = std::size_t{1} << 16;

    /// Sixteen pages, where they are neither smaller than `least_page` nor larger than a record can be.
    [[nodiscard]] static constexpr std::size_t page_size(std::size_t capacity) noexcept {
        return std::clamp(capacity / 16, least_page, largest_page);
    }
};

} // namespace ringproof
