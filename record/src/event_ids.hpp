// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which event a sample is of.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include <linux/perf_event.h>

namespace ringproof::record_command {

/// The kernel's ids of what a recording has opened.
///
/// Where two recordings have one software event, Linux gives some samples of the one the id of the other:
/// do_perf_sw_event (kernel/events/core.c) fills in one sample for all who listen, where perf_tp_event begins anew for
/// each. Seen with Linux 6.18, of perf's own recordings too. perf stops reading at an id that its file does not name.
class event_ids {
  public:
    void add(std::uint64_t id, std::size_t event, const perf_event_attr& attr);
    /// The event with this id; none: it is another recording's.
    [[nodiscard]] std::optional<std::size_t> find(std::uint64_t id) const;

    enum class owner { ours, set_right, unknown };
    /// Sees to it that a sample has an id of ours. With one software event among ours it can only be of that one, and gets
    /// its id. With several, or none, it cannot be told.
    [[nodiscard]] owner claim(std::span<std::byte> sample) const;

  private:
    std::unordered_map<std::uint64_t, std::size_t> event_of_;
    std::optional<std::uint64_t> software_id_; ///< of the first software event that samples
    bool several_software_events_ = false;
};

} // namespace ringproof::record_command
