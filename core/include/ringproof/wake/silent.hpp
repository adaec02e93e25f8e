// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace ringproof {

/// Nobody is woken: the consumer looks when it likes. Costs nothing.
struct silent {
    static constexpr bool wakes = false;
    static constexpr bool has_descriptor = false;

    template <class Barriers, class Producer>
    class state {
      public:
        state(std::size_t, std::uint64_t, std::size_t) noexcept {}
        void reserved(std::uint64_t) noexcept {}
        void published(bool, std::uint64_t, std::uint64_t) noexcept {}
        void refused(bool) noexcept {}
        void flushed(bool) noexcept {}
        template <class ProducerSide, class View, class Area>
        void drained(const ProducerSide&, const View&, const Area&, std::uint64_t) noexcept {}
    };
};

} // namespace ringproof
