// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "ringproof/capacity.hpp"

namespace ringproof::detail {

/// A word for each of so many writers, on a line pair of its own: where in the ring that writer is at work. Positions
/// are multiples of 8; what is odd is no position.
///
///     nobody's --take--> idle, or a position --mark--> a position --mark--> … --mark--> idle --give back--> nobody's
template <class Barriers>
class writer_marks {
  public:
    using mark = std::atomic<std::uint64_t>;

    static constexpr std::uint64_t nobodys = 1; ///< free to be taken
    static constexpr std::uint64_t idle = 3;    ///< somebody's, who is at nothing

    /// @throws std::invalid_argument when there would be none, std::bad_alloc
    explicit writer_marks(std::size_t count)
        : count_(count == 0 ? throw std::invalid_argument("a recorder needs at least one place for a writer")
                            : count),
          places_(std::make_unique<place[]>(count)) {}

    /// A free one, which is `value` now, or nullptr. Tried from the first on, so that few are looked at.
    [[nodiscard]] mark* take(std::uint64_t value) noexcept {
        for (std::size_t i = 0; i != count_; ++i) {
            mark& at = places_[i].at;
            if (Barriers::stat(at) != nobodys || !Barriers::take_place(at, nobodys, value)) continue;
            // Before the first claim, which carries it: who knows of the claim looks at this one, too.
            std::uint64_t used = Barriers::stat(used_);
            while (used <= i && !Barriers::account(used_, used, i + 1)) {
            }
            return &at;
        }
        return nullptr;
    }

    /// Calls `use(position)` for every writer that is at work. Those who claimed before the value of head that the
    /// caller has from C are among them until they are done.
    template <class Use>
    void for_each(Use&& use) const noexcept {
        const std::uint64_t used = Barriers::stat(used_);
        for (std::size_t i = 0; i != used; ++i) {
            const std::uint64_t at =
                Barriers::load_mark(places_[i].at); // L <- K: what it wrote before is complete.
            if (at % 2 == 0) use(at);
        }
    }

  private:
    struct alignas(line_pair) place {
        mark at{nobodys}; ///< written by its writer
    };

    std::size_t count_;
    std::unique_ptr<place[]> places_;
    std::atomic<std::uint64_t> used_{0}; ///< so many have ever been taken
};

} // namespace ringproof::detail
