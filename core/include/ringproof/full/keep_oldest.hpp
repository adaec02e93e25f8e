// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "ringproof/record.hpp"
#include "ringproof/record_area.hpp"

namespace ringproof {

/// The payload of a LOST record: `record.as<lost_record>()`.
struct lost_record {
    std::uint64_t id;    ///< of the ring, as it was made
    std::uint64_t count; ///< records refused since the last LOST; 0 when another producer reported them first
};

/// When full, perf's way: the oldest records stay, the new one is refused, and the next that is accepted has a LOST
/// record before it in the same reservation, which says how many are missing at this place. A paused ring refuses
/// everything, and that counts as loss.
///
/// So a record is also refused because there is no room for the LOST record before it (24 bytes), and counted.
/// Unlike perf, a record that would fit only without the LOST record is too large from the start: it could never
/// be accepted again once something was lost.
///
/// At rest: delivered + what the LOST records say + `unreported()` = attempted.
///
/// After perf_output_begin in kernel/events/ring_buffer.c.
struct keep_oldest {
    static constexpr bool can_pause = true;
    static constexpr std::size_t report_size = detail::record_size(sizeof(lost_record));

    /// Looked at before the reservation: what is lost after that waits for the next one.
    template <class ProducerSide>
    [[nodiscard]] static std::size_t wanted(const ProducerSide& producer) noexcept {
        return producer.unreported() != 0 ? report_size : 0;
    }

    template <class ProducerSide>
    static void report(ProducerSide& producer, const detail::record_area& area, std::uint64_t at,
                       std::uint64_t id) noexcept {
        area.word(at + detail::header_size) = id;
        area.word(at + detail::header_size + 8) = producer.take_unreported();
        producer.commit_front(area, at, detail::header_word({record_type::lost, 0}, sizeof(lost_record)),
                              report_size);
    }
};

} // namespace ringproof
